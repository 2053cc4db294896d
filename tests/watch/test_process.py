"""Whatever a picture does to the eye, whoever asked gets an answer and the next question is answered, too."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from scorekeeper.errors import CameraError, PictureError, VisionError
from scorekeeper.vision.camera.sources import decode_picture, encode_jpeg
from scorekeeper.watch.process import EyeProcess, Limits, Worker

ODD_EYE = """
    import os, sys, time
    from scorekeeper.errors import EnrolmentError, PictureError
    from scorekeeper.vision import progress
    from scorekeeper.watch.worker import _private_stdout, serve

    def refuse(text): raise PictureError(text)
    def enrol(): raise EnrolmentError("this is a face")
    def stumble(): return [][3]
    def starve(): raise MemoryError
    def chatter(): print("noise on standard output"); sys.stdout.flush(); return "clean"
    def echo(value): return value
    def look():
        for stage in ("finding", "finding", "reading"): progress.at(progress.Stage(stage))
        time.sleep(1)
        return "seen"
    def size(data): return len(data)
    answers = dict(look=look, refuse=refuse, enrol=enrol, stumble=stumble, starve=starve, chatter=chatter, echo=echo,
                   size=size, die=lambda: os.kill(os.getpid(), 9), hang=lambda: time.sleep(3600), pid=os.getpid)
    serve(sys.stdin.buffer, _private_stdout(), lambda: answers)
"""
"""A process that answers, refuses, dies or hangs as it is told."""

ODD = [sys.executable, "-c", textwrap.dedent(ODD_EYE)]


@pytest.fixture
def odd() -> Iterator[Worker]:
    worker = Worker(ODD, Limits(answer_s=20), "the eye")
    yield worker
    worker.stop()


def test_an_answer_comes_back(odd: Worker) -> None:
    assert odd.ask("echo", {"red": ("a", 1.5)}) == {"red": ("a", 1.5)}


def test_a_process_says_how_far_its_answer_is(odd: Worker) -> None:
    odd.ask("echo", 1)
    asking = threading.Thread(target=odd.ask, args=("look",))
    asking.start()
    while odd.condition.stage != "reading":
        assert asking.is_alive()
    asking.join()
    assert odd.condition.stage == ""
    assert odd.ask("look") == "seen"


def test_a_large_picture_goes_over(odd: Worker) -> None:
    assert odd.ask("size", bytes(30_000_000)) == 30_000_000


def test_a_library_that_prints_does_no_harm(odd: Worker) -> None:
    assert odd.ask("chatter") == "clean"


def test_a_refusal_keeps_its_class_and_its_words(odd: Worker) -> None:
    with pytest.raises(PictureError, match=r"^picture 2 is empty$"):
        odd.ask("refuse", "picture 2 is empty")
    with pytest.raises(VisionError, match="this is a face") as caught:
        odd.ask("enrol")
    assert type(caught.value).__name__ == "EnrolmentError"


@pytest.mark.parametrize(("question", "says"), [("stumble", "could not be read"), ("starve", "too little memory")])
def test_a_stumbling_eye_says_so_and_stays(odd: Worker, question: str, says: str) -> None:
    process = odd.ask("pid")
    with pytest.raises(VisionError, match=says):
        odd.ask(question)
    assert odd.ask("pid") == process


def test_an_eye_that_dies_is_started_again(odd: Worker) -> None:
    process = odd.ask("pid")
    with pytest.raises(VisionError, match="broke down over this and was started again"):
        odd.ask("die")
    assert odd.ask("pid") != process


def test_an_eye_that_died_unasked_is_not_noticed(odd: Worker) -> None:
    process = odd.ask("pid")
    subprocess.run(["kill", "-9", str(process)], check=True)
    while odd._process is not None and odd._process.poll() is None:
        pass
    assert odd.ask("echo", 7) == 7


def test_an_eye_that_hangs_is_given_up() -> None:
    worker = Worker(ODD, Limits(answer_s=0.5), "the eye")
    with pytest.raises(VisionError, match="has not answered"):
        worker.ask("hang")
    assert worker.ask("echo", 7) == 7
    worker.stop()


def test_an_eye_that_cannot_start_says_why() -> None:
    worker = Worker([sys.executable, "-c", "raise SystemExit(3)"], Limits(), "the eye")
    with pytest.raises(VisionError, match="broke down"):
        worker.ask("echo", 7)


def test_many_threads_get_their_own_answers(odd: Worker) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: odd.ask("echo", n), range(60))) == list(range(60))


def test_greenlets_of_a_patched_server_get_their_own_answers_and_do_not_block_it() -> None:
    program = f"""
        from gevent import monkey
        monkey.patch_all()
        import gevent, json, sys, time
        from scorekeeper.errors import ScorekeeperError
        from scorekeeper.watch.process import Limits, Worker

        def attempt(*question):
            try:
                return odd.ask(*question)
            except ScorekeeperError as error:
                return f"{{type(error).__name__}}: {{error}}"

        odd = Worker({ODD!r}, Limits(answer_s=2), "the eye")
        ticks = 0
        def tick():
            global ticks
            while True:
                ticks += 1
                gevent.sleep(0.01)
        clock = gevent.spawn(tick)
        jobs = [gevent.spawn(attempt, "echo", n) for n in range(20)]
        jobs += [gevent.spawn(attempt, "size", bytes(9_000_000)), gevent.spawn(attempt, "refuse", "dark")]
        gevent.joinall(jobs)
        answers = [job.value for job in jobs]
        before = ticks
        hung, died = attempt("hang"), attempt("die")
        print(json.dumps(dict(answers=answers, ticks=ticks - before, hung=hung, died=died, after=attempt("echo", 7))))
        odd.stop()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["answers"] == [*range(20), 9_000_000, "PictureError: dark"]
    assert told["ticks"] > 10, "the server stood still while it waited for the eye"
    assert "has not answered" in told["hung"]
    assert "broke down" in told["died"]
    assert told["after"] == 7


