"""Which model is asked: with the operator's ceiling, and each call as a turn of our own."""

import shutil
from typing import TYPE_CHECKING

from cairn.adapters.runner.connect import connector
from cairn.adapters.runner.resolve import RunnerEnvironment, runner_for
from cairn.capture.python_turn import AccountedRunner
from cairn.core.model_budget import MeteredRunner, ceiling_of, parse_price

if TYPE_CHECKING:
    from cairn.capture.ports import CapturePorts


def choose_runner(ports: "CapturePorts", provider: str, *, budget: str | None, stage: str) -> MeteredRunner:
    """Who talks to a model, with the operator's ceiling; each call is a turn of that stage."""

    def which(program: str) -> str | None:
        return shutil.which(program, path=ports.env.get("PATH", ""))

    ceiling = ceiling_of(budget)
    price = ports.env.get("CAIRN_FRESHNESS_PRICE", "").strip()
    runner = runner_for(provider, RunnerEnvironment(ports.env, connector(ports.env), which))
    return MeteredRunner(AccountedRunner(runner, ports, stage), ceiling, parse_price(price) if price else None)
