"""Finds pages about the subject of a text, as search ranks them, for features that compare texts with pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from cairn.core.ports.runtime import utc_day
from cairn.core.search_query import Filters, parse_query
from cairn.errors import UsageError
from cairn.retrieve.find import SearchAnswer, SearchRequest, find
from cairn.retrieve.ports import RetrievePorts
from cairn.retrieve.search import fused

_SIGNS: Final = re.compile(r'["*]|:|(?<!\S)-')
"""What has a meaning in a query and none in a text: quotes, filters such as `path:`, `-words`, and `beginnings*`."""


_LEAST: Final = 0.1
"""Of what a text says, the share that a page about its subject has. Of 46 candidates the right page had 0.12 at least,
but for one; pages that share a word by chance have less."""


def similar_pages(ports: RetrievePorts, wordings: Sequence[str], kinds: Sequence[str], most: int) -> list[str]:
    """Paths, the best first. Of a long text the first two dozen words count that say something. Pages that are not
    served are left out."""
    day, filters = utc_day(ports.clock.now_ms()), Filters(kinds=tuple(kinds))
    request = SearchRequest(most, day, filters, everything=True, apart=True)
    answers = _answers(ports, wordings, request)
    kept = [replace(one, hits=tuple(hit for hit in one.hits if hit.fit >= _LEAST)) for one in answers]
    return [hit.path for hit in fused(kept, most, everything=True).hits] if kept else []


def _answers(ports: RetrievePorts, wordings: Sequence[str], request: SearchRequest) -> Iterator[SearchAnswer]:
    for text in wordings:
        try:
            query = parse_query(_SIGNS.sub(" ", text))
        except UsageError:  # there is no word in it
            continue
        yield find(query, request, index=ports.store, files=ports.files)
