"""Secrets on a command line, in a statement of SQL, and in files that have only a blank between name and value."""

import re

from cairn.lib.scrub import commands
from cairn.lib.scrub.rule import ScrubRule

_VALUE = r"(?:(?P<quote>[\"'])(?P<secret>[^\"'\n]{1,120})[\"']|(?P<plain>[^\s\"'`,;<>()|\[\]{}]{2,120}))"
_USER = r"[^\s\"':,%]{1,64}"

COMMANDS: tuple[ScrubRule, ...] = (
    ScrubRule(
        "password",
        rf"[ \t](?P<flag>-{{1,2}}(?:hp|pw|ap|upw|opw|p|P|a|w|k|A|X)|/p:)[ \t=]?{_VALUE}",
        literals=(" -", " /p:"),
        check=commands.short_flag,
    ),
    ScrubRule(
        "password",
        r"[ \t](?P<flag>-[a-zA-Z]{0,5}u|-U|--user|--proxy-user|--auth|-a)[ \t=]?"
        rf"(?:(?P<quote>[\"']){_USER}[:,%](?P<secret>[^\"'\n]{{1,120}})[\"']|{_USER}[:,%](?P<plain>[^\s\"'`;<>()|]{{2,120}}))",
        literals=(" -",),
        check=commands.user_flag,
    ),
    ScrubRule(
        "password",
        rf"[ \t](?:--?(?:[a-z]{{1,12}}-)?(?:pass(?:word|wd|phrase|code)?|pwd)|-(?:store|key|src|dest)pass)[ \t]{_VALUE}",
        literals=(" -",),
        check=commands.long_flag,
    ),
    ScrubRule(
        "secret",
        r"[ \t]--?(?:[a-z]{1,16}-){0,3}(?:token|secret|api-?key|access-?key|secret-?key|auth-?key|auth|key|pat|credential)[ \t]"
        rf"{_VALUE}",
        literals=(" -",),
        check=commands.long_secret_flag,
    ),
    ScrubRule(
        "password",
        rf"(?:openssl[ \t]passwd[ \t](?:-\w{{1,8}}[ \t])*|community[ \t](?=\S{{3,40}}[ \t]R[OW])|ConvertTo-SecureString[ \t](?:-String[ \t])?|password-file=<\(echo[ \t])(?![-/<]){_VALUE}",
        literals=("openssl passwd", "password-file=<", "community ", "convertto-securestring"),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"(?:htpasswd[ \t]+-\w*n\w*b\w*[ \t]+\S{{1,64}}|htpasswd[ \t]+-(?!\w*n)\w*b\w*[ \t]+\S{{1,120}}[ \t]+\S{{1,64}}|net[ \t]use[ \t][^\n]{{0,120}}?/user:\S{{1,80}}|"
        r"net[ \t]use[ \t](?:\S{1,3}[ \t])?\\\\\S{1,120}(?=[ \t]\S{3,80}[ \t]/user:)|rclone[ \t]obscure|rabbitmqctl[ \t](?:add_user|change_password)[ \t]\S{1,64}|"
        rf"--password-command[= ][\"']?(?:echo|printf)|ssh-keygen[^\n]{{0,80}}[ ]-N|chpasswd[ ]<<<|smbpasswd[^\n]{{0,60}}<<<)[ \t]+{_VALUE}",
        literals=("htpasswd", "net use", "rclone obscure", "rabbitmqctl", "--password-command", "ssh-keygen", "chpasswd", "smbpasswd"),
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"[^\n]{{0,130}}?(?:kinit|restic|borg|cryptsetup|gpg|openssl|passwd|sudo|su|ssh-add|vault|docker|psql|mysql|zip)[^\n|;<]{{0,120}}<<<[ \t]?{_VALUE}",
        literals=("<<<",),
        before=130,
        back="*",
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"(?:[a-z]{{0,20}}_)?(?:password|passwd|secret|token)[\"'][ \t]*\{{[^}}]{{0,200}}?default[ \t]*=[ \t]*{_VALUE}",
        literals=("password", "passwd", "secret", "token"),
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"pass:{_VALUE}",
        literals=("pass:",),
        before=14,
        back=" -inout",
        check=commands.of_openssl,
    ),
    ScrubRule(
        "password",
        r"(?:identified[ \t]+(?:with[ \t]+\S{1,40}[ \t]+)?by(?:[ \t]+password)?|(?:encrypted[ \t]+)?password[ \t]|set[ \t]+password"
        r"[^=\n]{0,60}=)[ \t]*(?:password\()?(?P<quote>')(?P<secret>[^'\n]{1,120})'",
        literals=("identified", "password", "set password"),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"(?:login|user(?:name)?|account)[ \t]+\S{{1,64}}[ \t\n]+(?:password|passwd)[ \t]+{_VALUE}",
        literals=("login", "user", "account"),
        flags=re.IGNORECASE,
        check=commands.in_netrc,
    ),
    ScrubRule(
        "password",
        r"(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+)?[\"']?(?:%s\\n[\"'][ \t]+[\"']?)?(?:(?P<who>[A-Za-z0-9._@-]{1,64}):)?"
        r"(?P<secret>[^\s\"'|;]{3,120})[\"']?(?:;[^|\n]{0,200}\))?[ \t]*\|[ \t]*(?:sudo[ \t]+-\w*S|smbpasswd|\S{0,40}[ \t]?(?:chpasswd|passwd)\b|"
        r"(?:docker|podman|helm)[^\n|]{0,80}--password-stdin|gh auth login --with-token|cryptsetup)",
        literals=("echo ", "printf "),
        check=commands.piped,
    ),
    ScrubRule(
        "password",
        r"(?P<place>(?:[A-Za-z0-9*][A-Za-z0-9._*-]{0,80}):\d{2,5}:[^\s:\"']{1,64}:[^\s:\"']{1,64}:)(?P<secret>[^\s:\"']{3,120})(?![^\s\"'`])",
        literals=(":5432:",),
        before=80,
        back="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.*_-",
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        r"(?:HTTPBasicAuth|BasicAuth|NetworkCredential|UsernamePasswordCredentials?|auth|basic_auth|SetBasicAuth|credentials|login|authenticate|userInfo)[ \t]{0,2}[=(:]{1,2}[ \t]{0,2}[(\[{]?"
        r"[ \t]{0,2}[\"'][^\"'\n]{1,64}[\"'],[ \t]{0,2}(?P<quote>[\"'])(?P<secret>[^\"'\n]{3,120})[\"']",
        literals=("auth", "credential", "login", "userinfo", "basicauth", "httpbasicauth", "networkcredential", "usernamepassword", "setbasicauth"),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "secret",
        r"(?:createHmac|hash_hmac|createCipheriv|jwt\.(?:sign|verify|encode|decode)|jsonwebtoken\.(?:sign|verify)|mysqli?_connect|new[ ]mysqli|oci_connect|pg_connect|new[ ]PDO|getConnection|WiFi\.begin(?:Multi)?|"
        r"AccessToken|ssh2_auth_password|ftp_login|ldap_bind|imap_open|Credentials?)\((?:[^\"'\n)]{0,120}[\"'][^\"'\n]{0,120}[\"'],[ \t]{0,4}|\{[^{}\n]{0,120}\},[ \t]{0,4}|[\w.$]{1,40},[ \t]{0,4}){1,3}?"
        r"(?:b|Buffer\.from\()?(?P<quote>[\"'])(?P<secret>(?=[^\"'\n]{0,60}[\d!$%^*~])[^\"'\s\n]{8,200})[\"']",
        literals=("createhmac(", "hash_hmac(", "createcipheriv(", "jwt.", "jsonwebtoken.", "mysql_connect(", "mysqli_connect(", "new mysqli(", "oci_connect(", "pg_connect(", "new pdo(", "getconnection(",
                  "wifi.begin", "accesstoken(", "ssh2_auth_password(", "ftp_login(", "ldap_bind(", "imap_open("),
        flags=re.IGNORECASE,
        check=commands.argument,
    ),
    ScrubRule(
        "password",
        r"(?<![^\W_])(?:cred(?:ential)?s?|log-?ins?|(?:log(?:ged)?|sign(?:ed)?)[ -]in[ \t](?:as|with)|zugangsdaten|anmeldedaten|identifiants?|credenciales|credenziali|credenciais|"
        r"inloggegevens|dane[ \t]logowania|inloggningsuppgifter|user(?:name)?[ \t]?(?:/|and|&)[ \t]?pass(?:word)?|"
        r"přístupové[ \t]údaje|přihlašovací[ \t]údaje|prihlasovacie[ \t]údaje|giriş[ \t]bilgileri|доступы?|dane[ \t]dostępowe|inloggning|datos[ \t]de[ \t]acceso|accès|zugang|pristupni[ \t]podaci|"
        r"belépési[ \t]adatok|учетные[ \t]данные|логин(?:[ \t]?(?:/|и)[ \t]?пароль)?|账号密码|用户名密码|ログイン情報)"
        r"(?![^\W_])(?:[ \t][^\s:=]{1,20}){0,4}?(?:[ \t]?[:=：–][ \t\n]{0,2}|[ \t](?=\S{2,40}[ \t]?/[ \t]?)|[ \t](?:are|is|sind|son|sono|são|zijn|to|это|-)[ \t\n]|[は是])"
        r"[\"'`(]{0,2}(?P<who>[A-Za-z0-9._@+-]{2,64})[\"'`]?(?:[ \t]?(?:/|:|\|)[ \t]?|[ \t](?:and|und|et|y|e|en|i|и|with)[ \t])"
        r"[\"'`]?(?P<secret>[^\s\"'`,;<>()|]{4,120})",
        literals=("cred", "login", "log-in", "log in", "logged in", "sign in", "zugangsdaten", "anmeldedaten", "identifiant", "inloggegevens", "dane logowania",
                  "inloggning", "user", "přístupové", "Přístupové", "přihlašovací", "Přihlašovací", "prihlasovacie", "giriş bilgileri", "Giriş bilgileri", "доступ", "Доступ", "dane dost", "datos de acceso", "accès", "zugang ", "zugang:", "pristupni", "belépési", "учетные", "Учетные", "логин", "Логин", "账号密码", "用户名密码", "ログイン情報"),
        flags=re.IGNORECASE,
        check=commands.pair,
    ),
)  # fmt: skip
