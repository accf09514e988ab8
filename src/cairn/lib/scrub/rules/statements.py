"""Secrets in statements of SQL, calls, logs, and files that are written from a command line."""

import re

from cairn.lib.scrub import commands
from cairn.lib.scrub.rule import ScrubRule

_QUOTED = r"(?:\\{1,3})?(?P<quote>[\"'`])(?P<secret>[^\"'`\n\\]{3,200})(?:\\{1,3})?[\"'`]"
_NAME = r"(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api_?key|access_?key|secret_?key|private_?key|auth_?key|credential)"
_COLUMNS = 9
"""Up to which one of a statement is looked at."""


def _inserted(before: int) -> str:
    """A value whose column, the same number of commas after the opening parenthesis, has a telling name."""
    return (
        rf"\((?:[^,()\n]{{1,60}},){{{before}}}[^,()\n]{{0,40}}{_NAME}(?:_?(?:value|text|plain))?[ \t\"'`\]]{{0,3}}(?:,[^()]{{0,300}})?\)\s{{1,20}}values\s{{0,10}}"
        rf"\((?:(?:\s{{0,10}}(?:N?'[^'\n]{{0,120}}'|[^,'()\n]{{1,40}}|[\w.]{{1,30}}\([^()\n]{{0,40}}\))),){{{before}}}\s{{0,10}}N?'(?P<secret>[^'\n]{{4,300}})'"
    )


