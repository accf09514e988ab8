"""When two texts of a source have too little in common to be compared."""

from cairn.freshness.extractive.audit import why_not

PAGE = (
    "The server keeps a session for an hour and then it is closed. When a client is not known to the server, the "
    "request is refused with a status that says why. This can be changed in the settings of the project."
)


def test_a_source_without_text_is_not_compared() -> None:
    assert why_not(PAGE, "  \n", share_kept=0.0) == "the source has no text now"


def test_a_source_that_shares_nothing_is_not_compared_and_the_reason_is_a_measurement() -> None:
    reason = why_not(PAGE, "Roses want sun, and water in summer. " * 9, share_kept=0.0)
    assert reason == "the source shares 0% of its passages and 0% of its words with its earlier text"


def test_a_source_that_lost_nearly_all_of_its_text_is_not_compared() -> None:
    reason = why_not(PAGE * 9, PAGE[:61], share_kept=0.1)
    assert reason == f"the source has 61 characters now and had {len(PAGE) * 9:,}"


def test_the_words_of_a_page_do_not_decide() -> None:
    page = PAGE + " Page not found. Please sign in to continue."
    assert why_not(PAGE, page, share_kept=0.9) is None
