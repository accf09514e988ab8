"""What happens to turns as OpenTelemetry: a span for each write, and a log record for each event in it."""

import logging
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cairn.core.ports.runtime import TelemetryRecord
from cairn.errors import MissingExtra

if TYPE_CHECKING:
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk.trace import TracerProvider

SPAN = "knowledge.turn_write"
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
DEFAULT_ENDPOINT = "http://localhost:4318"
PATIENCE_SECONDS = 3.0
_SEVERITY = {"debug": "DEBUG", "info": "INFO", "warn": "WARN", "error": "ERROR"}


class OpenTelemetry:
    def __init__(self, tracing: "TracerProvider", logs: "LoggerProvider") -> None:
        self._tracing, self._logs = tracing, logs
        self._tracer = tracing.get_tracer("cairn")
        self._logger = logs.get_logger("cairn")

    def write(self, records: Sequence[TelemetryRecord], *, took_ms: float) -> None:
        from opentelemetry.trace import set_span_in_context
        from opentelemetry.trace.status import Status, StatusCode

        if not records:
            return
        now = time.time_ns()
        span = self._tracer.start_span(SPAN, start_time=now - int(took_ms * 1_000_000))
        for name, value in records[-1].metadata.items():
            span.set_attribute(name, value)
        for record in records:
            span.add_event(record.action, _attributes(record), timestamp=now)
            self._log(record, now, set_span_in_context(span))
        failed = next((record for record in records if not record.success), None)
        span.set_status(Status(StatusCode.ERROR, failed.error) if failed else Status(StatusCode.OK))
        span.end(now)

    def _log(self, record: TelemetryRecord, now: int, context: Any) -> None:
        from opentelemetry._logs import LogRecord, SeverityNumber

        level = _SEVERITY[record.level]
        self._logger.emit(
            LogRecord(
                timestamp=now,
                context=context,
                severity_text=level,
                severity_number=SeverityNumber[level],
                body=record.action,
                attributes=_attributes(record),
                event_name=record.action,
            )
        )

    def close(self) -> None:
        wait = int(PATIENCE_SECONDS * 1000)
        self._tracing.force_flush(wait)
        self._logs.force_flush(wait)
        self._tracing.shutdown()
        self._logs.shutdown()


def _attributes(record: TelemetryRecord) -> dict[str, Any]:
    facts = {"action": record.action, "component": record.component, "success": record.success, **record.metadata}
    more = {"error": record.error, "duration_ms": record.duration_ms}
    return {**facts, **{name: value for name, value in more.items() if value is not None}}


def open_telemetry(kind: str, env: Mapping[str, str], *, version: str) -> OpenTelemetry:
    """`console` or `otlp`. Says in one sentence when the extra is not installed."""
    try:
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
    except ImportError:
        raise MissingExtra(
            "`capture.telemetry` needs OpenTelemetry; install it with `pip install 'cairn-kb[otel]'`, or set it to off."
        ) from None
    # A collector that is away is its operator's affair; nobody who writes a note wants to read a traceback about it.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    resource = Resource({"service.name": "cairn", "service.version": version})
    tracing = TracerProvider(resource=resource, shutdown_on_exit=False)
    logs = LoggerProvider(resource=resource, shutdown_on_exit=False)
    if kind == "console":
        _to_console(tracing, logs)
    else:
        _to_collector(tracing, logs, (env.get(ENDPOINT) or DEFAULT_ENDPOINT).rstrip("/"))
    return OpenTelemetry(tracing, logs)


def _to_console(tracing: "TracerProvider", logs: "LoggerProvider") -> None:
    """On stderr: stdout belongs to the data of commands."""
    from opentelemetry.sdk._logs.export import ConsoleLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

    tracing.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=sys.stderr)))
    logs.add_log_record_processor(SimpleLogRecordProcessor(ConsoleLogRecordExporter(out=sys.stderr)))


def _to_collector(tracing: "TracerProvider", logs: "LoggerProvider", base: str) -> None:
    try:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise MissingExtra(
            "`capture.telemetry: otlp` needs its exporter; install it with `pip install 'cairn-kb[otel]'`."
        ) from None
    from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    spans = OTLPSpanExporter(endpoint=f"{base}/v1/traces", timeout=PATIENCE_SECONDS)
    lines = OTLPLogExporter(endpoint=f"{base}/v1/logs", timeout=PATIENCE_SECONDS)
    tracing.add_span_processor(BatchSpanProcessor(spans))
    logs.add_log_record_processor(BatchLogRecordProcessor(lines))
