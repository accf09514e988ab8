"""Keys of wallets: the form that they are exported in, hexadecimal ones beside their name, and lists of bytes."""

import re

from cairn.lib.scrub import wallets
from cairn.lib.scrub.rule import ScrubRule

_BASE58 = "[1-9A-HJ-NP-Za-km-z]"
_KEY = r"(?:0x)?[0-9a-f]{64}"
_QUOTE = r"\\{0,3}[\"'`]"
_NAMES = r"accounts|private[ _-]?keys?|priv[ _-]?keys?|mnemonic|wallets?|signers?|deployer|from[ _]?key|toaccount"

WALLETS: tuple[ScrubRule, ...] = (
    ScrubRule(
        "wallet-key",
        rf"(?:(?<![A-Za-z0-9+/=])|(?<=\\n))(?:[KL]{_BASE58}{{51}}|5{_BASE58}{{50}}|c{_BASE58}{{51}}|9{_BASE58}{{50}})(?![A-Za-z0-9+/=])",
        words=("Kw", "Kx", "Ky", "Kz", "L1", "L2", "L3", "L4", "L5", "5H", "5J", "5K", *(f"c{char}" for char in "MNPQRSTUVW"), "91", "92", "93"),
        check=wallets.exported,
    ),
    ScrubRule(
        "wallet-key",
        rf"(?:{_NAMES})\w{{0,14}}(?:\\{{0,3}}[\"'`])?[ \t]{{0,8}}(?:=>|:=|[:=(])?[ \t]{{0,8}}"
        rf"(?:(?:new[ ])?\w{{0,16}}[\[({{]\s{{0,40}})?(?:{_QUOTE})?(?P<secret>{_KEY}(?:{_QUOTE}\s{{0,4}},\s{{0,40}}{_QUOTE}{_KEY}){{0,20}})(?![A-Za-z0-9])",
        literals=("accounts", "private", "privkey", "priv_key", "priv-key", "mnemonic", "wallet", "signer", "deployer", "from_key", "fromkey", "toaccount"),
        reach=2000,
        flags=re.IGNORECASE,
        check=wallets.listed,
    ),
    ScrubRule(
        "wallet-key",
        r"(?P<secret>\[\s{0,20}(?:\d{1,3}\s{0,4},\s{0,20}){63}\d{1,3}\s{0,4},?\s{0,20}\])",
        shapes=("[0", "[\n"),
        reach=2400,
        check=wallets.in_bytes,
    ),
)  # fmt: skip
