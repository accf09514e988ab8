"""Secrets whose name and value stand in two places: entries of a list, elements of XML, a flag of a command."""

import re

from cairn.lib.scrub import checks, commands, headers
from cairn.lib.scrub.names import VENDORS, literals_of, pattern_of
from cairn.lib.scrub.rule import Check, ScrubRule
from cairn.lib.scrub.rules.assigned import CALLED, GIVEN, PLAIN, QUOTED, SUFFIX

_VALUE = rf"(?:{QUOTED}|{PLAIN})"
_CALLED_VALUE = r"(?:parameter|string|default|secret|plain|env|property)?_?(?:value|default|content|plaintext|secretstring|data|setting)"
_BETWEEN = r"(?:[\"']?(?!value|default)[\w-]{1,24}[\"']?[ \t]{0,8}[:=][ \t]{0,4}(?:[\"'][^\"'\n]{0,80}[\"']|[\w./-]{0,40})[,;]?\s{1,40}){0,3}?"
"""Other entries of the same thing: its type, whether it is on."""
_NUMBERED = r"\r?\n[ \t]{0,8}\d{1,6}[\t→][ \t]{0,40}|\r?\n[+-][ \t]{0,40}"
"""The start of a line of a listing or a patch."""
_ENTRY = rf"\\{{0,3}}[\"'`\])]?[ \t]{{0,8}}[,;:=]{{0,2}}[ \t]{{0,8}}\{{?(?:\s{{0,40}}|{_NUMBERED}){_BETWEEN}\\{{0,3}}[\"']?{_CALLED_VALUE}\\{{0,3}}[\"']?[ \t]{{0,8}}(?::|=>?)[ \t]{{0,4}}"
_ELEMENT = r"(?:</[A-Za-z:-]{1,20}|[\"'][^<>\n]{0,60}|)>\s{0,40}(?:\n[+-]\s{0,20})?(?:<(?:[a-z]{1,12}[:-])?(?:value|string|data|content|plaintext|td)>(?:<code>)?|(?<=[\"']>)\s{1,20}|(?<=[\"']>\n)\s{0,20}|(?<=[\"']>\n )\s{0,20}|(?<=[\"']>\n  )\s{0,20}|(?<=[\"']>\n    ))"
_FLAG = (
    r"[\"']?(?:[ \t]{1,4}(?:\\\r?\n[ \t]{0,8})?--?[\w-]{1,20}(?:[= ][\w./@:-]{1,60})?){0,4}?[ \t]{1,4}(?:\\\r?\n[ \t]{0,8})?"
    r"(?:--(?:body|value|secret-string|secret-value|secret|string|data|text|plaintext|content)[ =]|(?-i:-b|-v|-w)(?:[ =]|(?=[\"']))|(?:production[ \t])?<<<[ \t]?)"
)
_FENCE = r"[\"'`*]{0,2}[ \t]?:?[ \t]?\n{1,2}```\w{0,10}\n"


def _entry(name: str, called: str, check: Check) -> ScrubRule:
    return ScrubRule(
        name,
        rf"(?:{CALLED[called][0]}){SUFFIX}(?:{_ENTRY}|{_ELEMENT}|{_FLAG}|{_FENCE}){_VALUE}",
        literals=CALLED[called][1],
        flags=re.IGNORECASE,
        check=check,
    )


_NAMES = rf"(?:(?P<password>{CALLED['password'][0]})|{CALLED['secret'][0]}|{CALLED['key'][0]}|{CALLED['capitals'][0]})"


_STORES = (
    r"gh[ ]secret[ ]set|wrangler[ ]secret[ ]put|gcloud[ ]secrets|vercel[ ]env|fly(?:ctl)?[ ]secrets|(?:docker|podman)[ ]secret[ ]create|"
    r"pass[ ]insert|vault[ ](?:kv[ ]put|write)|op[ ](?:item|create)|doppler[ ]secrets|glab[ ]variable|aws[ ](?:secretsmanager|ssm[ ]put-parameter)|"
    r"az[ ]keyvault[ ]secret|kubectl[ ]create[ ]secret|oc[ ]create[ ]secret|kubeseal|sops|ansible-vault[ ]encrypt_string|travis[ ]encrypt|"
    r"keyring[ ]set|secret-tool[ ]store|security[ ]add-(?:generic|internet)-password|chamber[ ]write|akeyless|infisical[ ]secrets|bw[ ]|netlify[ ]env|"
    r"gitlab-runner[ ]register|buildkite-agent|circleci[ ]context|heroku[ ]config|railway[ ]variables|supabase[ ]secrets|firebase[ ]functions:(?:config|secrets)"
)
_STORE_LITERALS = (
    "secret set", "secret put", "secrets", "secret create", "pass insert", "kv put", "vault write", "op item", "glab variable", "put-parameter",
    "keyvault secret", "create secret", "kubeseal", "encrypt_string", "travis encrypt", "keyring set", "secret-tool", "add-generic-password",
    "add-internet-password", "chamber write", "vercel env", "netlify env", "circleci context",
)  # fmt: skip

