"""The allowlist: which sources count as authoritative, and what a broken list says."""

import pytest

from cairn.errors import ConfigError
from cairn.knowledge.allowlist import Allowlist, packed_allowlist, parse_allowlist

LIST = """
hosts:
  - owasp.org
  - {host: www.sec.gov, category: compliance}
  - {host: ietf.org/rfc, category: standards}
  - ietf.org/doc/html/
  - Docs.Example.com
  - {host: bücher.example}
  - {host: example.com, category: outer}
  - {host: example.com/deep/er, category: inner}
github_repos:
  - steveyegge/beads
  - Some-One/Thing.js
"""


@pytest.mark.parametrize(
    ("url", "category"),
    [
        ("https://owasp.org/", "other"),
        ("https://OWASP.org/Top10/#a", "other"),
        ("http://www.owasp.org", "other"),
        ("https://cheatsheetseries.owasp.org/x", "other"),
        ("https://owasp.org./x", "other"),
        ("https://notowasp.org/", None),
        ("https://owasp.org.evil.example.net/", None),
        ("https://owasp.org@evil.net/", None),
        ("https://evil.net/owasp.org", None),
        ("https://evil.net\\@owasp.org/", None),
        ("https://sec.gov/a", "compliance"),
        ("https://www.sec.gov/a", "compliance"),
        ("https://data.sec.gov/a", "compliance"),
        ("https://ietf.org/rfc", "standards"),
        ("https://www.ietf.org/rfc/rfc2119.txt", "standards"),
        ("https://ietf.org/rfc?x=1", "standards"),
        ("https://ietf.org/rfcfoo", None),
        ("https://ietf.org/", None),
        ("https://ietf.org/RFC/", None),
        ("https://ietf.org/rfc/../evil", None),
        ("https://ietf.org/rfc/%2e%2e/evil", None),
        ("https://ietf.org/x/../rfc/1", "standards"),
        ("https://datatracker.ietf.org/doc/html/rfc1", "other"),
        ("https://docs.example.com/deep", "other"),
        ("https://a.example.com/deep", "outer"),
        ("https://example.com/deep/er/x", "inner"),
        ("https://example.com/deep/erer", "outer"),
        ("https://xn--bcher-kva.example/", "other"),
        ("https://bücher.example/", "other"),
        ("https://github.com/steveyegge/beads", "other"),
        ("https://github.com/SteveYegge/Beads/blob/main/README.md", "other"),
        ("https://github.com/steveyegge/beads.git", "other"),
        ("https://www.github.com/some-one/thing.js#readme", "other"),
        ("https://gist.github.com/steveyegge/beads/raw", "other"),
        ("https://github.com/steveyegge/beads-evil", None),
        ("https://github.com/steveyegge", None),
        ("https://github.com/steveyegge/beads/../other", None),
        ("https://githubb.com/steveyegge/beads", None),
        ("https://evil.net/steveyegge/beads", None),
        ("ftp://owasp.org/", None),
        ("owasp.org", None),
        ("", None),
    ],
)
def test_what_is_on_the_list(url, category):
    allowlist = parse_allowlist(LIST)
    assert allowlist.category(url) == category
    assert allowlist.allows(url) == (category is not None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has to be a map"),
        ("{}", "has to be a map"),
        ("- owasp.org", "has to be a map"),
        ("owasp.org", "has to be a map"),
        ("hosts: owasp.org", "`hosts` in `list.yaml` is not a list"),
        ("hosts: {owasp.org: x}", "is not a list"),
        ("github_repos: a/b", "`github_repos` in `list.yaml` is not a list"),
        ("host: [a.org]", "has the key `host`"),
        ("hosts: [3]", r"`hosts\[0\]`"),
        ("hosts: [a.org, '']", r"`hosts\[1\]`"),
        ("hosts: [null]", "is no host"),
        ("hosts: [https://a.org]", "is no host"),
        ("hosts: ['a.org:8080']", "is no host"),
        ("hosts: ['x@a.org']", "is no host"),
        ("hosts: ['*.a.org']", "is no host"),
        ("hosts: ['a b']", "is no host"),
        ("hosts: [/rfc]", "is no host"),
        ("hosts: ['a.org?x']", "is no host"),
        ("hosts: [{host: a.org, kind: x}]", "is no host"),
        ("hosts: [{category: x}]", "is no host"),
        ("hosts: [{host: a.org, category: 3}]", "is no host"),
        ("hosts: [{host: a.org, category: ''}]", "is no host"),
        ("github_repos: [a]", r"`github_repos\[0\]`"),
        ("github_repos: [a/b/c]", "owner/name"),
        ("github_repos: [https://github.com/a/b]", "owner/name"),
        ("github_repos: [{a: b}]", "owner/name"),
        ("hosts: [a.org\n", "`list.yaml`.* cannot be read"),
        ("hosts: &x [a.org]", "cannot be read"),
    ],
)
def test_a_broken_list_is_named_and_never_taken_for_an_empty_one(text, words):
    with pytest.raises(ConfigError, match=words) as raised:
        parse_allowlist(text, name="list.yaml")
    assert "\n" not in raised.value.message


def test_an_empty_list_is_false():
    assert not parse_allowlist("hosts: []")
    assert not Allowlist()
    assert parse_allowlist("github_repos: [a/b]")


def test_the_list_that_comes_with_cairn():
    packed = packed_allowlist()
    assert (len(packed.rules), len(packed.repositories)) == (47, 3)
    assert not any(rule.host.startswith("www.") or rule.category == "other" for rule in packed.rules)
    assert packed.category("https://www.rfc-editor.org/rfc/rfc9110") == "standards"
    assert packed.category("https://csrc.nist.gov/pubs") == "security"
    assert packed.allows("https://github.com/modelcontextprotocol/specification/tree/main")
    assert not packed.allows("https://example.org/")
