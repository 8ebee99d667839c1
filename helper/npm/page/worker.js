// worker.js - runs one command at a time, so that the page stays usable. The
// files of a page are read as the command asks for them.
const TELL_MS = 100;

self.onmessage = async ({ data }) => {
	const [out, said] = [[], []];
	const read = new Map();
	let told = 0;
	const files = new MemoryFiles({
		stdin: data.input,
		stdout: (bytes) => out.push(bytes),
		stderr: (bytes) => said.push(bytes),
		onRead(name, at) {
			const now = performance.now();

			read.set(name, at);
			if (now - told < TELL_MS)
				return;
			told = now;
			self.postMessage({ read: [...read.values()]
				.reduce((sum, bytes) => sum + bytes, 0) });
		},
	});

	try {
		for (const { name, content } of data.files)
			files.add(name, content);
		const code = await run(data.module, { args: ['trace2', ...data.args],
			host: files });
		const made = data.made ? files.below(data.made) : [];

		self.postMessage({ code, said: new Blob(said), out: new Blob(out), made });
	} catch (error) {
		self.postMessage({ code: -1, said: new Blob([...said, `${error}\n`]),
			out: new Blob([]), made: [] });
	}
};
