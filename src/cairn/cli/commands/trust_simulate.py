"""`cairn trust simulate`: how often decisions are wrong among made-up voters."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cairn.cli.define import define
from cairn.cli.invocation import Invocation

if TYPE_CHECKING:
    from cairn.trust.simulate import SimulationResult, Sweep


@define(
    "simulate",
    help="Play months of honest, careless, sleeping, colluding and destructive voters, and count wrong promotions and "
    "wrong rollbacks. The world is fixed; nothing of this workspace is read.",
    examples=(
        ("cairn trust simulate", "the thresholds of a hub"),
        ("cairn trust simulate --sweep --svg trust.svg", "where does it break?"),
        ("cairn trust simulate --rollbacks", "what other thresholds would do"),
    ),
    exits=(0, 2),
)
@click.option(
    "--preset", type=click.Choice(("hub", "team")), default="hub", show_default=True, help="Whose thresholds."
)
@click.option("--seeds", type=click.IntRange(1, 200), default=20, show_default=True, help="How many worlds.")
@click.option("--days", type=click.IntRange(1, 400), default=120, show_default=True, help="How long each lasts.")
@click.option("--vandals", type=click.FloatRange(0, 0.6), default=0.1, show_default=True, help="Share of the voters.")
@click.option("--sweep", "sweeps", is_flag=True, help="With ever more vandals, until it breaks.")
@click.option("--rollbacks", is_flag=True, help="With other thresholds of rollback.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the sweep into a file.")
def simulate_command(
    ctx: Invocation,
    preset: str,
    seeds: int,
    days: int,
    vandals: float,
    sweeps: bool,
    rollbacks: bool,
    svg: Path | None,
) -> int:
    from cairn.cli.save_output import put
    from cairn.trust.presets import PRESETS
    from cairn.trust.simulate import SimulatedWorld, by_rollback, simulate, sweep

    chosen = next(one for one in PRESETS.values() if one.name == preset)
    world, found = SimulatedWorld(days=days, vandals=vandals), None
    if sweeps or svg is not None:
        found = sweep(chosen, world, seeds)
    nets = by_rollback(chosen, world, seeds) if rollbacks else {}
    plain = [simulate(chosen, world, seeds)] if found is None and not nets else []
    results = [*plain, *nets.values(), *(found.results if found else ())]
    names = [
        *("" for _ in plain),
        *(f"rollback at {net}" for net in nets),
        *("" for _ in (found.results if found else ())),
    ]
    if svg is not None and found is not None:
        from cairn.trust.simulation_picture import svg as drawn

        put(ctx.directory, ctx.directory / svg, drawn(found, f"Trust, preset {preset}, {seeds} worlds"))
    _print(ctx, results, names, found)
    return 0


def _print(ctx: Invocation, results: "list[SimulationResult]", names: list[str], found: "Sweep | None") -> None:
    breaks = found.breaks_at if found is not None else None
    if ctx.json:
        told = [{**one.json(), "name": name} for one, name in zip(results, names, strict=True)]
        ctx.out.emit_json({"results": told, "breaksAt": breaks})
        return
    rows = [
        (
            name,
            f"{one.vandals:.0%}",
            f"{one.stable} of {one.good}",
            "" if one.median_days is None else f"{one.median_days:g}",
            f"{one.promotion_rate:.2%}",
            f"{one.rollback_rate:.2%}",
            f"{one.caught} of {one.bad}",
        )
        for one, name in zip(results, names, strict=True)
    ]
    head = ("", "vandals", "good and stable", "days", "wrong promotions", "wrong rollbacks", "bad withdrawn")
    ctx.out.table(rows, header=head)
    if found is not None:
        ctx.out.say(f"passes 1 % at {breaks:.0%} vandals" if breaks is not None else "never passes 1 %")
