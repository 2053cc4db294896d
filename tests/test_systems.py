"""What runs on Linux runs on Windows and macOS, as far as the code can tell: it asks only for what all three have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
BEGINNINGS = ("scorekeeper.cli", "scorekeeper.watch.worker")
"""What `scorekeeper` and its other process begin with; everything that they import, now or later, runs everywhere."""
MAINTENANCE = ("scorekeeper.training",)
UNIX_MODULES = {
    "resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "posix", "syslog", "curses", "readline", "spwd", "nis",
}  # fmt: skip
UNIX_NAMES = {
    "os": {"nice", "geteuid", "getuid", "getgid", "getegid", "fork", "statvfs", "mkfifo", "chown", "killpg", "setsid",
           "uname", "getloadavg", "sched_getaffinity", "chroot", "O_NOFOLLOW", "O_DIRECTORY", "setuid", "pipe2"},
    "signal": {"SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "SIGQUIT", "pause", "alarm",
               "setitimer", "pthread_sigmask", "sigwait"},
    "socket": {"AF_UNIX", "SO_REUSEPORT"},
    "time": {"tzset", "clock_gettime"},
}  # fmt: skip
"""What only Unix has of modules that all have."""
GUARDS = ("os.name", "sys.platform", "hasattr", "getattr")
"""A condition that names one of these has thought of the other systems."""


def file_of(module: str) -> Path | None:
    path = HOUSE.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def serving_part() -> dict[str, ast.Module]:
    """Every module that the commands may import, with its code."""
    waiting, found = list(BEGINNINGS), {}
    while waiting:
        module = waiting.pop()
        file = file_of(module)
        if module in found or file is None or module.startswith(MAINTENANCE):
            continue
        found[module] = ast.parse(file.read_text("utf-8"))
        waiting += [name for name in imports(found[module]) if name.startswith(("scorekeeper", "web"))]
    return found


MODULES = serving_part()


def unguarded(node: ast.AST, guarded: bool = False) -> Iterator[ast.AST]:
    """Every piece of code that runs on whatever system."""
    if isinstance(node, (ast.If, ast.IfExp, ast.BoolOp, ast.Try)):
        test = (
            node.handlers if isinstance(node, ast.Try) else [node.test] if not isinstance(node, ast.BoolOp) else [node]
        )
        text = " ".join(map(ast.unparse, test))
        guarded = guarded or any(guard in text for guard in (*GUARDS, "except ImportError"))
    if not guarded:
        yield node
    for child in ast.iter_child_nodes(node):
        yield from unguarded(child, guarded)


def foreign(tree: ast.AST) -> Iterator[str]:
    """What of *tree* only Unix has."""
    for node in unguarded(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from UNIX_MODULES & set(names)
        if isinstance(node, ast.Attribute) and node.attr in UNIX_NAMES.get(ast.unparse(node.value), ()):
            yield ast.unparse(node)


def test_the_walk_reaches_the_whole_serving_part():
    assert {"web.connections", "web.server", "scorekeeper.vision.camera.sources", "scorekeeper.cli.watching"} <= set(
        MODULES
    )


def test_every_module_asks_only_for_what_all_systems_have():
    assert {module: found for module, tree in MODULES.items() if (found := list(foreign(tree)))} == {}


def test_every_text_file_is_read_and_written_in_a_named_encoding():
    """Windows would take code page 1252."""
    assert {module: found for module, tree in MODULES.items() if (found := list(unnamed(tree)))} == {}


def unnamed(tree: ast.AST) -> Iterator[str]:
    """The calls that read or write text in whatever encoding the system likes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (
            (isinstance(node.func, ast.Attribute) and node.func.attr in ("read_text", "write_text"))
            or (isinstance(node.func, ast.Name) and node.func.id == "open")
        ):
            words = [ast.unparse(argument).strip("'") for argument in node.args]
            named = any(word.startswith(("utf", "ascii", "latin")) or word in ("rb", "wb", "xb") for word in words)
            if not named and "encoding" not in {keyword.arg for keyword in node.keywords}:
                yield ast.unparse(node)


@pytest.mark.parametrize(
    "code",
    ["import fcntl", "from resource import getrlimit", "def f():\n    import pwd", "import os\nos.nice(5)",
     "import signal\nx = [signal.SIGHUP]"],
)  # fmt: skip
def test_what_only_unix_has_is_found(code):
    assert list(foreign(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    ["try:\n    import resource\nexcept ImportError:\n    resource = None",
     "import os\nif hasattr(os, 'nice'):\n    os.nice(5)",
     "import sys\nif sys.platform == 'linux':\n    import resource"],
)  # fmt: skip
def test_code_that_has_thought_of_the_other_systems_is_fine(code):
    assert not list(foreign(ast.parse(code)))
