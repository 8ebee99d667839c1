// The protocol of OTLP, as OpenTelemetry compiled it:
//
//	node otlp-decode.cjs FOLDER
//
// FOLDER is what `make otlp` unpacked. Each line of standard input is
// {"traces": TRACESDATA}, each line of standard output {"traces": TRACESDATA}
// after a way through the binary form, or {"error": TEXT}.
'use strict';
const Module = require('module');
const path = require('path');
const readline = require('readline');

const folder = path.resolve(process.argv[2]);
const load = Module._load;
Module._load = (name, ...rest) => name === 'protobufjs/minimal' ?
	load(path.join(folder, '../protobufjs/protobuf.js'), ...rest) :
	load(name, ...rest);
const root = require(path.join(folder, 'root.js'));
const {TracesData} = root.opentelemetry.proto.trace.v1;

// JSON has ids in hex, where other bytes are base64.
function eachSpan(traces, change) {
	for (const resource of traces.resourceSpans)
		for (const scope of resource.scopeSpans)
			for (const span of scope.spans)
				for (const id of ['traceId', 'spanId', 'parentSpanId'])
					if (span[id])
						span[id] = change(span[id]);
	return traces;
}

function decode(traces) {
	const bytes = eachSpan(traces, text => Buffer.from(text, 'hex'));
	const wire = TracesData.encode(TracesData.fromObject(bytes)).finish();
	const back = TracesData.toObject(TracesData.decode(wire), {longs: String});
	return eachSpan(back, id => Buffer.from(id).toString('hex'));
}

readline.createInterface({input: process.stdin}).on('line', line => {
	let answer;
	try {
		answer = {traces: decode(JSON.parse(line).traces)};
	} catch (error) {
		answer = {error: String(error.stack)};
	}
	console.log(JSON.stringify(answer));
});
