"""The allowlist: hosts and repositories whose pages count as authoritative. What is elsewhere is warned about."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cairn.core.model.issue import Issue
from cairn.core.ports.store import Store
from cairn.errors import ConfigError
from cairn.graph.subgraph import find_node

NAME = "authoritative-sources.yaml"
OTHER = "other"
"""Category of a host that says none."""

_REPOSITORY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?/[A-Za-z0-9._-]+", re.ASCII)
_NOT_A_PLACE = re.compile(r"[\\?#\s]")


class AllowedPlace(NamedTuple):
    """A place that sources may come from."""

    host: str
    """Lower case, without `www.`; its subdomains count too."""
    path: str = ""
    """Empty, or what the path has to start with, as `/rfc`; whole segments only."""
    category: str = OTHER

    def covers(self, path: str) -> bool:
        return not self.path or path == self.path or path.startswith(f"{self.path}/")


class AllowedRepository(NamedTuple):
    """One at GitHub."""

    name: str
    """`owner/name`."""
    category: str = OTHER


class Allowlist:
    """Empty it allows nothing, and is false: without a list nobody is warned."""

    __slots__ = ("_by_host", "repositories", "repository_rules", "rules")

    def __init__(
        self, rules: Iterable[AllowedPlace] = (), repositories: "Iterable[str | AllowedRepository]" = ()
    ) -> None:
        self.rules = tuple(rules)
        self.repository_rules = tuple(AllowedRepository(one) if isinstance(one, str) else one for one in repositories)
        self.repositories = tuple(one.name for one in self.repository_rules)
        self._by_host: dict[str, list[AllowedPlace]] = {}
        for rule in self.rules:
            self._by_host.setdefault(rule.host, []).append(rule)

    @property
    def places(self) -> "list[AllowedPlace | AllowedRepository]":
        return [*self.rules, *self.repository_rules]

    def __bool__(self) -> bool:
        return bool(self.rules or self.repositories)

    def allows(self, url: str) -> bool:
        return self.category(url) is not None

    def category(self, url: str) -> str | None:
        """Of the closest rule that covers a URL, None when there is none."""
        from cairn.lib.urls.url import UrlProblem, split_url

        try:
            parts = split_url(url)
        except UrlProblem:
            return None
        host = parts.host.text.removeprefix("www.")
        for domain in _upwards(host):
            fitting = [rule for rule in self._by_host.get(domain, ()) if rule.covers(parts.path)]
            if fitting:
                return max(fitting, key=lambda rule: len(rule.path)).category
        return self._of_repository(host, parts.path)

    def _of_repository(self, host: str, path: str) -> str | None:
        if host != "github.com" and not host.endswith(".github.com"):
            return None
        owner, _, rest = path.removeprefix("/").partition("/")
        asked = f"{owner}/{rest.partition('/')[0].removesuffix('.git')}".lower()
        return next((one.category for one in self.repository_rules if asked == one.name.lower()), None)


def _upwards(host: str) -> Iterator[str]:
    """`a.b.c`, `b.c`, `c`."""
    yield host
    while "." in host:
        host = host.partition(".")[2]
        yield host


# --- reading --------------------------------------------------------------------------------------------------------


def parse_allowlist(text: str, *, name: str = NAME) -> Allowlist:
    """What a file says; `name` is how the file is called in the sentence that says what is wrong with it."""
    from cairn.lib.yaml.parse import YamlProblem, load_yaml

    try:
        value = load_yaml(text)
    except YamlProblem as problem:
        where = f" line {problem.line}" if problem.line else ""
        raise ConfigError(f"`{name}`{where} cannot be read: {problem.message}") from None
    if not isinstance(value, dict) or not value:
        raise ConfigError(f"`{name}` has to be a map with the keys `hosts` and `github_repos`; write at least one.")
    if unknown := sorted(set(value) - {"hosts", "github_repos"}):
        raise ConfigError(f"`{name}` has the key `{unknown[0]}`, but knows `hosts` and `github_repos` only.")
    hosts = [_rule(item, at, name) for at, item in enumerate(_items(value, "hosts", name))]
    return Allowlist(
        hosts, [_repository(item, at, name) for at, item in enumerate(_items(value, "github_repos", name))]
    )


def _items(value: Mapping[str, Any], key: str, name: str) -> list[Any]:
    items = value.get(key)
    if items is not None and not isinstance(items, list):
        raise ConfigError(f"`{key}` in `{name}` is not a list; write each value on a line of its own, after a dash.")
    return items or []


def _rule(item: Any, at: int, name: str) -> AllowedPlace:
    place, category = item, OTHER
    if isinstance(item, dict) and set(item) <= {"host", "category"}:
        place, category = item.get("host"), item.get("category", OTHER)
    rule = _host_rule(place) if isinstance(place, str) else None
    if rule is None or not _is_category(category):
        raise ConfigError(
            f"`hosts[{at}]` in `{name}` is no host; write `example.org`, `example.org/path`, "
            "or {host: example.org, category: security}."
        )
    return rule._replace(category=category.strip())


def _host_rule(place: str) -> AllowedPlace | None:
    """None when it has a scheme, a port, a wildcard, or anything else that a host has not."""
    from cairn.lib.urls.url import UrlProblem, split_url

    host = place.partition("/")[0]
    if not host or ":" in host or "@" in host or _NOT_A_PLACE.search(place):
        return None
    try:
        parts = split_url(f"https://{place}")
    except UrlProblem:
        return None
    return AllowedPlace(parts.host.text.removeprefix("www."), parts.path.rstrip("/"))


def _repository(item: Any, at: int, name: str) -> AllowedRepository:
    place, category = item, OTHER
    if isinstance(item, dict) and set(item) <= {"repo", "category"}:
        place, category = item.get("repo"), item.get("category", OTHER)
    if not isinstance(place, str) or not _REPOSITORY.fullmatch(place) or not _is_category(category):
        raise ConfigError(
            f"`github_repos[{at}]` in `{name}` is no repository; write it as `owner/name`, "
            "or {repo: owner/name, category: security}."
        )
    return AllowedRepository(place.removesuffix(".git"), category.strip())


def _is_category(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def parse_place(text: str) -> AllowedPlace | AllowedRepository | None:
    """What somebody means by `example.org/path` or `owner/name`; None when it is neither."""
    place = text.strip().rstrip("/")
    if "." not in place.partition("/")[0]:
        return AllowedRepository(place.removesuffix(".git")) if _REPOSITORY.fullmatch(place) else None
    return _host_rule(place)


# --- which list -----------------------------------------------------------------------------------------------------


def packed_text() -> str:
    """The list that comes with Cairn, as a file."""
    from importlib.resources import files

    return files("cairn.knowledge").joinpath("data", NAME).read_text("utf-8")


def packed_allowlist() -> Allowlist:
    return parse_allowlist(packed_text())


def text_in_use(setting: str, own: str) -> str:
    """Of the list that sources are compared with, by `freshness.allowlist`; empty when they are compared with none. A
    list of the workspace's own always comes first."""
    if setting == "off":
        return ""
    return own or (packed_text() if setting == "packed" else "")


