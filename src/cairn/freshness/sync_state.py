"""State that travels: what this clone knows of sources, to and from the ref that other clones read.

Nothing here is needed for a run; without it, a run in a fresh clone has to take everything for new.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Literal, NamedTuple, Protocol, cast

from cairn.core.ports.git_refs import REMOTE, STATE_REF, SharedState
from cairn.core.ports.runtime import utc_day
from cairn.errors import CairnError, Conflict, Refused
from cairn.freshness.ports import FreshnessPorts
from cairn.freshness.sources import place_of
from cairn.freshness.state_rows import NOTHING, SourceState, StateNeeds, files_of, known, known_in, merged, worth_taking

Mode = Literal["off", "local", "push"]
TRIES = 5
_DAY_MS = 24 * 60 * 60 * 1000


class StateSyncPorts(FreshnessPorts, Protocol):
    @property
    def shared_state(self) -> SharedState: ...


class RemoteState(NamedTuple):
    """What a commit of the ref holds, read whole and found sound."""

    commit: str | None
    known: SourceState = NOTHING
    snapshots: Mapping[str, str] = {}
    requests: Mapping[str, Any] = {}


class PulledState(NamedTuple):
    commit: str | None
    """None when there is no state yet."""
    rows: dict[str, int]
    """That are here now and were not, or not so new, by table."""
    snapshots: int = 0
    requests: int = 0

    @property
    def anything(self) -> bool:
        return bool(self.snapshots or self.requests or any(self.rows.values()))


class PushedState(NamedTuple):
    commit: str
    moved: bool
    """Whether there was anything to say that the ref did not."""
    remote: bool
    tries: int = 1


def mode_of(ports: FreshnessPorts) -> Mode:
    return cast(Mode, ports.settings.text("freshness.state"))


# --- what is here ---------------------------------------------------------------------------------------------------


def known_here(ports: FreshnessPorts) -> SourceState:
    web = ports.store.web
    return known(
        sources=web.sources(), texts=web.texts(), links=web.links(), attempts=web.attempts(), audits=web.audits()
    )


def is_fresh(ports: FreshnessPorts) -> bool:
    """Whether this store has never seen a source."""
    web = ports.store.web
    return not (web.sources() or web.attempts())


def arrived(ref: SharedState, commit: str | None) -> RemoteState:
    """`Refused` when any part of it is not as Cairn writes it."""
    if commit is None:
        return RemoteState(None)
    try:
        contents = ref.read(commit)
        if contents is None:
            return RemoteState(commit)
        rows = known_in(contents.files)
        return RemoteState(commit, rows, contents.snapshots, ref.requests_in(contents.changes))
    except Refused as refused:
        raise Refused(
            f"The state at {STATE_REF} ({commit[:9]}) is not used: {refused.message} When it can go, "
            f"`git update-ref -d {STATE_REF}` takes it away here, and `git push {REMOTE} :{STATE_REF}` there.",
            ref=STATE_REF,
            commit=commit,
        ) from None


# --- from the ref ---------------------------------------------------------------------------------------------------


def pull(ports: StateSyncPorts, *, remote: bool, keep: bool = True) -> PulledState:
    """Bring what the ref knows into the store; what is newer here stays. Not `keep`: only the store learns of it, so
    that a rehearsal leaves no trace in git."""
    ref = ports.shared_state
    theirs = arrived(ref, ref.there() if remote else ref.here())
    pulled = _taken_in(ports, ref, theirs, keep=keep)
    if keep and theirs.commit is not None:
        ref.settle(theirs.commit)
    return pulled


def _taken_in(ports: FreshnessPorts, ref: SharedState, theirs: RemoteState, *, keep: bool) -> PulledState:
    ours = known_here(ports)
    together = merged(_agreed(ports, ref), ours, theirs.known)
    snapshots = _restore_snapshots(ports, ref, theirs, together)
    rows = _keep_rows(ports, ours, together)
    requests = ref.keep_requests(theirs.requests) if keep and ports.forge.name == "local" else 0
    return PulledState(theirs.commit, rows, snapshots, requests)


def _agreed(ports: FreshnessPorts, ref: SharedState) -> SourceState:
    """What store and ref had in common after the last time. Only attempts are ever taken back in between: an entry
    whose audit failed was audited well since. A store that is fresh has dropped nothing."""
    if is_fresh(ports):
        return NOTHING
    try:
        return known(attempts=arrived(ref, ref.here()).known.attempts.values())
    except Refused:
        return NOTHING  # what is damaged here is no reason not to take what is sound elsewhere


def _restore_snapshots(ports: FreshnessPorts, ref: SharedState, theirs: RemoteState, together: SourceState) -> int:
    """Before the rows that need them; each is what its name says, or nothing is taken at all."""
    here = set(ports.blobs.keys())
    wanted = sorted(key for key in together.snapshots & theirs.snapshots.keys() if key not in here)
    contents = ref.bytes_of([theirs.snapshots[key] for key in wanted])
    for key, data in zip(wanted, contents, strict=True):
        if data is None or f"sha256:{sha256(data).hexdigest()}" != key:
            raise Refused(
                f"The snapshot {key[:19]}… at {STATE_REF} is not what its name says, so nothing of it is used."
            )
    for data in contents:
        ports.blobs.put(data or b"")
    return len(wanted)


def _keep_rows(ports: FreshnessPorts, ours: SourceState, together: SourceState) -> dict[str, int]:
    web = ports.store.web
    news: dict[str, list[Any]] = {
        name: [row for about, row in getattr(together, name).items() if getattr(ours, name).get(about) != row]
        for name in ours.counts
    }
    gone = [row.path for about, row in ours.attempts.items() if about not in together.attempts]
    if news["sources"] or news["texts"]:
        web.keep_sources(news["sources"], news["texts"])
    if news["links"]:
        web.keep_links(news["links"])
    if news["attempts"]:
        web.keep_attempts(news["attempts"])
    if gone:
        web.forget_attempts(gone)
    if news["audits"]:
        web.keep_audits(news["audits"])
    return {name: len(rows) for name, rows in news.items()}


# --- to the ref -----------------------------------------------------------------------------------------------------


def push(ports: StateSyncPorts, *, remote: bool) -> PushedState:
    """Put what is known here on top of what the ref knows. Who loses a race takes in what the other said, and tries
    again."""
    ref = ports.shared_state
    for attempt in range(1, TRIES + 1):
        tip = ref.there() if remote else ref.here()
        theirs = arrived(ref, tip)
        _taken_in(ports, ref, theirs, keep=True)
        commit = _written(ports, ref, theirs)
        if not remote or commit == tip or ref.push(commit, tip):
            ref.settle(commit)
            return PushedState(commit, commit != tip, remote, attempt)
    raise Conflict(
        f"Others pushed to {STATE_REF} {TRIES} times while we wanted to; nothing is lost, `cairn freshness state push` "
        "tries again."
    )


def _written(ports: FreshnessPorts, ref: SharedState, theirs: RemoteState) -> str:
    state = worth_taking(known_here(ports), _needs(ports))
    snapshots: dict[str, bytes | str] = {}
    for key in sorted(state.snapshots):
        data = theirs.snapshots.get(key) or ports.blobs.get(key)
        if data is not None:
            snapshots[key] = data
    local = ports.forge.name == "local"
    changes = ref.trees_of_requests(theirs.requests) if local else {}
    parents = _parents(ref, theirs.commit)
    return ref.write(files_of(state), snapshots, changes, parents=parents, at_ms=ports.clock.now_ms())


def _parents(ref: SharedState, tip: str | None) -> list[str]:
    """The ref only grows, here and there: where the two have parted, the commit joins them."""
    here = ref.here()
    apart = here is not None and here != tip and not (tip is not None and ref.contains(tip, here))
    return [commit for commit in (tip, here if apart else None) if commit is not None]


def _needs(ports: FreshnessPorts) -> StateNeeds:
    from cairn.freshness.list_sources import citations

    cited = [citation.source for citation in citations(ports)]
    now_ms = ports.clock.now_ms()
    return StateNeeds(
        places=frozenset(place_of(source) for source in cited if source.kind == "url"),
        hashes=frozenset(source.hash for source in cited if source.hash),
        since_ms=now_ms - ports.settings.integer("freshness.snapshots.days") * _DAY_MS,
        day=utc_day(now_ms).isoformat(),
    )


# --- around a run ---------------------------------------------------------------------------------------------------


class StateSync(NamedTuple):
    """What became of the state in one run."""

    mode: Mode
    fresh: bool
    """Nothing is known of any source, not even after looking at the ref."""
    pulled: PulledState | None = None
    pushed: PushedState | None = None
    problem: str | None = None
    """Why it could not be written; what the run found is here all the same."""
    recorded: int = 0
    """Sources whose text is stored after the run."""
    unrecorded: int = 0
    """Sources that were asked for and never read."""

    def json(self) -> dict[str, Any]:
        pulled, pushed = self.pulled, self.pushed
        restored = {**pulled.rows, "snapshots": pulled.snapshots, "requests": pulled.requests} if pulled else None
        return {
            "mode": self.mode,
            "fresh": self.fresh,
            "commit": pushed.commit if pushed else pulled.commit if pulled else None,
            "restored": restored,
            "pushed": bool(pushed and pushed.remote and pushed.moved),
            "problem": self.problem,
        }

    def lines(self) -> Iterator[str]:
        if self.pulled and self.pulled.anything:
            rows = self.pulled.rows
            yield (
                f"took in from {STATE_REF}: {rows['sources']:,} sources, {self.pulled.snapshots:,} texts, "
                f"{rows['attempts']:,} failed audits, {self.pulled.requests:,} change requests"
            )
        if self.fresh and self.recorded:
            some = f"{self.recorded:,} of {self.recorded + self.unrecorded:,} sources"
            yield (
                f"First run: recorded the current text of {some if self.unrecorded else 'every source'}. "
                "The next run compares against it."
                + ("" if self.mode == "push" else " With --push-state, fresh clones have these texts, too.")
            )
        if self.pushed and self.pushed.moved:
            yield f"what is known now is at {STATE_REF}" + (f", and pushed to {REMOTE}" if self.pushed.remote else "")


def set_out(ports: StateSyncPorts, *, dry_run: bool) -> StateSync:
    """Before a run; what is damaged, or cannot be reached, ends it here."""
    mode = mode_of(ports)
    pulled = None if mode == "off" else pull(ports, remote=mode == "push", keep=not dry_run)
    return StateSync(mode, is_fresh(ports), pulled)


def come_home(ports: StateSyncPorts, journey: StateSync, *, dry_run: bool) -> StateSync:
    """After it. Whatever goes wrong now must not hide what the run did."""
    if dry_run:
        return journey
    rows = ports.store.web.sources()
    read = sum(bool(row.hash or row.pending_hash) for row in rows)
    journey = journey._replace(recorded=read, unrecorded=len(rows) - read)
    if journey.mode == "off":
        return journey
    try:
        return journey._replace(pushed=push(ports, remote=journey.mode == "push"))
    except CairnError as error:
        return journey._replace(problem=error.message)


# --- looking --------------------------------------------------------------------------------------------------------


def shown(ports: StateSyncPorts) -> dict[str, Any]:
    """What the ref holds here, and what of this store it does not know yet; asks nobody."""
    ref = ports.shared_state
    theirs = arrived(ref, ref.here())
    ours = worth_taking(known_here(ports), _needs(ports))
    together = merged(NOTHING, ours, theirs.known)
    behind = {
        name: sum(getattr(theirs.known, name).get(about) != row for about, row in getattr(together, name).items())
        for name in ours.counts
    }
    return {
        "mode": mode_of(ports),
        "ref": STATE_REF,
        "commit": theirs.commit,
        "remote": ref.has_remote(),
        "holds": {**theirs.known.counts, "snapshots": len(theirs.snapshots), "requests": len(theirs.requests)},
        "notYet": behind,
    }
