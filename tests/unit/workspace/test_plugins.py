"""Why a check matters, in the words of its own documentation."""

from cairn.workspace.plugins import why_it_matters


class Told:
    """A check.

    What it finds
        Things, e.g. this one.

    Why it matters
        Who follows `a.md` arrives nowhere,
        and goes on. More of that.

    Fix
        Mend it.
    """


class Untold:
    """A check."""


def test_the_first_sentence_of_the_section() -> None:
    assert why_it_matters(Told()) == "Who follows `a.md` arrives nowhere, and goes on"
    assert why_it_matters(Untold()) == ""
