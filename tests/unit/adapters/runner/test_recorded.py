"""Recordings: kept under the key of a question, given again for it, and never trusted further than a reader."""

import json

import pytest

from cairn.adapters.runner.recorded import RecordingReader, ReplayReader
from cairn.adapters.runner.second import FallbackReader
from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.core.ports.reader import ReaderRequest

KEY = "core-colours-1-0123456789abcdef"


class Reader:
    name, model, parallel, window = "one", "m-1", 2, 1000

    def __init__(self, *says):
        self.says, self.stopped = list(says), False

    def read(self, request):
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return RunnerAnswer(said, self.name, self.model, 5, 2)

    def stop(self):
        self.stopped = True


def request(key=KEY):
    return ReaderRequest("Why?", {}, 10, key)


def test_an_answer_is_kept_and_given_again(tmp_path):
    folder = tmp_path / "answers"
    RecordingReader(Reader("Because \ud83d."), folder).read(request())
    assert [file.name for file in folder.iterdir()] == [f"{KEY}.json"]
    replay = ReplayReader(folder)
    assert replay.read(request()) == RunnerAnswer("Because ?.", "replay", "m-1", 5, 2)
    assert replay.read(request(f"{KEY}-again")).text == "Because ?."
    with pytest.raises(RunnerFailed, match=r"no recorded answer other\.json"):
        replay.read(request("other"))


def test_a_second_attempt_may_have_its_own(tmp_path):
    (tmp_path / f"{KEY}.txt").write_text("first")
    (tmp_path / f"{KEY}-again.txt").write_text("second")
    replay = ReplayReader(tmp_path)
    assert [replay.read(request(key)).text for key in (KEY, f"{KEY}-again")] == ["first", "second"]


def test_a_key_names_no_path(tmp_path):
    RecordingReader(Reader("x"), tmp_path / "in").read(request("../../out"))
    assert list((tmp_path / "in").iterdir()) == [] and not (tmp_path / "out.json").exists()
    with pytest.raises(RunnerFailed):
        ReplayReader(tmp_path).read(request("../" + tmp_path.name + "/x"))


def test_a_recording_answers_only_its_own_question_version_and_material(tmp_path):
    RecordingReader(Reader("Because."), tmp_path).read(request())
    for other in (
        "core-colours-2-0123456789abcdef",
        "core-colours-1-fedcba9876543210",
        "core-shapes-1-0123456789abcdef",
    ):
        with pytest.raises(RunnerFailed, match="no recorded answer"):
            ReplayReader(tmp_path).read(request(other))
        (tmp_path / f"{other}.json").write_bytes((tmp_path / f"{KEY}.json").read_bytes())
        with pytest.raises(RunnerFailed, match=f"is the recorded answer {KEY}, to another question"):
            ReplayReader(tmp_path).read(request(other))


def test_hostile_recordings_are_failures(tmp_path):
    replay = ReplayReader(tmp_path)
    for text in ("", "[]", "{", json.dumps({"text": 1})):
        (tmp_path / f"{KEY}.json").write_text(text)
        with pytest.raises(RunnerFailed, match="can't be read"):
            replay.read(request())
    (tmp_path / f"{KEY}.json").unlink()
    with (tmp_path / f"{KEY}.txt").open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(RunnerFailed, match="more than 8 MiB"):
        replay.read(request())


def test_the_second_reader_answers_when_the_first_cannot_this_time():
    busy = RunnerFailed("Busy.", retryable=True, is_busy=True)
    other = Reader("From the other.", busy)
    other.name = "two"
    both = FallbackReader(Reader(busy, busy, RunnerFailed("No.", retryable=False)), other)
    assert (both.name, both.parallel, both.window) == ("one", 2, 1000)
    assert both.read(request()).provider == "two"
    with pytest.raises(RunnerFailed, match=r"Both readers failed\. Busy\. Busy\.") as caught:
        both.read(request())
    assert caught.value.is_busy
    with pytest.raises(RunnerFailed, match=r"^No\.$"):
        both.read(request())
    both.stop()
    assert other.stopped
