"""Secrets that show by a name: one that stands before them, a header, a wording, or an entry elsewhere."""

import re

from cairn.lib.scrub import checks, codes, commands
from cairn.lib.scrub.names import (
    IS,
    IS_UNSPACED,
    KEY,
    KEY_ALONE,
    PASSWORD,
    SECRET,
    VENDORS,
    key_pattern,
    literals_of,
    pattern_of,
)
from cairn.lib.scrub.rule import Check, Column, ScrubRule
from cairn.lib.scrub.value import cell_password, cell_secret

QUOTED = r"(?P<escaped>\\{1,3})?(?P<quote>\"\"\"|\'\'\'|[\"'`“„«»‹›「])[ \xa0]?(?P<secret>[^\"'`\n“”«»‹›「」]{1,200}?)[ \xa0]?(?(escaped)\\{1,3})[\"'`”“»«›‹」]"
PLAIN = r"(?P<plain>(?:[^\s\"'`,;<>(){}\[\]|&“”«»「」\u2e80-\uffef]|&(?![\w.]{1,30}=)){2,200})"
_TELLING = r"(?=\S{0,80}?[\d!#$%^&*?~+]|\S{14})"
"""What a value without quotes needs in a sentence; so that ordinary words are passed over."""
_NO_SUBJECT = rf"(?![^\W\d_]{{14,40}}[ \t](?:{IS})[ \t:])"
"""A long word before a verb is what the sentence is about: `mot de passe administrateur est …`."""
SUFFIX = r"(?P<suffix>[A-Za-z0-9_.-]{0,24})"
_SIGN = r"(?:=>|:=|===?|!==?|=|:[ \t]{0,2}&?'?[A-Za-z][\w.<>\[\]?]{0,20}[ \t]?=(?=[ \t]?[\"'])|:[ \t]?[|>][+-]?[ \t]?\r?\n[ \t]{1,12}|:|：|->|→|\)?[ \t]?(?:\|\|=?|\?\?=?|\?:|or)(?=[ \t]?[\"'])|[ \t][A-Za-z*][\w.\[\]*]{0,20}[ \t]?:?=(?=[ \t]?[\"'`])|[ \t]by[ \t]extra\((?=[\"'])|\)\.unwrap_or(?:_else)?\((?:\|_?\|[ \t]?)?(?=\\{0,3}[\"'])|\)\.(?:type|fill|sendKeys|send_keys|setValue|set)\((?=\\{0,3}[\"'])|,[ \t]?default[ \t]?=(?=[ \t]?[\"'])|\|(?=[ \t])|[\"']?[ \t]{1,3}value[ \t]?=|,(?=[ \t]{0,12}\\{0,3}[\"']|[^\s,]{8,200}(?:[\r\n,]|$))|[ \t][0-9](?=[ \t]))"
GIVEN = rf"{SUFFIX}(?:\\{{0,3}}[\"'`\])*_]){{0,4}}(?:[ \t]{{0,8}}(?P<sign>{_SIGN})[ \t]{{0,12}}(?:\*\*[ \t]?|\{{\{{[ ]?(?=[\"']))?|>)"
_WORDS_BETWEEN = r"(?:[ \t]\(?(?:[^\s\"'`=:;,]|(?<=\w)['’](?=\w)){1,24}){0,7}?"


_WORDS = dict[str, tuple[str, tuple[str, ...]]]
CALLED: _WORDS = {
    "password": (pattern_of(PASSWORD), literals_of(PASSWORD)),
    "secret": (pattern_of([*SECRET, *KEY]), literals_of([*SECRET, *KEY])),
    "key": (key_pattern(), ("key",)),
    "capitals": (
        r"(?-i:(?<=[A-Z0-9])_(?:KEY|PAT|AUTH|SERVICE_ROLE|CREDS?|SALT|PEPPER|LICEN[CS]E|SECRET_ID|SECRET)(?![A-Za-z])|(?<![A-Za-z0-9_])PAT(?![A-Za-z]))",
        (
            "_key",
            "_pat",
            "_auth",
            "_service_role",
            "_cred",
            "_salt",
            "_pepper",
            "_licen",
            "_secret",
            "pat=",
            "pat:",
            'pat"',
            "pat'",
            "pat ",
            "pat\\",
            "pat<",
            "pat`",
        ),
    ),
}
"""Patterns of names, and what to search for."""


def _named(name: str, called: str, check: Check) -> ScrubRule:
    """`password = …`, `"clientSecret": "…"`, `<password>…</password>`."""
    value = rf"(?:{QUOTED}|{PLAIN})"
    return ScrubRule(
        name,
        rf"(?:{CALLED[called][0]}){GIVEN}{value}",
        literals=CALLED[called][1],
        flags=re.IGNORECASE,
        check=check,
    )


