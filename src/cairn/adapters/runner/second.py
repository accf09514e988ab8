"""Two readers: the second is asked when the first could not answer, this time."""

from cairn.core.model_budget import RunnerAnswer, RunnerFailed
from cairn.core.ports.reader import Reader, ReaderRequest


class FallbackReader:
    def __init__(self, first: Reader, second: Reader) -> None:
        self._first, self._second = first, second

    @property
    def name(self) -> str:
        return self._first.name

    @property
    def model(self) -> str:
        return self._first.model

    @property
    def parallel(self) -> int:
        return min(self._first.parallel, self._second.parallel)

    @property
    def window(self) -> int | None:
        return min((one for one in (self._first.window, self._second.window) if one is not None), default=None)

    def stop(self) -> None:
        self._first.stop()
        self._second.stop()

    def read(self, request: ReaderRequest) -> RunnerAnswer:
        """The answer names who really gave it."""
        try:
            return self._first.read(request)
        except RunnerFailed as failed:
            if not failed.retryable:
                raise
            return self._other(request, failed)

    def _other(self, request: ReaderRequest, failed: RunnerFailed) -> RunnerAnswer:
        try:
            return self._second.read(request)
        except RunnerFailed as again:
            busy = failed.is_busy and again.is_busy
            raise RunnerFailed(f"Both readers failed. {failed} {again}", retryable=busy, is_busy=busy) from again
