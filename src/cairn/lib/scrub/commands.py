"""What stands after a flag is a secret only for some commands: `-p` of `mysql` is, that of `mkdir` is not."""

import re

from cairn.lib.scrub.rule import Category
from cairn.lib.scrub.value import is_name, is_no_value, is_scrambled, is_shown, is_strong, is_worded_phrase, judged

Match = re.Match[str]

_LONGEST = 200
SHORTEST = 3
"""Characters of a password."""
_NEXT_COMMAND = re.compile(r"\|\||&&|[|;`]|\$\(|\n")
_PASSWORD_FLAGS: tuple[tuple[str, str], ...] = (
    (r"(?:docker|podman|buildah|skopeo|nerdctl|crane auth|oras|argocd|oc|cf|az(?: sql server| [a-z]+ server)?|ibmcloud|bx|kubectl oidc-login|"
     r"helm registry|heroku|twine|npm) (?:login|auth|upload|create)", "-p --password -P"),
    (r"sshpass|plink|pscp|psftp|putty", "-p -pw"),
    (r"mysql\w*|mariadb[\w-]*|mycli|mytop|innobackupex|xtrabackup|percona\S*", "-p"),
    (r"mongo\w*|cqlsh|influx\w*|clickhouse\S*|sqlcmd|bcp|mssql-cli|psexec\S*|wmic|cypher-shell|exp|isql|tsql|usql|osql",
     "-p -P"),
    (r"vsql", "-w"),
    (r"snmp(?:walk|get|set|bulkwalk|bulkget|table|trap|inform|status|df|test|translate|getnext)", "-c"),
    (r"redis-cli|valkey-cli|keydb-cli|redis-benchmark|iredis", "-a"),
    (r"ldap(?:search|add|modify|delete|passwd|whoami|compare)", "-w"),
    (r"7za?|unrar|rar|qpdf|pdftotext|pdftk", "-p -P -hp -upw -opw"),
    (r"unzip|zip", "-P"),
    (r"xfreerdp|rdesktop|wfreerdp", "/p: -p"),
    (r"ipmitool|snmp\w+|crackmapexec|nxc|evil-winrm|hydra|smbmap|rpcclient|swaks|mosquitto_(?:pub|sub)|impala-shell|beeline|"
     r"svn|curlftpfs|vncviewer|openconnect|htpasswd|nmcli|wpa_\w+|kinit|mqtt\w*|amqp\S*|rabbitmqadmin|vboxmanage|esxcli|"
     r"ssh-keygen|cadaver|mount\S*|net use|runas|schtasks|winrs|winexe|osqueryi|splunk|jmxterm|ansible\S*",
     "-P -p -A -X -ap -w"),
    (r"openssl (?:enc|aes\S*|des\S*)", "-k"),
    (r"(?:vsce|ovsx|poetry|uv|twine|flit|hatch|gem|cargo|dotnet nuget|nuget|npm|yarn|pnpm|luarocks|conan|conda|anaconda|mvn|helm|mix|hex|pod|dart|"
     r"codecov|coveralls|surge|vercel|netlify|firebase|expo|eas|chromatic|percy|snyk|sonar-scanner|sentry-cli) (?:\S{1,40} ){0,3}?(?:publish|upload|push|deploy|login|register|do_upload)",
     "-p -t -k -a"),
    (r"codecov\w*|coveralls|surge|chromatic|vercel|anaconda|snyk|influx|doppler|turso|k6|cloudsmith|rollbar|"
     r"(?:[\w-]{1,20}\.)?(?:codecov|coveralls|snyk|sonarcloud|deepsource)\.(?:io|com)/\S{0,60}", "-t"),
)  # fmt: skip


def _by_flag() -> dict[str, re.Pattern[str]]:
    """The commands for which a flag is followed by a password, in small letters: to compare regardless of them takes
    five times as long, and a page may be full of flags."""
    commands: dict[str, list[str]] = {}
    for names, flags in _PASSWORD_FLAGS:
        for flag in flags.split():
            commands.setdefault(flag, []).append(names)
    return {
        flag: re.compile(rf"(?:^[+-]?|[\s/(\"'$])(?:{'|'.join(names)})(?:\.exe)?[\s\"')]")
        for flag, names in commands.items()
    }


_FLAGS = _by_flag()
_OF_PROSE = frozenset(
    """takes take asks ask reads read is are was and or to for with without sets set gives give prints print needs need expects expect
accepts accept means option options flag flags argument sends send uses use does can may must should will then if when where which that
the a an here only also not nor""".split()
)
"""Words behind a flag in a sentence about it."""
_ASKING = re.compile(r"(?:^|[\s/(\"'$])(?:mysql|mariadb|mycli)", re.IGNORECASE)
_CLIENTS = re.compile(
    r"(?:^[+-]?|[\s/(\"'$])(?:curl|etcdctl|xh|https?|wget|lftp|smbclient|rpcclient|wfuzz|ffuf|ab|siege|hey|oha|mosquitto_\w+|newman|"
    r"gobuster|nikto|sftp|ncftp\w*|git|snowsql|nats|elasticdump|winexe|psexec|smbmap|crackmapexec|rpcclient|es\w*|elasticsearch\S*|kibana\S*|swaks|davfs\S*)(?:\.exe)?[\s\"']",
    re.IGNORECASE,
)


def _line_before(match: Match) -> str:
    """The command so far, without those before it; a backslash joins lines."""
    before = match.string[max(0, match.start() - _LONGEST) : match.start() + 1]
    before = before.replace("\\\n", "  ").replace("→", " ")
    return _NEXT_COMMAND.split(before)[-1]


