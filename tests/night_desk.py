"""A corpus of four entries whose sources are pages of a site on loopback, and the program that looks at them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from program import Ran, cairn, fits_schema
from repository import make
from website import Website, serving

PAGE = """---
name: {name}
description: What {name} says.
topics: [http]
volatility: fast-moving
sources:
{sources}---
# {name}

## Summary

{claim}

## Deep Guidance

Read it again.
"""
SITE = """<html><head><title>Guide</title></head><body><main><h1>Guide</h1>
<p>{}</p><p>The rest of this guide tells who answers when something goes wrong, and where.</p></main></body></html>"""
LIMITS = "Clients may call {} times a minute."
RETRIES = "Wait {} seconds between two retries."
COLOURS = "The button that stops everything is {}."
SETTINGS = '{"corpora": {"k": {"root": "knowledge", "layout": "entries"}}}'


def page(name: str, claim: str, *urls: str) -> str:
    return PAGE.format(name=name, claim=claim, sources="".join(f"  - url: {url}\n" for url in urls))


@contextmanager
def guide() -> Iterator[Website]:
    with serving() as running:
        running["/limits"] = SITE.format(LIMITS.format(100))
        running["/retries"] = SITE.format(RETRIES.format(30))
        running["/colours"] = SITE.format(COLOURS.format("red"))
        yield running


class Desk:
    def __init__(self, root: Path, site: Website) -> None:
        self.root = root
        self.site = site
        self.env = {"CAIRN_FETCH_ALLOW": f"127.0.0.1:{site.port}", "DEEPSEEK_API_KEY": "", "ZAI_API_KEY": ""}

    def night(self, *options: str, code: int = 0, **env: str) -> Any:
        ran = self.run("run", "--json", *options, **env)
        assert ran.code == code, (ran.out, ran.err)
        fits_schema(ran.json(), "freshness-run")
        return ran.json()

    def run(self, *args: str, **env: str) -> Ran:
        return cairn("freshness", *args, cwd=self.root, **{**self.env, **env})

    def requests(self) -> list[Any]:
        found: list[Any] = cairn("change", "list", "--json", cwd=self.root).json()["requests"]
        return found

    def merge_all(self) -> None:
        for request in self.requests():
            ran = cairn("change", "merge", request["id"], cwd=self.root, **self.env)
            assert ran.code == 0, ran.err

    def settled(self) -> None:
        """Two nights: the first keeps what the sources say, the second confirms; somebody merges."""
        assert len(self.night()["baseline"]) == 4
        assert len(self.night()["confirmed"]) == 4
        self.merge_all()


def desk_at(root: Path, site: Website) -> Desk:
    files = {
        "knowledge/http/limits.md": page("limits", LIMITS.format(100), f"{site.url}/limits"),
        "knowledge/http/quotas.md": page("quotas", LIMITS.format(100), f"{site.url}/limits"),
        "knowledge/http/retries.md": page("retries", RETRIES.format(30), f"{site.url}/retries"),
        "knowledge/http/colours.md": page("colours", COLOURS.format("red"), f"{site.url}/colours"),
        ".cairn/settings.json": SETTINGS,
        ".gitignore": ".cairn/*\n!.cairn/settings.json\n",
    }
    return Desk(make(root, files), site)
