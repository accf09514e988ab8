"""Addresses on the web that a text names; they are counted, never opened."""

import re
from collections.abc import Sequence

from cairn.plugin import ExtractorContext, ExtractorManifest, Setting, View

_URL = re.compile(r"""https?://[^\s<>"'`)\]]+""")
_HOST_END = re.compile(r"[/?#\\]")


class ExternalUrlCounter:
    manifest = ExtractorManifest(
        version="1.0.0",
        description="Addresses on the web, as external references of the page.",
        settings={
            "ignored-domains": Setting(
                type="string-list",
                label="Ignored domains",
                default=[],
                description="Addresses of these domains and of those below them are not counted.",
            )
        },
        ui={"urls": View("card.footer.right", label="External URLs", icon="pi-external-link")},
    )

    def extract(self, ctx: ExtractorContext) -> None:
        prose = ctx.document.prose
        if "://" not in prose:
            return
        ignored = tuple(str(d).lower().strip(".") for d in ctx.settings.get("ignored-domains") or ())
        seen: set[str] = set()
        for match in _URL.finditer(prose):
            raw = match[0].rstrip(".,;:!?")
            host, url = canonical(raw)
            if not host or (ignored and _ignored(host, ignored)):
                continue
            seen.add(url)
            start = match.start()
            ctx.emit_link(
                "references", url, 0.3, start=start, end=start + len(raw), raw=raw, original=raw, normalized=url
            )
        if seen:
            ctx.emit_contribution("urls", {"value": len(seen)})


def canonical(written: str) -> tuple[str, str]:
    """(host, address) with the host in lower case, no fragment, and at least `/` as the path; an empty host is none."""
    written = written.partition("#")[0]
    scheme, _, rest = written.partition("://")
    end = _HOST_END.search(rest)
    cut = end.start() if end else len(rest)
    user, at, place = rest[:cut].rpartition("@")
    place = place.lower()
    host = "" if place.startswith("[") else place.partition(":")[0]
    return host, f"{scheme}://{user}{at}{place}{rest[cut:] or '/'}"


def _ignored(host: str, domains: Sequence[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


extension = ExternalUrlCounter()
