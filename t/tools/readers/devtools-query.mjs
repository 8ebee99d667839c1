// Chrome DevTools' trace engine, asked what it sees:
//
//	node devtools-query.mjs FOLDER
//
// FOLDER is what `make devtools` unpacked. Each line of standard input is
// {"trace": PATH}, each line of standard output
//
//	{"generic": BOOLEAN, "processes": {PID: NAME},
//	 "threads": [{"pid", "tid", "name", "slices"}...],
//	 "flows": [[[PID, TID, NAME]...]...], "said": [TEXT...]}
//
// or {"error": TEXT}. A slice is [ts, dur, category, name, depth], with -1
// for a depth where the engine has no place for it; "said" is all that the
// engine told its console.
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import url from 'node:url';

const folder = path.resolve(process.argv[2]);
const said = [];

// Two packages that only web pages need: nothing of them is asked for here.
const ABSENT = `
	const absent = 'data:text/javascript,' +
		'export default {}; export const detectLegacyJavaScript = 0';
	export const resolve = (name, context, next) =>
		['third-party-web', 'legacy-javascript'].includes(name)
			? {url: absent, shortCircuit: true}
			: next(name, context);`;

// What the engine expects of a browser.
function pretendBrowser() {
	globalThis.DOMRect = class {};
	for (const level of ['debug', 'error', 'info', 'log', 'warn'])
		console[level] = (...words) => said.push(words.join(' '));
	console.assert = (holds, ...words) =>
		holds || said.push(`assertion: ${words.join(' ')}`);
}

async function loadEngine() {
	module.register('data:text/javascript,' + encodeURIComponent(ABSENT));
	const main = path.join(folder, 'models/trace/trace.js');
	return import(url.pathToFileURL(main));
}

// The engine's own tree of a thread, not what the events say.
function slicesOf(thread, nodes) {
	return thread.entries.map(one => {
		const node = nodes.get(one);
		return [one.ts, one.dur ?? 0, one.cat, one.name,
			node ? node.depth : -1];
	});
}

function* threadsOf({processes, entryToNode}) {
	for (const [pid, process] of processes)
		for (const [tid, thread] of process.threads)
			yield {pid, tid, name: thread.name,
				slices: slicesOf(thread, entryToNode)};
}

async function answer(Trace, {trace}) {
	const events = JSON.parse(fs.readFileSync(trace, 'utf8'));
	const model = Trace.TraceModel.Model.createWithAllHandlers();
	said.length = 0;
	await model.parse(events.traceEvents ?? events);
	const {Meta, Renderer, Flows} = model.parsedTrace().data;
	const processes = [...Meta.processNames].map(
		([pid, event]) => [pid, event.args.name]);
	return {
		generic: Meta.traceIsGeneric,
		processes: Object.fromEntries(processes),
		threads: [...threadsOf(Renderer)],
		flows: Flows.flows.map(
			flow => flow.map(one => [one.pid, one.tid, one.name])),
		said,
	};
}

async function main() {
	pretendBrowser();
	const Trace = await loadEngine();
	for await (const line of readline.createInterface(process.stdin)) {
		let told;
		try {
			told = await answer(Trace, JSON.parse(line));
		} catch (error) {
			told = {error: `${error && error.stack || error}`};
		}
		process.stdout.write(JSON.stringify(told) + '\n');
	}
}

main().catch(error => {
	process.stderr.write(`devtools-query: ${error.stack || error}\n`);
	process.exit(1);
});