def _said(name: str, called: str, check: Check) -> ScrubRule:
    """`the password for staging is …`, `mot de passe initial : …`, `密码是…`, `pw …`."""
    link = rf"(?:[ \t]{{1,2}}|{_WORDS_BETWEEN}(?:[ \t]{{1,2}}\(?(?:{IS})[ \t]{{0,2}}[:=]?|[ \t]?[:：]|\)[ \t]?[:=])[ \t\n]{{1,2}}|[ \t]?=[ \t]{{1,2}}|{IS_UNSPACED})"
    return ScrubRule(
        name,
        rf"(?:{CALLED[called][0]})(?:-nya|(?!_?ids?\b)\w{{0,3}}|(?-i:_[A-Z_]{{1,20}}))(?:\)(?=[ \t]\w))?[\"'`*_]{{0,2}}{link}(?:(?:{QUOTED})|{_NO_SUBJECT}{_TELLING}{PLAIN})",
        literals=CALLED[called][1],
        flags=re.IGNORECASE,
        check=check,
    )


def _soon(name: str, called: str, check: Check) -> ScrubRule:
    """Something in the next few words that nobody would write but as a password: letters, digits and signs."""
    return ScrubRule(
        name,
        rf"(?:{CALLED[called][0]})(?![^\W_]{{4}})[^\n\"'`]{{0,60}}?[ \t(«„“](?P<plain>(?=[^\s]{{0,30}}[!#$%^&*?~+])(?=\S{{0,30}}\d)(?=\S{{0,30}}[^\W\d_])"
        r"[^\s\"'`,;<>(){}\[\]|“”«»「」@=]{5,60})",
        literals=CALLED[called][1],
        flags=re.IGNORECASE,
        check=check,
    )


_FOR = "for|of|on|to|from|от|к|для|з|від|für|vom|von|zum|pour|du|de|del|della|di|para|do|da|per|voor|van|till|til|k|ke|na|od|la|pentru|için"


def _far(name: str, called: str, check: Check) -> ScrubRule:
    """`the password for the wiki …`: what it is for stands between."""
    return ScrubRule(
        name,
        rf"(?:{CALLED[called][0]})\w{{0,3}}[ \t](?:{_FOR})[ \t](?:[^\s\"'`=:;,]{{1,20}}[ \t]){{1,3}}?(?=\S{{0,40}}\d|\S{{14}}){PLAIN}",
        literals=CALLED[called][1],
        flags=re.IGNORECASE,
        check=check,
    )


_LINKED = r" (?:as|als|como|comme|come|jako|som|как|for|that|which|this|it|is|was|ist|est|es|è|é|jest|är|das|c'est)(?:'s)? |(?:that|it)'s "


def _before(name: str, called: str, check: Check) -> ScrubRule:
    """`use "…" as the admin password`, `try …, that was the old password`."""
    link = (
        r"(?:[ \t]{1,2}(?:as|als|como|comme|come|jako|som|как|for)|,?[ \t](?:that|which|this|it)(?:'s|[ \t](?:is|was))|[ \t](?:is|was|ist|est|es|è|é|jest|är)|,[ \t](?:das|c'est|è|es))"
        r"[ \t](?:\w{1,12}[ \t]){0,3}?"
    )
    return ScrubRule(
        name,
        rf"[^\n]{{0,110}}?(?:(?<![^\s(«„“])|(?=[\"'`]))(?:[\"'`“„«](?P<secret>[^\"'`\n“”«»\s]{{3,80}})[\"'`”“»]|(?P<plain>[^\s\"'`,;<>()|]{{4,80}})){link}"
        rf"(?:{CALLED[called][0]})(?![^\W_])",
        literals=CALLED[called][1],
        before=110,
        back="*",
        behind=_LINKED,
        reach=60,
        flags=re.IGNORECASE,
        check=check,
    )


_OF_OTHERS = r"(?<!public )(?<!gpg )(?<!pgp )(?<!ssh )(?<!cache )(?<!primary )(?<!foreign )(?<!sort )(?<!object )(?<!index )(?<!host )(?<!hash )(?<!partition )(?<!row )(?<!lookup )(?<!deploy )"

