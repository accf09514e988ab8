"""Secrets in the configurations of routers, switches, access points and boards, where no sign stands after the name."""

import re

from cairn.lib.scrub import commands
from cairn.lib.scrub.rule import ScrubRule

_VALUE = r"(?P<quote>[\"']?)(?P<secret>[^\s\"'<>]{3,120})"

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
        rf"(?:{_KEYS})[ \t]+{_VALUE}",
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