_ENCODED_URLS = "cG9zdGdyZX bXlzcWw6Ly bXlzcWwr bW9uZ29kYi cmVkaXM6Ly cmVkaXNzOi YW1xcDovL YW1xcHM6Ly aHR0cHM6Ly aHR0cDovL amRiYzo".split()
"""How base64 of the address of a database or a server begins, as secrets of Kubernetes have it."""

ENTRIES: tuple[ScrubRule, ...] = (
    _entry("password", "password", checks.entry_password),
    _entry("secret", "secret", checks.entry_secret),
    _entry("secret", "key", checks.entry_secret),
    _entry("secret", "capitals", checks.entry_capitals),
    ScrubRule(
        "secret",
        rf"value[\"']?[ \t]{{0,8}}[:=][ \t]{{0,4}}{_VALUE},?\s{{1,40}}[\"']?(?:name|key|variable)[\"']?[ \t]{{0,8}}[:=][ \t]{{0,4}}[\"']?"
        rf"[\w./-]{{0,40}}?{_NAMES}{SUFFIX}",
        literals=("value",),
        flags=re.IGNORECASE,
        check=checks.entry_before_name,
    ),
    ScrubRule(
        "secret",
        rf"(?:{pattern_of(VENDORS)})(?:[_. -]?[A-Za-z]{{2,14}}){{0,2}}?[_. -]?key{GIVEN}{_VALUE}",
        literals=literals_of(VENDORS),
        flags=re.IGNORECASE,
        check=checks.named_secret,
    ),
    ScrubRule(
        "secret",
        rf"(?:{_STORES})[^\n|;]{{0,160}}?[ \t](?:--(?:body|value|secret-string|secret-value|data|string|from-literal=[\w.-]{{1,40}})|(?-i:-b|-v|-w)(?=[ =\"']))[ =]?[ \t]?{_VALUE}",
        literals=_STORE_LITERALS,
        before=12,
        back="abcdefghijklmnopqrstuvwxyz -",
        check=commands.stored,
    ),
    ScrubRule(
        "secret",
        rf"(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+)?(?:[\"']%s(?:\\n)?[\"'][ \t]+)?[\"']?(?P<secret>[^\s\"'|]{{4,400}})(?P<plain>)(?P<quote>)[\"']?[ \t]*\|[ \t]*[^\n|]{{0,60}}?(?:{_STORES})",
        literals=("echo ", "printf "),
        reach=700,
        check=commands.stored,
    ),
    ScrubRule(
        "authorization",
        r"_auth[\"']?[ \t]?=[ \t]?[\"']?(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])",
        literals=("_auth=", "_auth =", '_auth"'),
        reach=500,
        check=headers.basic_header,
    ),
    ScrubRule(
        "secret",
        r"(?:echo[ \t](?:-n[ \t])?[\"']?|kubectl[ ]get[ ]secret[^\n]{1,200}\n)(?P<secret>[A-Za-z0-9+/]{8,2000}={0,2})(?:(?<=[=A-Za-z0-9])[\"']?[ \t]*\|[ \t]*base64[ \t]+(?:-d|-D|--decode)|(?=\s|$))",
        literals=("echo ", "kubectl get secret"),
        reach=2300,
        check=checks.encoded_secret,
    ),
    ScrubRule(
        "authorization",
        r"\"auth\"[ \t]?:[ \t]?\"(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})\"",
        literals=('"auth"',),
        reach=500,
        check=headers.basic_header,
    ),
    ScrubRule(
        "authorization",
        r"(?<![A-Za-z0-9+/])eyJhdXRocyI6[A-Za-z0-9+/]{16,4000}={0,2}",
        literals=("eyjhdxrocyi6",),
        reach=4100,
    ),
    ScrubRule(
        "url-password",
        rf"(?<![A-Za-z0-9+/])(?:{'|'.join(_ENCODED_URLS)})[A-Za-z0-9+/]{{16,800}}={{0,2}}",
        literals=tuple(start.lower() for start in _ENCODED_URLS),
        reach=900,
        check=checks.encoded_url,
    ),
)
"""Base64 of `{"auths":` opens the registries of a Docker configuration."""
