"""Which pages a candidate is compared with."""

from cairn.curate.shortlist import FREQUENT, TERMS, TOP, PlannedPages, best, telling, words_of
from curation import candidate, page

PAGES = [
    page("Rotate keys every ninety days.", id="keys"),
    page("Bake bread on Friday.", id="bread"),
    page("The key rotation job lives in `src/rotate.py`.", id="rotation", kind="map"),
]


def test_the_best_come_first_and_strangers_are_left_out() -> None:
    found = best(candidate("Rotate the keys every thirty days."), PAGES)
    assert found[0].id == "keys" and "bread" not in [one.id for one in found]


def test_no_more_than_a_few() -> None:
    many = [page(f"Rotate keys of service {number}.", id=f"keys-{number}") for number in range(40)]
    assert len(best(candidate("Rotate keys."), many)) == TOP


def test_a_page_that_is_hinted_at_comes_first() -> None:
    found = best(candidate("Rotate the keys every thirty days.", contradicts="rotation"), PAGES)
    assert found[0].id == "rotation"


def test_pages_of_the_search_and_pages_with_its_words_take_turns() -> None:
    own = [page(f"Rotate keys of service {number}.", id=f"own-{number}") for number in range(3)]
    found = [page("Bake bread on Friday.", id=f"found-{rank}", search_rank=rank) for rank in (3, 1, 2)]
    shown = [one.id for one in best(candidate("Rotate keys of a service."), [*own, *found])]
    assert shown == ["found-1", "own-0", "found-2", "found-3", "own-1", "own-2"]


def test_a_page_that_both_find_takes_no_place_of_another() -> None:
    both = page("Rotate keys of the mailer.", id="both", search_rank=1)
    other = page("Rotate keys of service 1.", id="own")
    found = page("Bake bread on Friday.", id="found", search_rank=2)
    assert [one.id for one in best(candidate("Rotate keys."), [other, found, both])] == ["both", "own", "found"]


def test_a_planned_page_keeps_its_place_in_the_search() -> None:
    here = page("Bake bread on Friday.", id="bread", search_rank=1)
    planned = PlannedPages()
    planned.put(page("Bake bread on Monday.", id="bread"))
    [shown] = best(candidate("Keep what rises."), [*planned.over([here]), planned.pages[here.path]])
    assert "Monday" in shown.body and shown.search_rank == 1


def test_a_title_counts_more_than_a_text() -> None:
    titled = page("Something.", id="a", title="Retries of the mailer")
    told = page("It is about retries, the mailer, and other things.", id="b", title="Other")
    assert [one.id for one in best(candidate("Retries of the mailer."), [told, titled])] == ["a", "b"]


def test_words_that_say_nothing_are_not_looked_up() -> None:
    assert words_of(candidate("Never use the `src/mail.py` for it")) == ["use", "src/mail.py", "tools"]


def test_rare_words_are_asked_for_and_common_ones_only_as_far_as_is_cheap() -> None:
    pages = {"zebra": 1, "common": FREQUENT, "other": 3, "nobody": 0}
    assert telling(list(pages), pages.__getitem__) == ["zebra", "other"]
    assert telling(["common"], pages.__getitem__) == ["common"], "one word is always affordable"
    assert len(telling([f"w{n}" for n in range(40)], lambda _: 1)) == TERMS


def test_what_is_planned_is_found_by_its_head_and_stands_for_the_old() -> None:
    planned = PlannedPages()
    planned.put(page("Rotate keys monthly.", id="keys", planned=True))
    assert [one.id for one in planned.near(candidate("Rotate keys."))] == ["keys"]
    assert planned.near(candidate("Bake bread.")) == []
    assert [one.planned for one in planned.over(PAGES)] == [True, False, False]