def test_without_a_camera_a_snapshot_is_refused() -> None:
    watch = EyeProcess()
    assert watch.camera is None
    with pytest.raises(CameraError, match="start it with --camera"):
        watch.snapshot()


def test_a_snapshot_comes_from_the_camera(tmp_path: Path) -> None:
    (tmp_path / "table.jpg").write_bytes(encode_jpeg(np.full((48, 64, 3), 120, np.uint8)))
    watch = EyeProcess(tmp_path.as_posix())
    try:
        assert decode_picture(watch.snapshot()).shape == (48, 64, 3)
        assert decode_picture(watch.snapshot()).shape == (48, 64, 3)
    finally:
        watch.close()


def test_a_camera_that_comes_back_is_used_again(tmp_path: Path) -> None:
    watch = EyeProcess(str(tmp_path / "clip.avi"))
    try:
        with pytest.raises(CameraError, match="there is no camera"):
            watch.snapshot()
        writer = cv2.VideoWriter(str(tmp_path / "clip.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
        writer.write(np.full((48, 64, 3), 120, np.uint8))
        writer.release()
        assert decode_picture(watch.snapshot()).shape == (48, 64, 3)
    finally:
        watch.close()


def test_a_camera_that_is_plugged_in_again_is_well_without_being_asked(camera) -> None:
    camera.show([np.full((48, 64, 3), 120, np.uint8)])
    with EyeProcess(camera.address) as watch:
        watch.snapshot()
        camera.unplug()
        with suppress(CameraError):
            while True:
                watch.snapshot()
        watch.look_again()
        assert watch.condition()["camera"].trouble
        camera.plug_in()
        for _ in range(20):
            watch.look_again()
        assert not watch.condition()["camera"].trouble


def test_an_eye_that_broke_down_once_is_well_and_one_that_goes_on_breaking_down_is_not(odd: Worker) -> None:
    troubles = []
    for question in ("die", "die", "echo"):
        with suppress(VisionError):
            odd.ask(question, *(["x"] if question == "echo" else []))
        troubles.append(bool(odd.condition.trouble))
    assert troubles == [False, True, False]
    assert odd.condition.running
    assert odd.condition.waiting == 0
