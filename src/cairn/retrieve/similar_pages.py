"""Finds pages about the subject of a text, as search ranks them, for features that compare texts with pages."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from cairn.core.ports.runtime import utc_day
from cairn.core.search_query import Filters, parse_query
from cairn.errors import UsageError
from cairn.retrieve.find import SearchAnswer, SearchRequest, find
from cairn.retrieve.ports import RetrievePorts
from cairn.retrieve.search import fused

_SIGNS: Final = re.compile(r'["*]|:|(?<!\S)-')
"""What has a meaning in a query and none in a text: quotes, filters such as `path:`, `-words`, and `beginnings*`."""


def similar_pages(ports: RetrievePorts, wordings: Sequence[str], kinds: Sequence[str], most: int) -> list[str]:
    """Paths, the best first. Of a long text the first two dozen words count that say something. Pages that are not
    served are left out."""
    answers = list(
        _answers(
            ports,
            wordings,
            SearchRequest(
                most, utc_day(ports.clock.now_ms()), Filters(kinds=tuple(kinds)), everything=True, apart=True
            ),
        )
    )
    return [hit.path for hit in fused(answers, most, everything=True).hits] if answers else []


def _answers(ports: RetrievePorts, wordings: Sequence[str], request: SearchRequest) -> Iterator[SearchAnswer]:
    for text in wordings:
        try:
            query = parse_query(_SIGNS.sub(" ", text))
        except UsageError:  # there is no word in it
            continue
        yield find(query, request, index=ports.store, files=ports.files)