_URL_OF_SOURCE = re.compile(r"sources\[(\d{1,6})\]\.url")


def without_vouched(issues: Iterable[Issue], store: Store, env: Mapping[str, str]) -> Iterator[Issue]:
    """Without those about addresses that the operator of this machine lets sources be at. The scan does not know them:
    what it stores must not depend on who ran it."""
    from cairn.lib.urls.url import ALLOW

    if not env.get(ALLOW):
        yield from issues
        return
    for issue in issues:
        if issue.analyzer != "entry-invalid" or not _is_vouched(issue, store, env):
            yield issue


def _is_vouched(issue: Issue, store: Store, env: Mapping[str, str]) -> bool:
    field = str((issue.data or {}).get("field", ""))
    return is_vouched_source(env, find_node(store, issue.path).frontmatter, field)


def is_vouched_source(env: Mapping[str, str], frontmatter: Mapping[str, Any], field: str) -> bool:
    """Whether a field is the address of a source that the operator of this machine allows."""
    from cairn.lib.urls.url import ALLOW, allowed_places, refuse_url

    found = _URL_OF_SOURCE.fullmatch(field)
    listed = frontmatter.get("sources") if found and env.get(ALLOW) else None
    at = int(found[1]) if found else 0
    item = listed[at] if isinstance(listed, list) and at < len(listed) else None
    url = item.get("url") if isinstance(item, dict) else None
    return isinstance(url, str) and refuse_url(url, allow=allowed_places(env)) is None
