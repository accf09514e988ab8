"""What leaves as OpenTelemetry: spans and log records, to the console or to a collector."""

import builtins
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from cairn.adapters.telemetry.otel import SPAN, OpenTelemetry, open_telemetry
from cairn.capture.note import records
from cairn.errors import MissingExtra

TURN = {"turn_id": "t1", "source": "cli", "agent": "a"}
NOTED = records([("turn_eligible", TURN), ("turn_completed", {**TURN, "result": "inserted", "duration_ms": 4})])
FAILED = records([("turn_failed", {**TURN, "error": "transcript_missing"})])


def test_a_write_is_a_span_with_its_events_and_a_log_record_each() -> None:
    spans, lines = InMemorySpanExporter(), InMemoryLogRecordExporter()
    tracing, logs = TracerProvider(shutdown_on_exit=False), LoggerProvider(shutdown_on_exit=False)
    tracing.add_span_processor(SimpleSpanProcessor(spans))
    logs.add_log_record_processor(SimpleLogRecordProcessor(lines))
    sender = OpenTelemetry(tracing, logs)
    sender.write(NOTED, took_ms=4.0)
    sender.write(FAILED, took_ms=1.0)
    sender.write((), took_ms=0)
    noted, failed = spans.get_finished_spans()
    assert (noted.name, failed.name) == (SPAN, SPAN)
    assert noted.attributes is not None
    assert noted.attributes["turn_id"] == "t1"
    assert noted.end_time - noted.start_time == 4_000_000  # type: ignore[operator]
    assert [event.name for event in noted.events] == [record.action for record in NOTED]
    assert (noted.status.status_code, failed.status.status_code) == (StatusCode.OK, StatusCode.ERROR)
    assert failed.status.description == "transcript_missing"
    told = [found.log_record for found in lines.get_finished_logs()]
    assert [one.event_name for one in told] == [record.action for record in (*NOTED, *FAILED)]
    assert all(one.attributes is not None and one.attributes["turn_id"] == "t1" for one in told)
    assert told[0].trace_id == noted.context.trace_id  # type: ignore[union-attr]
    sender.close()


def test_the_console_is_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    sender = open_telemetry("console", {}, version="1")
    sender.write(NOTED, took_ms=1)
    sender.close()
    out, err = capsys.readouterr()
    assert out == ""
    assert '"turn_id": "t1"' in err
    assert "knowledge.turn_write.completed" in err


class Collector(BaseHTTPRequestHandler):
    got: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        self.server.got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def collector() -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), Collector)
    server.got = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_collector_gets_traces_and_logs() -> None:
    with collector() as server:
        place = f"http://127.0.0.1:{server.server_port}/"
        sender = open_telemetry("otlp", {"OTEL_EXPORTER_OTLP_ENDPOINT": place}, version="1.2")
        sender.write(NOTED, took_ms=1)
        sender.close()
    got = dict(server.got)
    assert set(got) == {"/v1/traces", "/v1/logs"}
    traces, logs = ExportTraceServiceRequest(), ExportLogsServiceRequest()
    traces.ParseFromString(got["/v1/traces"])
    logs.ParseFromString(got["/v1/logs"])
    (span,) = traces.resource_spans[0].scope_spans[0].spans
    assert span.name == SPAN
    names = [line.event_name for line in logs.resource_logs[0].scope_logs[0].log_records]
    assert names == [record.action for record in NOTED]
    resource = {one.key: one.value.string_value for one in logs.resource_logs[0].resource.attributes}
    assert resource["service.name"] == "cairn"


def test_without_the_extra_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **given: Any) -> Any:
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return real(name, *args, **given)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingExtra) as told:
        open_telemetry("console", {}, version="1")
    assert "pip install 'cairn-kb[otel]'" in told.value.message
