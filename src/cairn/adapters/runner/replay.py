"""Answers that were recorded: for tests, for the demo, and for looking at one again without paying for it."""

import re
from collections.abc import Mapping
from pathlib import Path

from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.errors import EnvironmentProblem

_NAME = re.compile(r'"(?:entry_name|session)": "([^"\\]+)"')


class Replay:
    provider = "replay"
    model = "recorded"

    def __init__(self, answers: Mapping[str, str]) -> None:
        """By the name of the entry, or of the session, that the prompt asks about."""
        self._answers = answers

    def run(self, prompt: str, *, timeout_seconds: float) -> RunnerAnswer:
        # The last one is ours: what stands in the data comes before it.
        names = _NAME.findall(prompt)
        text = self._answers.get(names[-1]) if names else None
        if text is None:
            about = f" about `{names[-1]}`" if names else ""
            raise RunnerFailed(f"There is no recorded answer{about}.", retryable=False)
        return RunnerAnswer(text, self.provider, self.model)


def from_folder(folder: Path) -> Replay:
    """One file an entry or a session: `NAME.txt` or `NAME.json`, with what the model wrote."""
    if not folder.is_dir():
        raise EnvironmentProblem(f"There is no folder {folder} with recorded answers; CAIRN_FRESHNESS_REPLAY names it.")
    files = sorted(file for file in folder.iterdir() if file.suffix in (".txt", ".json") and file.is_file())
    return Replay({file.stem: file.read_text("utf-8", "replace") for file in files})