STATEMENTS: tuple[ScrubRule, ...] = (
    *(
        ScrubRule(
            "password",
            rf"insert[ \t]into[ \t][^\n()]{{1,80}}{_inserted(before)}",
            literals=("insert into",),
            reach=900,
            flags=re.IGNORECASE,
            check=commands.in_column,
        )
        for before in range(_COLUMNS)
    ),
    ScrubRule(
        "password",
        r"identified[ \t]+(?:with[ \t]+\S{1,40}[ \t]+)?(?:by|using)(?:[ \t]+(?:password|values))?[ \t]+(?:\"(?P<quoted>[^\"\n]{3,120})\"|(?P<secret>[^\s\"';]{4,120}))",
        literals=("identified ",),
        flags=re.IGNORECASE,
        check=commands.identified,
    ),
    ScrubRule(
        "password",
        rf"(?:password[ \t]*=[ \t]*N|(?:sym_(?:de|en)crypt(?:_bytea)?|(?<=aes_)(?:en|de)crypt|encode|decode|encryptbypassphrase|decryptbypassphrase)\([^()\n]{{1,80}},[ \t]?N?|sp_addlinkedsrvlogin[^\n;]{{0,140}},[ \t]?N?|sp_addlogin[^\n;]{{0,80}},[ \t]?N?|"
        rf"open[ \t](?:symmetric|master)[ \t]key[^\n;]{{0,80}}=[ \t]?N?){_QUOTED}",
        literals=("password", "sym_decrypt", "sym_encrypt", "encryptbypassphrase", "decryptbypassphrase", "sp_addlinkedsrvlogin", "sp_addlogin", "open symmetric", "open master", "encrypt(", "decrypt("),
        flags=re.IGNORECASE,
        check=commands.in_call,
    ),
    ScrubRule(
        "password",
        rf"(?:bcrypt\.hash(?:pw|Sync)?|hashpw|generate_password_hash|password_hash|check_password_hash|password_verify|make_password|check_password|set_password|setPassword|SetLicenseKey|setLicense(?:Key)?|"
        rf"Cipher\.(?:en|de)crypt|Fernet|AES\.new|SecretKeySpec|derive_key|pbkdf2_hmac|unlock|authenticate|login|signIn(?:WithEmailAndPassword)?|registerLicense)\((?:[\"'][^\"'\n]{{1,80}}[\"'],[ \t]?|[\w.$]{{1,40}},[ \t]?)?b?{_QUOTED}",
        literals=("hashpw", "bcrypt.hash", "password_hash", "check_password", "make_password", "set_password", "setpassword", "setlicense", "registerlicense", "cipher.", "fernet(", "aes.new(", "secretkeyspec(", "derive_key(", "pbkdf2", "password_verify", "unlock(", "authenticate(", "login(", "signin"),
        flags=re.IGNORECASE,
        check=commands.in_call,
    ),
    ScrubRule(
        "password",
        rf"(?:(?:fill|fill_in|type|setValue|set_value|enter|send_keys)\(\\?[\"'][^\"'\n]{{0,60}}?(?:pass(?:word|wd)?|pwd|otp)[^\"'\n]{{0,40}}\\?[\"'],[ \t]?(?:with:[ \t]?)?|(?:get|find|locator|getBy\w{{1,20}}|\$)\(\\?[\"'][^\"'\n]{{0,60}}?(?:pass(?:word|wd)?|pwd|otp)[^\"'\n]{{0,20}}\\?[\"']\)\.(?:type|fill|sendKeys|send_keys|setValue|clear\(\)\.type)\(){_QUOTED}",
        literals=("fill(", "fill_in(", "setvalue(", "set_value(", "send_keys(", "get(", "locator(", "getby", "$("),
        flags=re.IGNORECASE,
        check=commands.in_form,
    ),
    ScrubRule(
        "secret",
        rf"(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+)?(?:[\"']%s(?:\\n)?[\"'][ \t]+)?[\"']?(?P<secret>[^\s\"'|>]{{6,400}})[\"']?[ \t]*(?:>>?|\|[ \t]*(?:sudo[ \t])?tee)[ \t]*[^\s|;&]{{0,120}}{_NAME}",
        literals=("echo ", "printf "),
        reach=700,
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "secret",
        rf"def[ \t]\w{{0,30}}{_NAME}\w{{0,12}}\([^)\n]{{0,80}}\)[^\n]{{0,40}}:\n(?:[^\n]{{0,120}}\n){{0,4}}?[+ \t-]{{0,12}}return[ \t]b?{_QUOTED}",
        literals=("def ",),
        reach=900,
        check=commands.in_call,
    ),
    ScrubRule(
        "secret",
        r"KEY[ \t]?=[ \t]?b[\"'](?P<secret>[^\"'\n]{12,200})[\"']",
        literals=("key = b", "key=b"),
        check=commands.in_call,
    ),
    ScrubRule(
        "password",
        r"(?:attempt|login|auth(?:entication)?)[ \t]\[(?P<who>[^\s\[\]/]{1,40})/(?P<secret>[^\s\[\]]{3,80})\]|AUTH[ \t]LOGIN[ \t](?P<other>\S{1,64})[ \t](?P<plain>(?=\S{0,60}[\d!#$%^&*?~+-])[^\s\"']{6,120})",
        literals=("attempt [", "login [", "auth [", "authentication [", "auth login "),
        flags=re.IGNORECASE,
        check=commands.logged,
    ),
    ScrubRule(
        "password",
        r"(?:steamcmd[^\n|;]{0,80}\+login[ \t]\S{1,64}|\.logon[ \t][^\s,/]{1,120}/[^\s,]{1,64},|--(?:src|dest)?-?creds[ =][^\s:]{1,64}:|"
        r"(?:expdp|impdp|sqlldr|rman[ \t]target|exp|imp|sqlplus(?:[ \t]-\w)?)[ \t][\"']?[A-Za-z_]\w{1,30}/|schtasks[^\n|]{0,160}/rp|"
        r"expect[ \t]\\?[\"'][^\"'\n]{0,40}assword:?[^\"'\n]{0,6}\\?[\"'];?\s{0,8}send[ \t](?:--[ \t])?\\?[\"'])[ \t]?(?P<secret>[^\s\"'\\@;]{4,120})",
        literals=("steamcmd", ".logon ", "--creds", "--src-creds", "--dest-creds", "expdp ", "impdp ", "sqlldr ", "rman ", "sqlplus ", "schtasks", "expect "),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "secret",
        r"mc[ \t](?:alias[ \t]set|config[ \t]host[ \t]add)[ \t]\S{1,40}[ \t]\S{4,200}[ \t](?P<secret>\S{3,64}[ \t]\S{8,120})",
        literals=("mc alias", "mc config"),
    ),
    ScrubRule(
        "password",
        r"(?:set|reset|changed)[ \t](?:it|this|that)[ \t](?:back[ \t])?to[ \t][\"'`](?P<secret>[^\s\"'`]{6,80})[\"'`](?=[^\n]{0,80}(?:log|chang|rotat|for now))",
        literals=("set it", "set this", "set that", "changed it", "changed this"),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        r"[^\n]{0,90}?\|[ \t]*(?P<secret>[^\s|]{5,80})[ \t]*\|[ \t]*\((?:user(?:name)?|login)[ \t]?/[ \t]?(?:password|pass|pw)\)",
        literals=("(user", "(login"),
        before=90,
        back="*",
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        r"(?:password|passwort|passphrase|pw)[^\n]{0,40}?[ \t]from[ \t][\"'`]?\S{4,80}[\"'`]?[ \t]to[ \t][\"'`]?(?P<secret>[^\s\"'`.,;]{5,80})",
        literals=("password", "passwort", "passphrase", "pw "),
        flags=re.IGNORECASE,
        check=commands.in_call,
    ),
    ScrubRule(
        "api-key",
        r"[?&](?:appid|api_?key|apikey|app_?key|access_?key|key|token|sig|signature|auth|code)=(?P<secret>[A-Za-z0-9_%+/.-]{20,200})(?![A-Za-z0-9_%+/.-])",
        literals=tuple(f"{sign}{name}=" for sign in "?&" for name in ("appid", "api_key", "apikey", "app_key", "access_key", "key", "token", "sig", "signature", "auth", "code")),
        flags=re.IGNORECASE,
        check=commands.in_query,
    ),
    ScrubRule(
        "license-key",
        r"-{3,6} ?BEGIN LICENSE(?: KEY)? ?-{3,6}\s(?P<secret>[\s\S]{40,2000}?)\s-{3,6} ?END LICENSE",
        literals=("begin license",),
        reach=2200,
    ),
    ScrubRule(
        "email",
        r"(?:[^\n]{0,42}?(?<![\w.+-]))?(?P<secret>[a-z][a-z0-9._+-]{2,40}[ ]?(?:\(at\)|\[at\]|\{at\})[ ]?[a-z0-9-]{2,40}(?:(?:\.|[ ]?[(\[](?:dot|punkt|point)[)\]][ ]?)[a-z]{2,12}){1,3})(?![\w@])",
        literals=("(at)", "[at]", "{at}"),
        before=42,
        back="*",
        flags=re.IGNORECASE,
    ),
)  # fmt: skip
