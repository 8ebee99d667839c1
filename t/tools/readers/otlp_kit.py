"""The official protocol of OTLP decodes traces; see otlp-decode.cjs.

    def test_it_decodes(otlp):
        assert otlp(traces) == traces

It is started once for all tests, and they are skipped where it is missing.
"""

import json

import pytest
from reader_kit import Reader, need


class Protocol(Reader):
    def __call__(self, traces):
        """The TracesData after a way through the binary form."""
        return self.ask(traces=traces)["traces"]


@pytest.fixture(scope="session")
def otlp():
    need("protobufjs", "protobuf.js")
    need("otlp", "root.js")
    protocol = Protocol("otlp-decode.cjs", "otlp")
    yield protocol
    protocol.close()


def read_traces(text):
    return [json.loads(line) for line in text.splitlines()]


def spans_of(traces):
    """All spans, with attributes as dictionaries."""
    for one in traces:
        for span in one["resourceSpans"][0]["scopeSpans"][0]["spans"]:
            yield {**span, "attributes": plain(span.get("attributes", []))}


def plain_value(value):
    (kind, inner), = value.items()
    if kind == "arrayValue":
        return [plain_value(element) for element in inner["values"]]
    if kind == "kvlistValue":
        return plain(inner["values"])
    return int(inner) if kind == "intValue" else inner


def plain(attributes):
    keys = [one["key"] for one in attributes]
    assert len(keys) == len(set(keys)), keys
    return {one["key"]: plain_value(one["value"]) for one in attributes}
