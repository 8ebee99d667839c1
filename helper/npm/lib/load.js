// load.js - the module of this package, compiled once.
import fs from 'node:fs/promises';

let compiled;

export function loadModule() {
	compiled ??= fs.readFile(new URL('../trace2.wasm', import.meta.url))
		.then((bytes) => WebAssembly.compile(bytes));
	return compiled;
}
