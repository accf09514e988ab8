"""Which documentation site a document belongs to, and the file to which a link of that site leads."""

from cairn.lib.site.detect import forge_of, renderers_of, site_of, sites
from cairn.lib.site.follow import (
    NO_ROUTES,
    DocsSite,
    Exists,
    FoundTarget,
    MissingTarget,
    Read,
    Route,
    Routes,
    UnknownTarget,
    resolve,
    routes,
)

__all__ = [
    "NO_ROUTES",
    "DocsSite",
    "Exists",
    "FoundTarget",
    "MissingTarget",
    "Read",
    "Route",
    "Routes",
    "UnknownTarget",
    "forge_of",
    "renderers_of",
    "resolve",
    "routes",
    "site_of",
    "sites",
]
