"""Asks a question of a workbench, as the surfaces do."""

from datetime import date

from cairn.core.search_query import Filters, parse_query
from cairn.retrieve.find import SearchAnswer, SearchRequest, find
from workbench import Bench

TODAY = date(2026, 3, 1)


def ask(
    bench: Bench, text: str, *, limit: int = 10, everything: bool = False, **filters: tuple[str, ...]
) -> SearchAnswer:
    request = SearchRequest(limit, TODAY, Filters(**filters), everything, apart=True)
    return find(parse_query(text), request, index=bench.store, files=bench.files)


def paths(answer: SearchAnswer) -> list[str]:
    return [hit.path for hit in answer.hits]
