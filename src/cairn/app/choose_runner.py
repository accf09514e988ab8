"""Which model is asked: with the operator's ceiling, and each call as a turn of our own."""

import shutil
from typing import TYPE_CHECKING

from cairn.core.model_budget import ceiling_of
from cairn.freshness.ports import FreshnessPorts

if TYPE_CHECKING:
    from cairn.core.model_budget import MeteredRunner


def choose_runner(ports: FreshnessPorts, provider: str, *, budget: str | None, stage: str = "audit") -> "MeteredRunner":
    """Who talks to a model, with the operator's ceiling; each call is a turn of that stage."""
    from cairn.adapters.runner.connect import connector
    from cairn.adapters.runner.resolve import Around, runner_for
    from cairn.capture.own_turns import AccountedRunner
    from cairn.core.model_budget import MeteredRunner, parse_price

    def which(program: str) -> str | None:
        return shutil.which(program, path=ports.env.get("PATH", ""))

    ceiling = ceiling_of(budget)
    price = ports.env.get("CAIRN_FRESHNESS_PRICE", "").strip()
    runner = runner_for(provider, Around(ports.env, connector(ports.env), which))
    return MeteredRunner(AccountedRunner(runner, ports, stage), ceiling, parse_price(price) if price else None)
