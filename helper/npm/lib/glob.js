// glob.js - the words of a command on Windows: its shells leave names with *
// and ? as they are, and the module knows the slash alone.
import fs from 'node:fs';
import path from 'node:path';

const MAGIC = /[*?]/;

function makePattern(part) {
	const source = part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
		.replace(/\*/g, '.*').replace(/\?/g, '.');

	return new RegExp(`^${source}$`, process.platform === 'win32' ? 'i' : '');
}

function listNames(directory) {
	try {
		return fs.readdirSync(directory || '.').sort();
	} catch {
		return [];
	}
}

// The paths that match, or none. A name that begins with a dot asks for it.
export function expandGlob(glob) {
	const parts = glob.split(path.sep === '\\' ? /([\\/]+)/ : /(\/+)/);
	let found = [''];

	for (let i = 0; i < parts.length; i += 2) {
		const [part, sep = ''] = parts.slice(i, i + 2);
		const pattern = makePattern(part);

		found = found.flatMap((start) => !MAGIC.test(part) ? [start + part + sep]
			: listNames(start).filter((name) => pattern.test(name) &&
				(part[0] === '.' || name[0] !== '.'))
				.map((name) => start + name + sep));
	}
	return found.filter((name) => fs.existsSync(name));
}

// The word, or the value of an option in it, with slashes if it is a path: the
// place where it would be is there. A pattern or a time is none.
function useSlashes(word) {
	const [, option, name] = /^(-o|--[a-z-]+=|)(.*)$/s.exec(word);

	return name.includes('\\') && fs.existsSync(path.dirname(name))
		? option + name.replaceAll('\\', '/') : word;
}

// Words that are no options and match something, as a shell of POSIX does.
export function expandGlobs(args) {
	const end = args.includes('--') ? args.indexOf('--') : args.length;

	return args.flatMap((arg, i) => {
		const found = i < end && MAGIC.test(arg) && arg[0] !== '-'
			? expandGlob(arg) : [];

		const words = found.length ? found : [arg];

		return i < end && path.sep === '\\' ? words.map(useSlashes) : words;
	});
}
