"""A collector of traces: collector.py FAILURES. Prints its address, and then a line of JSON for each span. It parses what it
receives with the messages of opentelemetry-proto, and answers the first requests with 503."""

import base64
import http.server
import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

failures = int(sys.argv[1])


def parse(body):
    """In the JSON of OTLP, identifiers are hexadecimal, and those of protobuf's own JSON are in base 64."""
    document = json.loads(body)
    for resource in document["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for part in [span] + span.get("links", []):
                    for name in ("traceId", "spanId", "parentSpanId"):
                        if name in part:
                            part[name] = base64.b64encode(bytes.fromhex(part[name])).decode()
    return json_format.Parse(json.dumps(document), ExportTraceServiceRequest())


def value(attribute):
    return getattr(attribute.value, attribute.value.WhichOneof("value"))


class Collector(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        global failures
        body = self.rfile.read(int(self.headers["Content-Length"]))
        failures -= 1
        if failures >= 0 or self.path != "/v1/traces" or self.headers["Content-Type"] != "application/json":
            print("refused", flush=True)
            return self.answer(503)
        for resource in parse(body).resource_spans:
            service = {attribute.key: value(attribute) for attribute in resource.resource.attributes}
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8)
                assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
                print(json.dumps({
                    "service": service["service.name"], "trace": span.trace_id.hex(), "span": span.span_id.hex(),
                    "parent": span.parent_span_id.hex(), "name": span.name, "kind": span.kind, "status": span.status.code,
                    "start": span.start_time_unix_nano, "end": span.end_time_unix_nano,
                    "links": [[link.trace_id.hex(), link.span_id.hex()] for link in span.links],
                    "events": [event.name for event in span.events],
                    "attributes": {attribute.key: value(attribute) for attribute in span.attributes},
                }), flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
print(f"http://127.0.0.1:{server.server_port}/v1/traces", flush=True)
server.serve_forever()
