"""Secrets on command lines, in statements of SQL, calls and logs, and in configurations of devices."""

import re

from cairn.lib.scrub import checks, commands
from cairn.lib.scrub.rule import ScrubRule

_VALUE = r"(?:(?P<quote>[\"'])(?P<secret>[^\"'\n]{1,120})[\"']|(?P<plain>[^\s\"'`,;<>()|\[\]{}]{2,120}))"
_USER = r"[^\s\"':,%]{1,64}"

COMMANDS: tuple[ScrubRule, ...] = (
    ScrubRule(
        "password",
        rf"ENV[ \t]+[A-Z0-9_]{{0,40}}?(?:PASSWORD|PASSWD|PASSPHRASE|_PASS|_PWD)[ \t]+(?!=){_VALUE}(?![^\r\n]*[^\s])",
        literals=("env ",),
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"[ \t](?P<flag>-{{1,2}}(?:hp|pw|ap|upw|opw|p|P|a|w|k|A|X|t)|/p:)[ \t=]?{_VALUE}",
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
        rf"(?:openssl[ \t]passwd[ \t](?:-\w{{1,8}}[ \t])*|rootpw[ \t]+(?:--(?:plaintext|iscrypted|allow-ssh)[ \t]+){{0,2}}|net[ \t]user[ \t](?:/domain[ \t])?[\w.$-]{{1,40}}[ \t](?=\S{{4,80}}(?:[ \t]+/|\s|$))|community[ \t](?=\S{{3,40}}[ \t]R[OW])|ConvertTo-SecureString[ \t](?:-String[ \t])?|password-file=<\(echo[ \t])(?![-/<]){_VALUE}",
        literals=("openssl passwd", "rootpw ", "net user ", "password-file=<", "community ", "convertto-securestring"),
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
        r"(?:docker|podman|helm)[^\n|]{0,80}--password-stdin|gh auth login --with-token|cryptsetup|[\w.-]{2,20}[ \t][^\n|]{0,60}?(?:\blogin\b|-(?:with-token|stdin)\b|\bauth\b|\bunlock\b))",
        literals=("echo ", "printf "),
        check=commands.piped,
    ),
    ScrubRule(
        "password",
        r"[^\n]{0,160}?(?<![^\s/\"'=(])(?P<user>(?!(?:sftp|ssh|scp|rsync|git|svn|mailto|docker|https?|sip)s?:)[A-Za-z0-9_.$\\-]{1,40}):(?P<quote>['\"]?)(?P<secret>(?P<password>[^\s\"'`/]{4,80}))(?P=quote)@(?P<host>\d{1,3}(?:\.\d{1,3}){3})(?!\d)",
        shapes=("@0",),
        before=200,
        back="*",
        behind=r":\S{4,39}$",
        check=checks.in_url,
    ),
    ScrubRule(
        "password",
        r"\]:\d{2,5}[ \t]+(?P<user>[^\s:]{1,64}):(?P<secret>[^\s:]{6,120})(?=\s|$)",
        literals=("]:",),
        check=commands.in_statement,
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
        r"[ \t]{0,2}[\"'][^\"'\n]{1,64}[\"'],[ \t]{0,2}(?:Some\()?(?P<quote>[\"'])(?P<secret>[^\"'\n]{3,120})[\"']",
        literals=("auth", "credential", "login", "userinfo", "basicauth", "httpbasicauth", "networkcredential", "usernamepassword", "setbasicauth"),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "secret",
        r"(?:createHmac|hash_hmac|createCipheriv|jwt\.(?:sign|verify|encode|decode)|jsonwebtoken\.(?:sign|verify)|mysqli?_connect|new[ ]sequelize|connectionfactory|new[ ]mysqli|oci_connect|pg_connect|new[ ]PDO|getConnection|WiFi\.begin(?:Multi)?|"
        r"AccessToken|ssh2_auth_password|ftp_login|ldap_bind|imap_open|Credentials?)\((?:[^\"'\n)]{0,120}[\"'][^\"'\n]{0,120}[\"'],[ \t]{0,4}|\{[^{}\n]{0,120}\},[ \t]{0,4}|[\w.$]{1,40},[ \t]{0,4}){1,3}?"
        r"(?:b|Buffer\.from\()?(?P<quote>[\"'])(?P<secret>(?=[^\"'\n]{0,60}[\d!$%^*~])[^\"'\s\n]{8,200})[\"']",
        literals=("new sequelize(", "connectionfactory(", "createhmac(", "hash_hmac(", "createcipheriv(", "jwt.", "jsonwebtoken.", "mysql_connect(", "mysqli_connect(", "new mysqli(", "oci_connect(", "pg_connect(", "new pdo(", "getconnection(",
                  "wifi.begin", "accesstoken(", "ssh2_auth_password(", "ftp_login(", "ldap_bind(", "imap_open("),
        flags=re.IGNORECASE,
        check=commands.argument,
    ),
    ScrubRule(
        "password",
        r"(?:pymysql|mysqldb|mysql\.connector|pymssql|cx_oracle|oracledb|psycopg2?|redshift_connector|vertica_python|dbapi|ibm_db|jaydebeapi)\.connect\("
        r"(?:[\"'][^\"'\n]{0,120}[\"'],[ \t]{0,4}){1,2}?(?P<quote>[\"'])(?P<secret>(?=[^\"'\n]{0,60}[\d!$%^*~])[^\"'\s\n]{8,200})[\"']",
        literals=(".connect(",),
        before=20,
        back="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.",
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
        rf"password[ \t]*=[ \t]*N{_QUOTED}",
        literals=("password=n", "password = n", "password =n", "password= n"),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        rf"(?:(?:sym_(?:de|en)crypt(?:_bytea)?|(?<=aes_)(?:en|de)crypt|encode|decode|encryptbypassphrase|decryptbypassphrase)\([^()\n]{{1,80}},[ \t]?N?|sp_addlinkedsrvlogin[^\n;]{{0,140}},[ \t]?N?|sp_addlogin[^\n;]{{0,80}},[ \t]?N?|"
        rf"open[ \t](?:symmetric|master)[ \t]key[^\n;]{{0,80}}=[ \t]?N?){_QUOTED}",
        literals=("sym_decrypt", "sym_encrypt", "encryptbypassphrase", "decryptbypassphrase", "sp_addlinkedsrvlogin", "sp_addlogin", "open symmetric", "open master", "encrypt(", "decrypt("),
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
        r"[- ]{3,7}BEGIN LICEN[SC]E(?: KEY)? ?-{3,6}\s(?P<secret>[\s\S]{40,2000}?)\s-{3,6} ?END LICEN[SC]E",
        literals=("begin licen",),
        before=8,
        back="- ",
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

_DEVICES_VALUE = r"(?P<quote>[\"']?)(?P<secret>[^\s\"'<>]{3,120})"

_KEYS = (
    r"(?:radius|tacacs|radsec|tacplus)(?:-server)?[ \t][^\n]{0,120}?\bkey(?:[ \t][0-7])?|"
    r"isakmp[ \t]key(?:[ \t][0-6])?|key-string(?:[ \t][0-7])?|(?:message-digest-key|authentication-key)[ \t]\d{1,3}[ \t](?:md5|sha\d{0,3}|hmac-\S{1,12})(?:[ \t][0-7])?|"
    r"(?:standby|vrrp|glbp)[ \t]\d{1,4}[ \t]authentication(?:[ \t](?:text|md5[ \t]key-string))?(?:[ \t][0-7](?=[ \t]))?|(?:ospf|rip|isis|eigrp)[ \t]authentication-key(?:[ \t][0-7])?|"
    r"neighbor[ \t]\S{3,60}[ \t]password(?:[ \t][0-7])?|ppp[ \t](?:chap|pap)[^\n]{0,60}?password(?:[ \t][0-7])?|"
    r"(?:wpa-psk|wpa2-psk|psk|wep-key|sae)[ \t](?:set-key[ \t])?(?:ascii|hex|passphrase)(?:[ \t][0-8])?|pre-shared-key(?:[ \t](?:local|remote|ascii-text|hexadecimal|cipher|simple|plain))*(?:[ \t][0-8])?|"
    r"plain-text-password(?:-value)?|(?:encrypted|authentication|privacy|shared)-(?:password|secret|key)|"
    r"enable[ \t](?:secret|password)(?:[ \t]level[ \t]\d{1,2})?(?:[ \t][0-9])?|username[ \t]\S{1,60}[ \t](?:privilege[ \t]\d{1,2}[ \t])?(?:secret|password)(?:[ \t][0-9])?|"
    r"set[ \t](?:passwd|psksecret|ppk-secret|passphrase|sso-password|auth-pwd|priv-pwd|authpasswd)|password[ \t](?:manager|operator)[ \t](?:user-name[ \t]\S{1,40}[ \t])?(?:plaintext|sha1)|"
    r"(?:password|authentication-mode[ \t]\S{1,12})[ \t](?:simple|cipher|irreversible-cipher)|auth_pass|auth_key|"
    r"option[ \t](?:key|password|psk|secret|auth_secret|private_key)"
)
_LITERALS = (
    "radius", "tacacs", "radsec", "tacplus", "isakmp", "key-string", "message-digest-key", "authentication-key", "standby", "vrrp", "glbp", "ospf", "isis", "eigrp", "neighbor", "ppp ", "wpa-psk", "wpa2-psk", "psk",
    "wep-key", "pre-shared-key", "plain-text-password", "encrypted-", "privacy-", "shared-", "enable secret", "enable password", "username ", "set passwd", "set psksecret", "set ppk", "set passphrase",
    "set auth", "set priv", "set sso", "password ", "authentication-mode", "auth_pass", "auth_key", "option key", "option password", "option psk", "option secret", "option auth_secret", "option private_key",
)  # fmt: skip

DEVICES: tuple[ScrubRule, ...] = (
    ScrubRule(
        "password",
        rf"(?:{_KEYS})[ \t]+{_DEVICES_VALUE}",
        literals=_LITERALS,
        flags=re.IGNORECASE,
        check=commands.of_device,
    ),
    ScrubRule(
        "password",
        r"WIFI:(?:[A-Z]:[^;\n]{0,64};){0,6}?P:(?P<secret>(?:[^;\\\n]|\\.){4,80});",
        literals=("wifi:",),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "password",
        r"<keyMaterial(?:[ \t][^<>\n]{0,60})?>(?P<secret>[^<>\n]{4,120})<",
        literals=("<keymaterial",),
        flags=re.IGNORECASE,
        check=commands.in_statement,
    ),
    ScrubRule(
        "secret",
        r"encryption:\s{1,20}key:[ \t]{1,4}[\"']?(?P<secret>[A-Za-z0-9+/]{43}=)",
        literals=("encryption:",),
        check=commands.in_statement,
    ),
    ScrubRule(
        "private-key",
        r"(?:private-key|preshared-key)[ \t]<\((?:echo|printf)[ \t][\"']?(?P<secret>[A-Za-z0-9+/]{43}=)",
        literals=("private-key <", "preshared-key <"),
    ),
)