def _value(match: Match) -> tuple[str, bool]:
    groups = match.re.groupindex
    if match["secret"] is not None:
        return match["secret"], "quote" in groups and match["quote"] is not None
    return match["plain"], False


def _worth(value: str) -> Category | None:
    """On a command line nearly everything is meant."""
    if len(value) < SHORTEST or is_no_value(value, quoted=True) or is_shown(value) or " " in value:
        return None
    return "direct" if is_strong(value) or any(char.isdigit() for char in value) or len(value) >= 8 else "indirect"


def short_flag(match: Match) -> Category | None:
    value, _ = _value(match)
    command = _FLAGS.get(match["flag"])
    if (
        command is None
        or len(value) < SHORTEST
        or value.startswith(("-", "assw"))
        or (value.isdigit() and len(value) < 6)
    ):
        return None
    line = _line_before(match)
    if not command.search(line.lower()):
        return None
    glued = match.string[match.end("flag")] not in " \t=\"'"
    if glued and match["flag"] in ("-A", "-a", "-w", "-k", "-X", "-t") and value.isalpha():
        return None  # the rest of another flag, such as `-ArgumentList`
    if value.lower() in _OF_PROSE and match.string[match.end("flag")] in " \t":
        return None
    apart = match["flag"] == "-p" and match.string[match.end("flag")] in " \t" and _ASKING.search(line)
    if apart and not is_strong(value):
        return None  # `mysql -p shop` asks for it, and `shop` is a database
    return _worth(value)


def user_flag(match: Match) -> Category | None:
    value, _ = _value(match)
    return _worth(value) if _CLIENTS.search(_line_before(match)) else None


def long_flag(match: Match) -> Category | None:
    value, quoted = _value(match)
    return None if value.startswith("-") else judged(value, quoted=True, password=True, closed=quoted)


def long_secret_flag(match: Match) -> Category | None:
    value, quoted = _value(match)
    return None if value.startswith("-") else judged(value, quoted=quoted, password=False, closed=True)


def of_openssl(match: Match) -> Category | None:
    value, _ = _value(match)
    before = match.string[
        max(0, match.start("plain" if match["secret"] is None else "secret") - 24) : match.start() + 16
    ]
    return _worth(value) if re.search(r"-pass(?:in|out)?\s+[\"']?pass:", before) else None


_ALGORITHM = re.compile(
    r"(?:sha|md|hs|rs|es|ps|aes|des)-?\d{1,3}(?:[-_/.][\w-]{1,12}){0,2}|[\w.-]+\.\w{2,8}(?::\d+)?", re.IGNORECASE
)


def argument(match: Match) -> Category | None:
    """Of a call that takes a key or a password."""
    value = match["secret"]
    if _ALGORITHM.fullmatch(value) or "://" in value or value.startswith("SK"):
        return None
    return judged(value, quoted=True, password=True, closed=False)


def in_statement(match: Match) -> Category | None:
    return _worth(_value(match)[0])


def in_netrc(match: Match) -> Category | None:
    value, quoted = _value(match)
    return judged(value, quoted=True, password=True, closed=quoted or is_strong(value))


def stored(match: Match) -> Category | None:
    """What a store of secrets is given."""
    value, _ = _value(match)
    if value.startswith("-") or is_name(value):
        return None
    return _worth(value)


def piped(match: Match) -> Category | None:
    return _worth(match["secret"])


def pair(match: Match) -> Category | None:
    """A name and a password, side by side."""
    value = match["secret"].rstrip(".")
    if value == match["who"] or match["who"].lower() in ("http", "https") or "/" in value:
        return None
    if is_scrambled(value) or is_worded_phrase(value):
        return "direct"
    return judged(value, quoted=False, password=True, closed=False) if is_strong(value) else None


_MODE = frozenset("encrypted disable enable none cipher simple plaintext md5 sha sha256 text aes des the your".split())


def of_device(match: Match) -> Category | None:
    """Configurations have the same words for how a key is kept; a word of letters alone is one of those."""
    value = match["secret"].rstrip(";")
    if value.lower() in _MODE or value.isdigit() or (value.isalpha() and not match["quote"]) or _CODE.search(value):
        return None
    return judged(value, quoted=True, password=True, closed=bool(match["quote"]))


_CODE = re.compile(r"[(){}=:,]$|^[({=:,]|\w\(")


def in_column(match: Match) -> Category | None:
    """A value whose column is called a secret."""
    return judged(match["secret"], quoted=True, password=True, closed=False)


def identified(match: Match) -> Category | None:
    quoted = match["quoted"] is not None
    value = match["quoted"] or match["secret"].rstrip(".,;:)")
    if not quoted and not any(char.isdigit() or not char.isalnum() for char in value):
        return None
    return _worth(value)


def in_call(match: Match) -> Category | None:
    """An argument: names and labels are passed as often as secrets are."""
    value = match["secret"]
    if " " in value or "/" in value[:1] or _ALGORITHM.fullmatch(value):
        return None
    return judged(value, quoted=True, password=True, closed=False)


def in_form(match: Match) -> Category | None:
    """What a test types into a field."""
    value = match["secret"].partition("{")[0]
    telling = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return judged(value, quoted=True, password=True, closed=False) if telling else None


def logged(match: Match) -> Category | None:
    value = match["secret"] or match["plain"]
    return None if value.endswith("]") else _worth(value)


def in_query(match: Match) -> Category | None:
    """A key in the query of an address."""
    value = match["secret"]
    return judged(value, quoted=True, password=False, closed=True) if any(c.isdigit() for c in value) else None
