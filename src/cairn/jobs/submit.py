"""Submits jobs: one question about one subject, unless the same question is waiting already."""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from cairn.core.model.change import Taint
from cairn.core.model.graph import Node
from cairn.core.model_budget import tokens_of
from cairn.core.ports.graph import GraphView
from cairn.core.ports.jobs import Job, JobStore
from cairn.core.ports.runtime import Files, ReadFailed, Settings
from cairn.errors import Conflict, NotFound, UsageError
from cairn.jobs.action import JobAction
from cairn.jobs.model import JobTtl, digest, next_id, question_hash
from cairn.jobs.prompt import prompt_of, storable


class JobRequest(NamedTuple):
    action: JobAction
    subject: str
    """Path of a node, or a virtual id."""
    material: str
    ttl_seconds: int
    priority: int = 0
    forced: bool = False
    submitted_by: str | None = None
    input_json: str | None = None
    """The facts that a question is about, as `canonical_json`."""
    taint: Taint = Taint.REPOSITORY
    """Of the worst of the material."""


class SubmitOptions(NamedTuple):
    ttl: int | None = None
    priority: int | None = None
    forced: bool = False
    submitted_by: str | None = None
    taint: Taint = Taint.REPOSITORY


class SubmitResult(NamedTuple):
    submitted: tuple[Job, ...]
    duplicates: tuple[Job, ...]
    """Jobs that ask the same and are waiting."""


def submit(request: JobRequest, *, store: JobStore, now_ms: int) -> Job:
    """The job, queued. `Conflict` names the one that asks the same, unless forced."""
    action, material = request.action, request.material
    if action.prompt is None:
        raise UsageError(f"`{action.id}` asks no model, so it can't be a job.")
    content = prompt_of(action.prompt, request.subject, material)
    question = question_hash(action.id, action.version, request.input_json or material)
    with store.writing():
        waiting = store.live(action.id, action.version, request.subject, question)
        if waiting is not None and not request.forced:
            raise Conflict(
                f"The job {waiting.id} asks the same and is {waiting.status}; --force submits another one.",
                job=waiting.id,
            )
        job = Job(
            id=next_id("d", now_ms, store.last_id),
            action_id=action.id,
            action_version=action.version,
            node_id=storable(request.subject),
            question_hash=question,
            content_hash=digest(content),
            nonce=new_nonce(),
            priority=request.priority,
            status="queued",
            failure_reason=None,
            runner=None,
            run_id=None,
            ttl_seconds=request.ttl_seconds,
            attempt=1,
            forced=int(request.forced),
            created_at_ms=now_ms,
            claimed_at_ms=None,
            finished_at_ms=None,
            expires_at_ms=None,
            submitted_by=request.submitted_by,
            input_hash=digest(request.input_json) if request.input_json else None,
            taint=request.taint,
            tokens=tokens_of(content),
        )
        store.add(job, content, request.input_json)
    return job


def add_successor(job: Job, content: str, *, store: JobStore, now_ms: int, **changes: Any) -> Job:
    """The question of a job that ended, queued again under a nonce of its own, so that a late answer to the old one is
    refused."""
    following = job._replace(
        id=next_id("d", now_ms, store.last_id),
        content_hash=digest(content),
        nonce=new_nonce(),
        status="queued",
        failure_reason=None,
        runner=None,
        run_id=None,
        created_at_ms=now_ms,
        claimed_at_ms=None,
        finished_at_ms=None,
        expires_at_ms=None,
        tokens=tokens_of(content),
        **changes,
    )
    store.add(following, content)
    return following


def new_nonce() -> str:
    """128 bits that nobody can guess."""
    return os.urandom(16).hex()


def submit_nodes(
    action: JobAction,
    nodes: Iterable[Node],
    options: SubmitOptions,
    *,
    store: JobStore,
    files: Files,
    settings: Settings,
    now_ms: int,
) -> SubmitResult:
    """One job for each document."""
    submitted, duplicates = [], []
    for node in nodes:
        request = JobRequest(
            action,
            node.path,
            _material(node, files),
            ttl_of(action, settings, options.ttl).seconds,
            _priority(action, settings, options.priority),
            options.forced,
            options.submitted_by,
            taint=options.taint,
        )
        try:
            submitted.append(submit(request, store=store, now_ms=now_ms))
        except Conflict as conflict:
            waiting = store.job(str(conflict.details["job"]))
            duplicates += [waiting] if waiting is not None else []
    return SubmitResult(tuple(submitted), tuple(duplicates))


def refuse_question(action: JobAction) -> None:
    """A feature chooses the material of its questions, so nobody submits one by hand."""
    if action.question is not None:
        command = action.question.facts.get("asked_by")
        which = f"`{command}` asks it" if command else "the feature that it belongs to asks it"
        raise UsageError(f"`{action.id}` is not submitted by hand; {which}.", action=action.id)


def node_for(action: JobAction, path: str, graph: GraphView, active_provider: str | None) -> Node:
    """The document to ask about; refused where the action is not for its kind."""
    node = graph.node(path)
    if node is None:
        raise NotFound(f"There is no document `{path}` in the graph; `cairn list` lists the documents.", node=path)
    if node.virtual:
        raise UsageError(f"`{path}` has no file, so there is no text to ask about.")
    if not action.suits(node, active_provider):
        raise UsageError(f"`{action.id}` is not for documents of the kind {node.qualified_kind}; `{path}` is one.")
    return node


def nodes_for(action: JobAction, graph: GraphView, active_provider: str | None) -> list[Node]:
    """Every document that the action is for."""
    return [node for node in graph.nodes() if not node.virtual and action.suits(node, active_provider)]


def ttl_of(action: JobAction, settings: Settings, given: int | None) -> JobTtl:
    return JobTtl(
        settings.integer("jobs.ttl_seconds"),
        settings.integer("jobs.grace_multiplier"),
        settings.integer("jobs.minimum_ttl_seconds"),
        action.expected_seconds,
        settings.mapping("jobs.per_action_ttl").get(action.id),
        given,
    )


def _priority(action: JobAction, settings: Settings, given: int | None) -> int:
    if given is not None:
        return given
    configured: int | None = settings.mapping("jobs.per_action_priority").get(action.id)
    return action.priority if configured is None else configured


def _material(node: Node, files: Files) -> str:
    try:
        return files.read(node.path)[0].decode("utf-8", "replace")
    except ReadFailed:
        raise NotFound(f"`{node.path}` can't be read; run `cairn scan` if it was moved.", node=node.path) from None
