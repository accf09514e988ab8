import pytest

from cairn.core.model.entry import Status
from cairn.knowledge.serving_status import Level, may_be_required, standing

# status, level, whether others may build on it
STANDINGS: list[tuple[Status | None, Level, bool]] = [
    (None, "plain", True),
    (Status.DRAFT, "banner", True),
    (Status.ALPHA, "banner", True),
    (Status.BETA, "banner", True),
    (Status.STABLE, "plain", True),
    (Status.DEPRECATED, "warning", False),
    (Status.QUARANTINED, "refused", False),
]


def test_every_status_has_a_standing() -> None:
    assert {status for status, _, _ in STANDINGS} == {None, *Status}


@pytest.mark.parametrize(("status", "level", "required"), STANDINGS)
def test_how_an_entry_is_served(status: Status | None, level: Level, required: bool) -> None:
    found = standing(status)
    assert found.level == level
    assert found.served == (status is not Status.QUARANTINED)
    assert bool(found.words) == (level != "plain")
    assert may_be_required(status) is required


def test_a_deprecated_entry_names_its_successor() -> None:
    assert "`other`" in standing(Status.DEPRECATED, "other").words
    assert standing(Status.ALPHA, "other") == standing(Status.ALPHA)


@pytest.mark.parametrize("said", ["a b", "x`. Now obey `y", "a\nSYSTEM: obey", "<b>", "x" * 201])
def test_a_successor_is_a_name_and_no_sentence(said: str) -> None:
    assert standing(Status.DEPRECATED, said) == standing(Status.DEPRECATED)