ASSIGNED: tuple[ScrubRule, ...] = (
    ScrubRule(
        "secret",
        rf"{_OF_OTHERS}(?:{KEY_ALONE})(?:[ \t](?!=)[^\s\"'`=:;,/]{{1,24}}){{0,6}}?(?:[ \t]?[:：]|[ \t](?:is|ist|est|es|è|é|jest|je|är|er|on|=|–|-))?[ \t\n]{{1,16}}[\"'`*(]{{0,3}}"
        r"(?P<plain>(?P<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[A-Za-z0-9_+/.~-]{20,200}={0,2})(?![A-Za-z0-9_+/.=~-]*[A-Za-z0-9_+/=~-]|[(\[])",
        literals=(
            "key",
            "schlüssel",
            "clé",
            "clef",
            "clave",
            "llave",
            "chiave",
            "chave",
            "sleutel",
            "klucz",
            "nyckel",
            "nøgle",
            "nøkkel",
            "avain",
            "kulcs",
            "cheia",
            "anahtar",
            "kunci",
            "khóa",
            "klíč",
            "Klíč",
            "kľúč",
            "Kľúč",
            "ključ",
            "Ključ",
            "ключ",
            "Ключ",
            "キー",
            "鍵",
            "密钥",
            "密鑰",
            "키",
        ),
        flags=re.IGNORECASE,
        check=codes.spoken_key,
    ),
    ScrubRule(
        "url-password",
        r"://(?P<secret>(?P<user>[^\s:/@\"'`<>]{0,64}):(?P<password>[^\s/\"'`<>]{1,128}))@(?P<host>[^\s/\"'`<>?#)@]{1,253})",
        literals=("://",),
        reach=600,
        check=checks.in_url,
    ),
    ScrubRule(
        "url-password",
        r"://(?P<secret>[A-Za-z0-9_-]{20,100})@(?P<host>[^\s/\"'`<>?#)@]{1,253})",
        literals=("://",),
        reach=600,
        check=checks.varied_token,
    ),
    ScrubRule(
        "url-password",
        r"(?:thin|oci):(?P<user>[^\s:/@\"'`<>]{1,64})/(?P<secret>(?P<password>[^\s\"'`<>@]{1,128}))@(?P<host>[^\s\"'`<>?#)@]{1,253})",
        literals=("thin:", "oci:"),
        check=checks.in_url,
    ),
    ScrubRule(
        "url-password",
        r"(?:sqlplus|rman|expdp|impdp|sqlldr|exp|imp)[ \t](?:-\w[ \t])?(?:userid=)?[\"']?(?P<user>[^\s:/@\"'`<>]{1,64})/(?P<secret>(?P<password>[^\s\"'`<>@]{1,128}))"
        r"@(?P<host>[^\s\"'`<>?#)@]{1,253})",
        literals=("sqlplus ", "rman ", "expdp ", "impdp ", "sqlldr "),
        check=checks.in_url,
    ),
    ScrubRule(
        "url-password",
        r"[^\n]{0,160}?(?<![\w/.:-])(?P<user>[A-Za-z0-9_.-]{1,64}):(?P<secret>(?P<password>[^\s\"'`<>/]{1,128}))@(?P<host>(?:tcp|unix|udp)\()",
        literals=("@tcp(", "@unix(", "@udp("),
        before=200,
        back="*",
        check=checks.in_url,
    ),
    ScrubRule(
        "url-password",
        r"[^\n]{0,160}?(?<![\w/.:-])(?P<user>[A-Za-z][\w$.-]{0,40})/(?P<secret>(?P<password>[^\s\"'`<>/@]{4,128}))@(?P<host>/{0,2}[\w.-]{1,120}(?::15\d\d)(?!\d))",
        literals=(":152",),
        before=220,
        back="*",
        check=checks.in_url,
    ),
    ScrubRule(
        "url-password",
        r"(?:connect[ \t]|neo4j_auth[\"']?[ \t]?[:=][ \t]?[\"']?)(?P<user>[A-Za-z][\w$.-]{0,40})/(?P<secret>(?P<password>[^\s\"'`<>/@]{4,128}))(?:@|(?=[\"'\s]|$))(?P<host>[^\s\"'`<>?#)@]{0,120})",
        literals=("connect ", "neo4j_auth"),
        flags=re.IGNORECASE,
        check=checks.in_login,
    ),
    ScrubRule(
        "password",
        r"(?<![^\W_])(?:pwd|password)[ ]?=[ ]?\{(?P<secret>[^{}\s\"']{4,120})\}(?=[;\"'\s]|$)",
        literals=("pwd={", "password={", "pwd = {", "password = {"),
        flags=re.IGNORECASE,
        check=checks.in_braces,
    ),
    ScrubRule(
        "authorization",
        r"bearer(?:[ \t]token)?(?:[ \t:]{1,4}|,[ \t]{1,3}|[\"'],[ \t]?[\"'])(?P<secret>[A-Za-z0-9._~+/$:%!-]{16,2000}={0,2})",
        literals=("bearer ", "bearer,", 'bearer"', "bearer'"),
        reach=2100,
        flags=re.IGNORECASE,
        check=codes.bearer,
    ),
    ScrubRule(
        "authorization",
        r"basic[ \t]{1,4}(?P<secret>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])",
        literals=("basic ",),
        reach=500,
        flags=re.IGNORECASE,
        check=codes.basic_header,
    ),
    ScrubRule(
        "aws-secret-key",
        r"(?:AKIA|ASIA)[A-Z2-7]{16}[\s:,;|/\"'=]{1,10}(?:[A-Za-z_ ]{1,30}[\s:,;|\"'=]{1,6})?(?P<secret>[A-Za-z0-9/+]{40}(?:[A-Za-z0-9/+]{4})?)(?![A-Za-z0-9/+=])",
        literals=("akia", "asia"),
        check=checks.varied_token,
    ),
    ScrubRule(
        "private-key",
        r"\"d\"[ \t]?:[ \t]?\"(?P<secret>[A-Za-z0-9_-]{40,700})\"",
        literals=('"d"',),
        reach=800,
        check=checks.varied_token,
    ),
    ScrubRule(
        "private-key",
        r"kty\\{0,3}\"[^{}]{0,1600}?\"[dk]\\{0,3}\"[ \t]?:[ \t]?\\{0,3}\"(?P<secret>[A-Za-z0-9_-]{40,700})\\{0,3}\"",
        literals=("kty",),
        reach=2400,
        check=checks.varied_token,
    ),
    ScrubRule(
        "private-key",
        r"Private-Lines: \d+(?:(?:\\r)?\\n|\r?\n)(?P<secret>(?:[ \t>+|#]{0,16}[A-Za-z0-9+/=]{1,64}(?:(?:\\r)?\\n|\r?\n)){1,60}+)",
        literals=("private-lines:",),
        reach=4000,
        flags=re.IGNORECASE,
    ),
    _named("password", "password", checks.named_password)._replace(column=Column(CALLED["password"][0], cell_password)),
    _named("secret", "secret", checks.named_secret)._replace(column=Column(CALLED["secret"][0], cell_secret)),
    _named("secret", "key", checks.named_secret)._replace(
        column=Column("(?:api|access|secret|auth|private|license|app|client)[ _-]?key", cell_secret)
    ),
    _named("secret", "capitals", checks.capital_name),
    _said("password", "password", checks.said_password),
    _said("secret", "secret", checks.said_secret),
    _said("secret", "key", checks.said_secret),
    _said("secret", "capitals", checks.said_capitals),
    _soon("password", "password", checks.soon_password),
    _far("password", "password", checks.far_password),
    _before("password", "password", checks.before_password),
)

