"""Replaces addresses, paths and names of secrets in a passage by words that state what they are.

An attacker chooses his host name, so no host counts by its name, apart from a list of common ones. That also keeps
reserved names such as `.example`, which test sets use, from being a hint.
"""

import re
from typing import Final

_COMMON: Final = """
amazon.com amazonaws.com anthropic.com apache.org astral.sh atlassian.net azure.com bitbucket.org brew.sh bun.sh
chocolatey.org claude.ai claude.com cloudflare.com codecov.io cursor.com datadoghq.com debian.org deno.land
docker.com docker.io elastic.co elixir-lang.org fly.io ghcr.io github.com githubusercontent.com gitlab.com gnu.org
go.dev golang.org google.com googleapis.com grafana.com hashicorp.com haskell.org helm.sh heroku.com huggingface.co
jetbrains.com json-schema.org k8s.io kubernetes.io medium.com microsoft.com modelcontextprotocol.io mozilla.org
netlify.com nextjs.org nixos.org nodejs.org nodesource.com npmjs.com npmjs.org openai.com opencode.ai pnpm.io
pypi.org python-poetry.org python.org react.dev rustup.rs schemastore.org scoop.sh sdkman.io sentry.io shields.io
slack.com stackoverflow.com stripe.com supabase.com terraform.io ubuntu.com vercel.com volta.sh w3.org wikipedia.org
yarnpkg.com youtube.com
"""
_KNOWN: Final = re.compile(r"(?:^|\.)(?:" + "|".join(map(re.escape, _COMMON.split())) + ")$")
_LOCAL: Final = re.compile(
    r"localhost|127\.|0\.0\.0\.0|\[|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^.]+$"
    r"|.*\.(?:local|internal|localhost|svc)$"
)
_ENTITY: Final = re.compile(
    r"""
  (?P<unseen>\bdisplay:\s*none|\bfont-size:\s*0|\bopacity:\s*0\b|^\[(?://|comment)\]:)
| (?P<shell>/dev/tcp/\S+|bash\ -i\ >&)
| (?P<pipe>\|\s*(?:sudo\s+(?:-\S+\s+)?)?(?:ba|z|da)?sh\b|\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|iex)\b
    |<\(\s*(?:curl|wget)|\$\(\s*(?:curl|wget)\b|\bexec\(\s*(?:requests|\w+\.urlopen|__import__)|\beval\ get\(
    |then\(eval\))
| (?P<url>\b(?:https?|hxxps?|s?ftp|wss?|git|scp|tcp|s3|gs)://[^\s)>\]"'`，。、]+)
| (?P<mail>\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8})
| (?P<secret>(?:[~.$\w{}/*-]{0,80}/)?(?:\.ssh\b(?:/[\w.*]+)?|id_rsa\b|id_ed25519\b(?!\.pub)|\.aws/\w+|\.netrc\b
    |\.npmrc\b|\.pypirc\b|\.git-credentials\b|\.env(?!\.(?:example|sample|template|dist|test)|\w)(?:\.\w+)?
    |kubeconfig\b|\.kube\b(?:/config)?|\.gnupg\b|etc/(?:shadow|passwd)\b|\.docker/config\S*|\.vault-token
    |\.bash_history|\.zsh_history|wallet\.dat|cookies\.sqlite|login\ data\b|master\.key
    |credentials\.(?:json|xml|ya?ml)|secrets?\.(?:json|ya?ml|toml)|\.config/(?:gh|gcloud)\S*|proc/\S+/environ
    |auth\.json))
| (?P<variable>\$?\{?\b(?-i:[A-Z][A-Z0-9_]*?(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)[A-Z_]*)\b\}?)
| (?P<environment>\b(?:printenv|os\.environ|process\.env\b(?!\.\w)|tojson\(secrets\)))
| (?P<number>\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?(?:/\S*)?)
| (?P<host>(?<![.\w/@-])
    (?!\S{0,80}\.(?:env|ya?ml|json|toml|conf|ini|cfg|js|ts|py|php|rb|sh|xml|properties|config)\.example)
    (?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}(?:example|com|net|org|io|app|xyz|info|top|cloud|site|online|club|biz|ru
    |cn|su|tk)\b(?::\d+)?(?:/[^\s)>\]"'`，。、]*)?)
| (?P<file>(?:~|\.{1,2})?/[\w.@+*{}$-][\w./@+*{}$-]*|\b[\w-]{1,80}(?:/[\w.-]+)+|\b[\w-]{1,80}\.(?:md|txt|log|json|ya?ml
    |toml|py|js|ts|tsx|sh|ps1|exe|bin|elf|so|ini|cfg|lock|csv|sql|sqlite|html|png|zip|tar|gz|msi|deb|vsix|crx|pkl|wasm)\b)
""",
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN_WORDS: Final = {
    "unseen": "UNSEEN",
    "shell": "REVSHELL",
    "pipe": "PIPESH",
    "mail": "MAIL",
    "secret": "SECRETFILE",
    "variable": "SECRETVAR",
    "environment": "ENVALL",
    "file": "FILE",
}
_IN_QUERY: Final = re.compile(r"[?&]\w+=(?:\W?$|[<{$])")
_NUMERIC: Final = re.compile(r"\d+\.\d+\.\d+\.\d+$")
_UNUSUAL: Final = frozenset({"http", "hxxp", "ftp", "sftp", "tcp", "git", "wss", "ws", "scp"})

ENTITIES: Final = frozenset(
    {*_PLAIN_WORDS.values(), "URLOTHER", "URLPLAIN", "URLIP", "URLLOCAL", "URLKNOWN", "URLQ", "IPADDR", "HOST"}
)


def with_entities(text: str) -> str:
    return _ENTITY.sub(lambda hit: f" {_word(hit)} ", text)


def _word(hit: re.Match[str]) -> str:
    kind, found = hit.lastgroup or "", hit[0]
    if kind in _PLAIN_WORDS:
        return _PLAIN_WORDS[kind]
    if kind == "url":
        return _address(found)
    if kind == "number":
        return "URLLOCAL" if _LOCAL.match(found) else "IPADDR"
    return "URLKNOWN" if _KNOWN.search(re.split("[:/]", found)[0].lower()) else "HOST"


def _address(url: str) -> str:
    scheme, rest = url.split("://", 1)
    host = re.split("[/?#]", rest, maxsplit=1)[0].rsplit("@", 1)[-1].split(":")[0].lower()
    query = " URLQ" if _IN_QUERY.search(url) else ""
    if _LOCAL.match(host):
        return f"URLLOCAL{query}"
    if _KNOWN.search(host):
        return f"URLKNOWN{query}"
    if _NUMERIC.match(host):
        return f"URLIP URLOTHER{query}"
    return f"{'URLPLAIN ' if scheme.lower() in _UNUSUAL else ''}URLOTHER{query}"
