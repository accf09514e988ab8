"""The suite runs anywhere: on a machine that does other things meanwhile, and as a background job."""

import signal

from hypothesis import settings


def test_no_property_has_a_deadline() -> None:
    assert settings.default is not None and settings.default.deadline is None


def test_programs_under_test_hear_an_interrupt() -> None:
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
