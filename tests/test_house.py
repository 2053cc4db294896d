"""The house is in order: style, types, layers, pinned versions, and documents that tell the truth."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import re
import runpy
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scorekeeper import errors
from scorekeeper.cli import main
from scorekeeper.cli.demonstration import free_port
from scorekeeper.config import Settings

HOUSE = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]


def run(*words: str | Path, cwd: Path = HOUSE) -> str:
    """What a tool of this environment prints; the test fails with what it said."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def text_of(name: str) -> str:
    return (HOUSE / name).read_text("utf-8")


# Style, types, layers


def test_ruff_finds_nothing():
    run(sys.executable, "-m", "ruff", "check", ".")


def test_code_is_formatted():
    run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_every_type_is_right():
    run(sys.executable, "-m", "mypy")


def test_imports_point_down():
    run(Path(sys.executable).with_name("lint-imports"))


def imported_by(source: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("source", sorted((HOUSE / "scorekeeper/rules").glob("**/*.py")), ids=lambda path: path.name)
def test_the_rules_need_only_the_standard_library(source):
    foreign = {
        name
        for name in imported_by(source)
        if name.partition(".")[0] not in sys.stdlib_module_names
        and not name.startswith(("scorekeeper.rules", "scorekeeper.errors"))
    }
    assert not foreign


@pytest.mark.parametrize("folder", ["scorekeeper", "web"])
def test_no_function_is_longer_than_a_screen(folder):
    long = {
        f"{node.name} in {source.name}"
        for source in (HOUSE / folder).glob("**/*.py")
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 50
    }
    assert not long


# Pinned versions


def pinned() -> dict[str, str]:
    lines = (line for line in text_of("constraints.txt").splitlines() if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def needed(requirements: list[str], extras: tuple[str, ...] = ("",)) -> Iterator[str]:
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in extras):
            yield canonicalize_name(requirement.name)


def all_needed() -> set[str]:
    """Every package that an install with all extras brings along, as far as it is installed here."""
    waiting = set(needed(PROJECT["dependencies"]))
    for extra in PROJECT["optional-dependencies"].values():
        waiting |= set(needed(extra))
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        try:
            requires = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        waiting |= set(needed(requires)) - found
    return found


def test_every_dependency_is_pinned():
    assert all_needed() - set(pinned()) == set()


def test_what_is_installed_is_what_is_pinned():
    installed = {name: version for name, version in pinned().items() if is_installed(name)}
    assert {name: importlib.metadata.version(name).partition("+")[0] for name in installed} == installed


def is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def third_party_imports(folder: str) -> set[str]:
    names = {name.partition(".")[0] for source in (HOUSE / folder).glob("**/*.py") for name in imported_by(source)}
    return names - set(sys.stdlib_module_names) - {"scorekeeper", "web", ""}


def declared(*extras: str) -> set[str]:
    """The packages that pyproject.toml itself names."""
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in PROJECT["optional-dependencies"][extra])]
    return set(needed(texts))


@pytest.mark.parametrize(
    ("folder", "extras"),
    [
        pytest.param("scorekeeper", ("train", "postgres"), id="the package, with its optional parts"),
        pytest.param("web", (), id="the pages"),
        pytest.param("models", ("train",), id="models"),
        pytest.param("datasets", ("train",), id="datasets"),
        pytest.param("tests", ("train", "test"), id="the tests"),
    ],
)
def test_what_is_imported_is_declared(folder, extras):
    homes = importlib.metadata.packages_distributions()
    allowed = declared(*extras)
    strangers = {
        name
        for name in third_party_imports(folder)
        if name in homes and not allowed & {canonicalize_name(home) for home in homes[name]}
    }
    assert not strangers


# Commands and documents


def commands(group: click.Group, words: tuple[str, ...] = ("scorekeeper",)) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        yield " ".join((*words, name)), command


COMMANDS = dict(commands(main))


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_have_help(name):
    assert COMMANDS[name].help


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_and_their_options_are_documented(name):
    if isinstance(COMMANDS[name], click.Group):
        return
    section = section_of(text_of("docs/commands.md"), name)
    options = [option for option in COMMANDS[name].params if isinstance(option, click.Option)]
    missing = {long_name(option) for option in options} - set(re.findall(r"--[a-z][a-z-]*", section))
    assert not missing


