// Perfetto's trace processor, asked by SQL:
//
//	node perfetto-query.cjs FOLDER
//
// FOLDER is what `make perfetto` unpacked. Each line of standard input is
// {"trace": PATH, "queries": [SQL...]}, each line of standard output
// {"rows": [[{COLUMN: VALUE}...]...]}, a list for each query, or
// {"error": TEXT}. One trace after the other is loaded into one engine.
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const url = require('url');
const vm = require('vm');

const CHUNK = 32 << 20;
const folder = path.resolve(process.argv[2]);
const file = name => path.join(folder, name);

// What the bundle expects of a browser's worker.
function pretendWorker() {
	const location = {href: url.pathToFileURL(folder).href + '/'};
	const define = (name, value) => Object.defineProperty(globalThis, name,
		{value, writable: true, configurable: true});
	define('self', globalThis);
	define('location', location);
	globalThis.WorkerGlobalScope = function () {};
}

// The bundle loads its program by URL and keeps its bridge to itself.
const PATCHES = [
	['this.useMemory64 = hasMemory64Support();',
		'this.useMemory64 = false;'],
	['locateFile: (s) => s,',
		'locateFile: (s) => s, wasmBinary: globalThis.TP_WASM,'],
	['const wasmBridge = new wasm_bridge_1.WasmBridge();',
		'const wasmBridge = new wasm_bridge_1.WasmBridge();' +
		' globalThis.TP_BRIDGE = wasmBridge;'],
];

function loadBundle() {
	let source = fs.readFileSync(file('engine_bundle.node.js'), 'utf8');
	for (const [from, to] of PATCHES) {
		if (!source.includes(from))
			throw new Error(`the bundle has no ${from}`);
		source = source.replace(from, to);
	}
	globalThis.TP_WASM = new Uint8Array(
		fs.readFileSync(file('trace_processor.wasm')));
	vm.runInThisContext(source, {filename: 'engine_bundle.node.js'});
}

async function makeEngine() {
	pretendWorker();
	const {EngineBase} = await import(url.pathToFileURL(file('engine.mjs')));
	loadBundle();
	const channel = new MessageChannel();
	globalThis.TP_BRIDGE.initialize(channel.port1);
	class Engine extends EngineBase {
		constructor(port) {
			super();
			this.mode = 'WASM';
			this.id = 'tests';
			this.port = port;
			port.onmessage = m => this.onRpcResponseBytes(m.data);
		}
		rpcSendRequestBytes(data) {
			this.port.postMessage(data);
		}
		[Symbol.dispose]() {}
	}
	return new Engine(channel.port2);
}

function plain(value) {
	if (typeof value !== 'bigint')
		return value;
	return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
}

async function query(engine, sql) {
	const result = await engine.query(sql);
	const columns = result.columns();
	const rows = [];
	for (const at = result.iter({}); at.valid(); at.next())
		rows.push(Object.fromEntries(
			columns.map(name => [name, plain(at.get(name))])));
	return rows;
}

async function answer(engine, {trace, queries}) {
	await engine.resetTraceProcessor({cropTrackEvents: false,
		ingestFtraceInRawTable: false, analyzeTraceProtoContent: false,
		ftraceDropUntilAllCpusValid: false});
	const bytes = new Uint8Array(fs.readFileSync(trace));
	for (let at = 0; at < bytes.length; at += CHUNK)
		await engine.parse(bytes.subarray(at, at + CHUNK));
	await engine.notifyEof();
	const rows = [];
	for (const sql of queries)
		rows.push(await query(engine, sql));
	return {rows};
}

async function main() {
	// Answers are for the caller alone.
	console.log = console.warn = console.info = () => {};
	const engine = await makeEngine();
	for await (const line of readline.createInterface(process.stdin)) {
		let said;
		try {
			said = await answer(engine, JSON.parse(line));
		} catch (error) {
			said = {error: `${error && error.message || error}`};
		}
		process.stdout.write(JSON.stringify(said) + '\n');
	}
	process.exit(0);
}

main().catch(error => {
	console.error(`perfetto-query: ${error && error.message || error}`);
	process.exit(1);
});
