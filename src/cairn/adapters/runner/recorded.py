"""Answers in a folder: recorded from a reader, and given again for the same questions without paying for them.

A file is named by its question, its version and the hash of its material: `core-learned-1-3f8a….json`. A file that ends
in `.txt` is an answer as it stands, written by hand.
"""

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.core.ports.reader import Reader, ReaderRequest
from cairn.errors import EnvironmentProblem

REPLAY_VARIABLE: Final = "CAIRN_JUDGE_REPLAY"
_KEY: Final = re.compile(r"[\w.@-]{1,200}")
_MOST_BYTES: Final = 8 * 1024 * 1024


class RecordingReader:
    """Another reader, whose answers are kept."""

    def __init__(self, reader: Reader, folder: Path) -> None:
        self._reader, self._folder = reader, folder
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def name(self) -> str:
        return self._reader.name

    @property
    def model(self) -> str:
        return self._reader.model

    @property
    def parallel(self) -> int:
        return self._reader.parallel

    @property
    def window(self) -> int | None:
        return self._reader.window

    def stop(self) -> None:
        self._reader.stop()

    def read(self, request: ReaderRequest) -> RunnerAnswer:
        said = self._reader.read(request)
        if _KEY.fullmatch(request.key):
            kept = {"key": request.key, **said._asdict()}
            text = json.dumps(kept, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode()
            _write(self._folder / f"{request.key}.json", f"{text}\n")
        return said


def _write(file: Path, text: str) -> None:
    """Whole or not at all."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".new")
    with open(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    os.replace(name, file)


class ReplayReader:
    name, model, parallel, window = "replay", "recorded", 1, None

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise EnvironmentProblem(
                f"There is no folder {folder} with recorded answers; give `replay:FOLDER`, or set {REPLAY_VARIABLE}."
            )
        self._folder = folder

    def stop(self) -> None:
        """Nothing runs."""

    def read(self, request: ReaderRequest) -> RunnerAnswer:
        """A second attempt for which nothing was recorded is answered like the first."""
        for key in (request.key, request.key.removesuffix("-again")):
            for suffix in (".json", ".txt"):
                file = self._folder / f"{key}{suffix}"
                if _KEY.fullmatch(key) and file.is_file():
                    return _answer(file)
        raise RunnerFailed(f"There is no recorded answer {request.key}.json in {self._folder}.", retryable=False)


def _answer(file: Path) -> RunnerAnswer:
    with file.open("rb") as stream:
        data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise RunnerFailed(f"The recorded answer {file.name} has more than 8 MiB.", retryable=False)
    text = data.decode("utf-8", "replace")
    if file.suffix == ".txt":
        return RunnerAnswer(text, "replay", "recorded")
    try:
        kept = json.loads(text)
        if kept.get("key", file.stem) != file.stem:
            raise RunnerFailed(
                f"{file.name} is the recorded answer {kept['key']}, to another question.", retryable=False
            )
        return RunnerAnswer(kept["text"], "replay", kept["model"], kept["tokens_in"], kept["tokens_out"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunnerFailed(f"The recorded answer {file.name} can't be read: {error}.", retryable=False) from None