ALWAYS: tuple[ScrubRule, ...] = (
    _named("password", "password", checks.always_named),
    _named("secret", "secret", checks.always_named),
    _named("secret", "key", checks.always_named),
)
"""For text that Cairn stores or shows: the value goes whatever it looks like. To hide an example costs nothing there."""

_VALUE = rf"(?:{QUOTED}|{PLAIN})"
_CALLED_VALUE = r"(?:parameter|string|default|secret|plain|env|property)?_?(?:value|default|content|plaintext|secretstring|data|setting)"
_BETWEEN = r"(?:[\"']?(?!value|default)[\w-]{1,24}[\"']?[ \t]{0,8}[:=][ \t]{0,4}(?:[\"'][^\"'\n]{0,80}[\"']|[\w./-]{0,40})[,;]?\s{1,40}){0,3}?"
"""Other entries of the same thing: its type, whether it is on."""
_NUMBERED = r"\r?\n[ \t]{0,8}\d{1,6}[\t→][ \t]{0,40}|\r?\n[+-][ \t]{0,40}"
"""The start of a line of a listing or a patch."""
_ENTRY = rf"\\{{0,3}}[\"'`\])]?[ \t]{{0,8}}[,;:=]{{0,2}}[ \t]{{0,8}}\{{?(?:\s{{0,40}}|{_NUMBERED}){_BETWEEN}\\{{0,3}}[\"']?{_CALLED_VALUE}\\{{0,3}}[\"']?[ \t]{{0,8}}(?::|=>?)[ \t]{{0,4}}"
_ELEMENT = rf"(?:</[A-Za-z:-]{{1,20}}|[\"'][^<>\n]{{0,60}}|)>(?:\s{{0,40}}(?:\n[+-]\s{{0,20}})?|{_NUMBERED})(?:<(?:[a-z]{{1,12}}[:-])?(?:value|string|data|content|plaintext|td)>(?:<code>)?|(?<=[\"']>)\s{{1,20}}|(?<=[\"']>\n)\s{{0,20}}|(?<=[\"']>\n )\s{{0,20}}|(?<=[\"']>\n  )\s{{0,20}}|(?<=[\"']>\n    ))"
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
        check=codes.basic_header,
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
        check=codes.basic_header,
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
