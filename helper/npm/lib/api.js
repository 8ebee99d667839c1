// api.js - the commands for programs: logs in, results out. The module comes
// from the caller, so that Node and pages share this.
import { MemoryFiles } from './memory-files.js';
import { run } from './wasi.js';

export class Trace2Error extends Error {
	constructor(code, messages) {
		super(messages.trim() || `trace2 failed with ${code}`);
		this.name = 'Trace2Error';
		this.code = code;
		this.messages = messages;
	}
}

function join(parts) {
	const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let at = 0;

	for (const part of parts) {
		all.set(part, at);
		at += part.length;
	}
	return all;
}

async function collect(stream) {
	const parts = [];

	for await (const part of stream)
		parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : part);
	return join(parts);
}

async function readReader(stream) {
	const reader = stream.getReader();
	const parts = [];

	for (let got; !(got = await reader.read()).done;)
		parts.push(got.value);
	return join(parts);
}

// Bytes of text, of bytes, or of a stream of either.
async function toBytes(input) {
	if (typeof input === 'string')
		return new TextEncoder().encode(input);
	if (input instanceof Uint8Array)
		return input;
	if (input instanceof ArrayBuffer)
		return new Uint8Array(input);
	if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator])
		return collect(input);
	if (input?.getReader)
		return readReader(input);
	throw new TypeError('a log is text, bytes, or a stream of either');
}

// One log, or an object of several by their names.
async function addLogs(files, input) {
	const several = input && Object.getPrototypeOf(input) === Object.prototype;
	const logs = several ? Object.entries(input) : [['log', input]];

	for (const [name, log] of logs)
		files.add(name, typeof Blob !== 'undefined' && log instanceof Blob
			? new Uint8Array(await log.arrayBuffer()) : await toBytes(log));
	return logs.map(([name]) => name.startsWith('-') ? `./${name}` : name);
}

export function makeApi(loadModule) {
	// Run a command; the names of the logs follow its words.
	async function runOn(input, words, after = []) {
		const [out, said] = [[], []];
		const files = new MemoryFiles({
			stdout: (bytes) => out.push(bytes),
			stderr: (bytes) => said.push(bytes),
		});
		const names = await addLogs(files, input);
		const code = await run(await loadModule(), {
			args: ['trace2', ...words, '--', ...names, ...after], host: files });

		return { code, output: join(out),
			messages: new TextDecoder().decode(join(said)) };
	}

	// What could not be done at all is an error; what was left out is told.
	async function make(input, words, after) {
		const { code, output, messages } = await runOn(input, words, after);

		if (code > 1)
			throw new Trace2Error(code, messages);
		return { output, messages, complete: code === 0 };
	}

	const text = (output) => new TextDecoder().decode(output);

	return {
		async validate(input, { for: reader, failOn } = {}) {
			const words = ['validate', '--format', 'json',
				...(reader ? ['--for', reader] : []),
				...(failOn ? ['--fail-on', failOn] : [])];
			const { code, output, messages } = await runOn(input, words);

			if (code === 2 || (code === 3 && !output.length))
				throw new Trace2Error(code, messages);
			const { findings, summary } = JSON.parse(text(output));

			return { ok: code === 0, findings, summary };
		},

		async summarize(input, { by, command, slowerThan, top, percentiles } = {}) {
			const { output } = await make(input, ['summary', '--format', 'json',
				...(by ? ['--by', by] : []),
				...(command ? ['--command', command] : []),
				...(slowerThan ? ['--slower-than', slowerThan] : []),
				...(top === undefined ? [] : ['--top', String(top)]),
				...(percentiles ? ['--percentiles'] : [])]);

			return JSON.parse(text(output));
		},

		async redact(input, { hide } = {}) {
			const { output, complete, messages } = await make(input, ['redact',
				...(hide ? ['--hide', [].concat(hide).join(',')] : [])]);

			return { output, complete, messages };
		},

		async convert(input, { to }) {
			return (await make(input, ['convert', '--to', to], ['-'])).output;
		},

		async report(input) {
			return text((await make(input, ['report', '-o', '-'])).output);
		},

		async table(input, { rows = 'processes', format = 'csv' } = {}) {
			return text((await make(input, ['table', '--rows', rows,
				'--format', format])).output);
		},
	};
}
