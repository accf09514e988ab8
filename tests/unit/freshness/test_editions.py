"""Which edition a text shows."""

import pytest

from cairn.freshness.editions import NewerEdition, newer_edition

GONE = [
    ("OWASP Top 10:2021", "## OWASP Top 10:2021", "## OWASP Top 10:2025"),
    ("PCI-DSS v4.0", "PCI-DSS v4.0 applies.", "PCI-DSS v4.1 applies."),
    ("Solidity 0.8.x", "Solidity 0.8.20", "Solidity 0.9.1"),
    ("Manifest V3", "Use Manifest V3.", "Use Manifest V4."),
    ("MCP spec 2025-11-25", "MCP 2025-11-25", "MCP specification 2026-03-01 is out"),
    ("POSIX.1-2017", "POSIX.1-2017", "POSIX.1-2024"),
    ("GraphQL October 2021", "GraphQL October 2021", "GraphQL September 2025"),
    ("OpenAPI 3.1 / SQL:2023", "OpenAPI 3.1", "The OpenAPI Specification v3.2"),
    ("TypeScript 5.4", "TypeScript 5.4", "TypeScript 5.10 is here"),
    ("Lantern 3.1", "Supports Lantern 3.1 clients", "Incompatible with Lantern 3.2 clients"),
]
STILL_THERE = {
    "beside it": ("PostgreSQL 16", "PostgreSQL 16 is tested.", "PostgreSQL 16 and PostgreSQL 17 are tested."),
    "in a list": ("PostgreSQL 16", "PostgreSQL 16 is tested.", "PostgreSQL 17 is tested, as are 15 and 16."),
    "never there": ("PostgreSQL 16", "The database.", "The database is PostgreSQL 17."),
    "labelled": ("Lantern 3.1", "Lantern 3.1 is out.", "Lantern 3.1 and its preview are out.\n\nLantern 3.2 is out."),
    "an RFC": ("RFC 7231", "Updates: RFC 2817", "Updates: RFC 2817\nObsoleted by: RFC 9110"),
}
NOT_NEWER = [
    ("Solidity 0.8.x", "Solidity 0.8.20", "Solidity 0.8.26"),
    ("PostgreSQL 16", "PostgreSQL 16", "PostgreSQL 16.4 fixes a bug; PostgreSQL 5432 is a port"),
    ("WCAG 2.1", "WCAG 2.1", "WCAG 3.0 is a working draft"),
    ("Python 3.11", "Python 3.11 and Python 3.12", "Python 3.12 and Python 3.11"),
    ("Python 3.11", "Python 3.11", "Python 3.10"),
    ("OpenAPI 3.1", "OpenAPI 3.1", "OpenAPI Generator 7.2"),
    ("RFC 7231", "RFC 7231", "RFC 9110 is longer than RFC 7231"),
    ("RFC 6749", "RFC 6749", "RFC 9999 replaces RFC 6749."),
    ("RFC 7231", "RFC 7231", "Section 5 was obsoleted by RFC 9110, the rest was not."),
    ("RFC 7231", "RFC 7231", "It is not obsoleted by: 9110 updates it."),
    ("SWC Registry", "SWC Registry", "SWC Registry 2"),
    (None, "Python 3.11", "Python 3.12"),
]


@pytest.mark.parametrize(("pin", "old", "new"), GONE)
def test_a_pinned_version_that_is_gone_is_shown_with_both_lines(pin: str, old: str, new: str) -> None:
    assert newer_edition(pin, old, new) == NewerEdition(new, old)


@pytest.mark.parametrize(("pin", "old", "new"), STILL_THERE.values(), ids=STILL_THERE)
def test_a_newer_version_beside_the_pinned_one_replaces_nothing(pin: str, old: str, new: str) -> None:
    found = newer_edition(pin, old, new)
    assert found is not None
    assert found.line in new
    assert found.before == ""


@pytest.mark.parametrize(("pin", "old", "new"), NOT_NEWER)
def test_other_numbers_are_no_newer_versions(pin: str | None, old: str, new: str) -> None:
    assert newer_edition(pin, old, new) is None