@pytest.mark.parametrize("name", COMMANDS)
def test_documents_promise_no_option_that_is_not_there(name):
    if isinstance(COMMANDS[name], click.Group):
        return
    promised = set(re.findall(r"(?<![-\w])--[a-z][a-z-]*", section_of(text_of("docs/commands.md"), name)))
    there = {text for param in COMMANDS[name].params for text in (*param.opts, *param.secondary_opts)}
    assert promised - there - {"--help"} == set()


def test_every_setting_is_documented():
    section = section_of(text_of("docs/commands.md"), "Settings", quote="")
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == {field.name for field in fields(Settings)}


def long_name(option: click.Option) -> str:
    return max(option.opts, key=len)


def section_of(document: str, title: str, quote: str = "`") -> str:
    """The part of *document* under the heading that starts with *title*."""
    _, found, rest = document.partition(f"\n## {quote}{title}")
    assert found, f"docs/commands.md has no section for {title!r}"
    return rest.partition("\n## ")[0]


def shell_lines(document: str) -> list[str]:
    blocks = re.findall(r"```(?:sh|bash|console)\n(.*?)```", text_of(document), re.DOTALL)
    return [
        line.partition("#")[0].strip()
        for block in blocks
        for line in block.splitlines()
        if line.partition("#")[0].strip()
    ]


def make_targets() -> set[str]:
    return set(re.findall(r"^([.\w/]+):", text_of("Makefile"), re.MULTILINE))


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", "docs/commands.md", "docs/table-guide.md"])
def test_every_command_of_the_documents_exists(document):
    for line in shell_lines(document):
        program, *words = line.removeprefix(".venv/bin/").split()
        if program == "make":
            assert {word for word in words if "=" not in word} <= make_targets(), line
        elif program == "scorekeeper":
            assert understands(main, words), line


def test_the_gate_runs_the_command_of_the_readme():
    assert "make test" in shell_lines("README.md")
    assert re.search(r"\bmake test$", text_of(".ci/run"), re.MULTILINE)


