"""Cairn's own calls of a model are turns too: each is eligible, and has its outcome."""

from typing import TYPE_CHECKING

from cairn.capture.stage import turn_in
from cairn.core.ports.runner import Answer, Runner

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts


class AccountedRunner:
    """A runner whose every call is accounted for. What the model said is kept where it is used, not in a note."""

    def __init__(self, runner: Runner, ports: "CapturePorts", stage: str) -> None:
        self._runner, self._ports, self._stage = runner, ports, stage

    @property
    def provider(self) -> str:
        return self._runner.provider

    @property
    def model(self) -> str:
        return self._runner.model

    def run(self, prompt: str, *, timeout_seconds: float) -> Answer:
        with turn_in(self._ports, stage=self._stage, agent=f"{self.provider}/{self.model}"):
            return self._runner.run(prompt, timeout_seconds=timeout_seconds)
