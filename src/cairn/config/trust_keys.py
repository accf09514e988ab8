"""Settings of trust: who confirms pages, and the numbers of a preset that a workspace tunes."""

from cairn.config.key import Key

TRUST_KEYS: tuple[Key, ...] = (
    Key(
        "trust.preset",
        "text",
        "solo",
        "Who confirms pages: `solo` counts merges, checks and use; `team` people and agents; `hub` many strangers.",
        choices=("solo", "team", "hub"),
    ),
    Key("trust.beta.points", "integer", None, "Points that a page needs for beta.", nullable=True, minimum=1),
    Key("trust.beta.hours", "integer", None, "Hours that a page stays alpha at least.", nullable=True, minimum=1),
    Key("trust.stable.points", "integer", None, "Points that a page needs for stable.", nullable=True, minimum=1),
    Key("trust.stable.hours", "integer", None, "Hours that a page is watched before stable.", nullable=True, minimum=1),
    Key(
        "trust.stable_flags",
        "integer",
        None,
        "Flags that put a stable page in quarantine; the first one puts it on hold.",
        nullable=True,
        minimum=1,
    ),
    Key(
        "trust.window_days",
        "integer",
        None,
        "Days of ballots that a stable page is judged by.",
        nullable=True,
        minimum=1,
    ),
    Key(
        "trust.stale_days",
        "integer",
        None,
        "Days without a confirmation until a page is stale.",
        nullable=True,
        minimum=1,
    ),
    Key("trust.votes_per_day", "integer", None, "Ballots that one voter may cast in a day.", nullable=True, minimum=1),
)
