// engine.mjs - runs commands of the module in one process of Node, a line of
// JSON each: engine.mjs PACKAGE
import process from 'node:process';
import readline from 'node:readline';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (name) => import(
	pathToFileURL(path.resolve(process.argv[2], 'lib', name)).href);
const { findStream, run } = await load('wasi.js');
const { loadModule } = await load('load.js');
const { nodeFiles } = await load('node-files.js');
const { MemoryFiles } = await load('memory-files.js');
const module = await loadModule();

for await (const line of readline.createInterface({ input: process.stdin })) {
	const { args, where, env, input } = JSON.parse(line);
	const [out, said] = [[], []];
	const { streams } = new MemoryFiles({ stdin: Buffer.from(input, 'base64'),
		stdout: (bytes) => out.push(bytes), stderr: (bytes) => said.push(bytes) });
	const host = Object.create(nodeFiles, { streams: { value: streams },
		open: { value: (name, how) => streams[findStream(name)] ??
			nodeFiles.open(name, how) } });

	process.chdir(where);
	const code = await run(module, { args: ['trace2', ...args], env, host });

	process.stdout.write(JSON.stringify({ code,
		out: Buffer.concat(out).toString('base64'),
		said: Buffer.concat(said).toString('base64') }) + '\n');
}