def understands(command: click.Command, words: list[str]) -> bool:
    """Whether every subcommand and option of a typed line is there."""
    while words and isinstance(command, click.Group):
        if words[0] not in command.commands:
            return False
        command, words = command.commands[words[0]], words[1:]
    known = {text for param in command.params for text in param.opts} | {"--help"}
    return {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize(
    "document", sorted(HOUSE.glob("*.md")) + sorted(HOUSE.glob("docs/**/*.md")), ids=lambda path: path.name
)
def test_every_link_of_the_documents_leads_somewhere(document):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", document.read_text("utf-8"))
    broken = [target for target in targets if "://" not in target and not (document.parent / target).exists()]
    assert not broken


# What is committed, and what is shipped


def committed() -> list[Path]:
    """Every file that git knows or would take."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=HOUSE, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip("not a git checkout")
    return [HOUSE / name for name in done.stdout.split("\0") if name and (HOUSE / name).is_file()]


def test_no_file_is_large():
    assert [path.name for path in committed() if path.stat().st_size > 12_000_000] == []


def test_no_file_names_a_folder_of_somebodys_machine():
    private = re.compile(rb"(?<![\w.])/(?:root|work|home/(?!me/)\w+|Users/\w+)/")
    texts = (path for path in committed() if path.suffix not in {".onnx", ".jpg", ".png", ".woff2", ".npz", ".mjpeg"})
    assert [str(path.relative_to(HOUSE)) for path in texts if private.search(path.read_bytes())] == []


def test_the_licence_is_the_agpl():
    assert text_of("LICENSE").lstrip().startswith("GNU AFFERO GENERAL PUBLIC LICENSE")
    assert PROJECT["license"] == "AGPL-3.0-or-later"


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory) -> Path:
    """What `make wheel` builds."""
    folder = tmp_path_factory.mktemp("wheel")
    command = re.search(r"^wheel:.*\n\t\$\(BIN\)/python (.*) dist$", text_of("Makefile"), re.MULTILINE)
    run(sys.executable, *command[1].split(), folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(wheel_file) -> Path:
    """The installed package, unpacked into an empty folder."""
    zipfile.ZipFile(wheel_file).extractall(wheel_file.parent / "site")
    return wheel_file.parent / "site"


def test_the_wheel_installed_into_an_empty_environment_serves_and_is_well(wheel_file, tmp_path):
    """Its dependencies come from the environment of the tests: nothing is fetched, no file of the checkout is used."""
    assert wheel_file.name in text_of("README.md")
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "new")
    (site,) = (tmp_path / "new").glob("lib/python*/site-packages")
    installer = [sys.executable, "-m", "pip", "--python", tmp_path / "new", "install", "--quiet", "--no-compile"]
    run(*installer, "--no-deps", "--no-index", wheel_file)
    (site / "dependencies.pth").write_text(
        "\n".join(path for path in sys.path if path.endswith("site-packages")), "utf-8"
    )
    command, data = tmp_path / "new/bin/scorekeeper", tmp_path / "games"
    found = json.loads(run(tmp_path / "new/bin/python", "-c", WHERE, cwd=tmp_path))
    assert all(Path(path).is_relative_to(site) for path in found)
    serving = subprocess.Popen(
        [command, "serve", "--host", "127.0.0.1", "--port", str(port := free_port()), "--data", data],
        cwd=tmp_path, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert any("Ctrl-C" in line for line in serving.stdout)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/static/scorekeeper.css", timeout=60) as answer:
            assert answer.status == 200
        looked = subprocess.run(
            [command, "doctor", "--data", data], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert "a server is using it now" in looked.stdout
        assert "49 of 49 cards" in looked.stdout
    finally:
        serving.terminate()
        serving.communicate(timeout=60)


WHERE = "import json, scorekeeper, web; print(json.dumps([scorekeeper.__file__, web.__file__]))"


def test_the_wheel_reads_a_sample_picture(wheel):
    sample = next((wheel / "scorekeeper/_data/datasets/samples").glob("*/lake.jpg"))
    script = "import sys; sys.path.insert(0, sys.argv.pop(1)); from scorekeeper.cli import main; main()"
    run(sys.executable, "-I", "-c", script, wheel, "read", "lake", sample, "--json")


@pytest.mark.parametrize("pattern", ["models/**/*.onnx", "datasets/samples/**/*.*"])
def test_the_wheel_has_every_weight_and_sample(wheel, pattern):
    wanted = {path.relative_to(HOUSE) for path in HOUSE.glob(pattern)}
    assert wanted
    assert [name for name in wanted if not (wheel / "scorekeeper/_data" / name).is_file()] == []


def test_the_wheel_has_every_template_and_static_file(wheel):
    wanted = {
        path.relative_to(HOUSE)
        for kind in ("templates", "static", "translations")
        for path in (HOUSE / "web" / kind).rglob("*")
        if path.is_file()
    }
    shipped = {path.relative_to(wheel) for path in wheel.rglob("*") if path.is_file()}
    assert wanted - shipped == set()


SHOWN = [
    *(HOUSE / "scorekeeper" / name for name in ("scorebook.py", "backup.py", "sidefiles.py")),
    *(
        HOUSE / "scorekeeper" / "store" / name
        for name in ("codec.py", "files.py", "log.py", "moving.py", "transfer.py")
    ),
    *(HOUSE / "web").glob("*.py"),
]
"""Sources whose refusals a page shows; what the others refuse is said in the terminal, before there is a page."""


@pytest.mark.parametrize("source", SHOWN, ids=lambda path: path.name)
def test_every_refusal_that_a_page_shows_can_be_said_in_another_language(source):
    ours = {name for name in vars(errors) if name.endswith("Error")} - {"SettingsError"}
    raised = [node.exc for node in ast.walk(ast.parse(source.read_text("utf-8"))) if isinstance(node, ast.Raise)]
    refusals = [call for call in raised if isinstance(call, ast.Call) and call.args and ast.unparse(call.func) in ours]
    plain = [call for call in refusals if isinstance(call.args[0], ast.Constant | ast.JoinedStr)]
    assert [ast.unparse(call) for call in plain] == []


@pytest.mark.parametrize(
    "script", sorted(HOUSE.glob("tests/**/bench_*.py")) + sorted(HOUSE.glob("tests/**/attack_*.py"))
)
def test_every_script_beside_the_tests_can_be_started(script, monkeypatch):
    monkeypatch.syspath_prepend(str(script.parent))
    runpy.run_path(str(script))
