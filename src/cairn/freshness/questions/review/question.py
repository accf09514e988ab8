"""Asks for a second opinion about a change request, and checks that objections quote the page and the source."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cairn.freshness.questions.checked_words import cut
from cairn.jobs.question import CheckedAnswer, Input, Question, items_of
from cairn.lib.text.quotes import is_quoted


def material(input: Input) -> str:
    return "\n".join((*_request(input), *_sources(input["sources"])))


def _request(input: Input) -> Iterator[str]:
    yield f"REQUEST {input['title']}\n"
    for page in input["pages"]:
        yield f"PAGE {page['path']}"
        if page["edition"] or page["edition_before"]:
            before = f", before: {page['edition_before']}" if page["edition_before"] != page["edition"] else ""
            yield f"edition: {page['edition']}{before}"
        yield from (f"+ {statement}" for statement in page["new"])
        yield from (f"- {statement}" for statement in page["gone"])
        yield f"\nThe page as it would be:\n{page['text'].strip()}\nEND OF PAGE\n"
    if input["evidence"]:
        yield from ("EVIDENCE", *(f"- {one}" for one in input["evidence"]), "")


def _sources(sources: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, source in enumerate(sources, 1):
        yield f"SOURCE {number} {source['reference']}{' (in part)' if source['cut'] else ''}"
        yield f"{source['text'].strip()}\nEND OF SOURCE {number}\n"


# --- the answer -------------------------------------------------------------------------------------------------------


def check(input: Input, report: Mapping[str, Any]) -> CheckedAnswer:
    kept, problems, repairs = [], list[str](), list[str]()
    for number, item in items_of(report, "objections"):
        found = _objection(input, item, f"objection {number}")
        if isinstance(found, str):
            problems.append(found)
        else:
            kept.append(found)
    if not report["holds"] and not report["objections"]:
        problems.append("`holds` is false, and there is no objection; make the objection, or answer true")
    if report["holds"] and kept:
        repairs.append("`holds` is false, since there is an objection")
    value = {"holds": report["holds"] and not kept, "reason": report["reason"], "objections": kept}
    return CheckedAnswer(value if kept or not problems else {}, tuple(problems), tuple(repairs))


def _objection(input: Input, item: Mapping[str, Any], where: str) -> dict[str, Any] | str:
    pages = [page for page in input["pages"] if page["path"] == item["page"]] or input["pages"]
    page = next((page for page in pages if _stated(item["claim"], page)), None)
    if page is None:
        return f"`claim` of {where}: “{cut(item['claim'])}” is not on the page; copy the statement exactly"
    source = _source_of(input["sources"], item)
    if source is None:
        return f"`quote` of {where}: “{cut(item['quote'])}” is in no source; copy the words exactly"
    return {**item, "page": page["path"], "source": source}


def _stated(claim: str, page: Mapping[str, Any]) -> bool:
    texts = (page["text"], "\n".join(page["new"]), "\n".join(page["gone"]), f"edition: {page['edition']}")
    return any(claim in text or is_quoted(claim, text) for text in texts)


def _source_of(sources: Sequence[Mapping[str, Any]], item: Mapping[str, Any]) -> int | None:
    having = [number for number, source in enumerate(sources, 1) if is_quoted(item["quote"], source["text"])]
    return item["source"] if item["source"] in having else next(iter(having), None)


QUESTION: Final = Question(__file__, material=material, check=check)
