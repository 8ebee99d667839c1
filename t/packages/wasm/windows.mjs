// windows.mjs - a disk C: for the package, in the folder that DISK names:
// node --import ./windows.mjs trace2.js ... It knows both slashes, no letter's
// case, and refuses the names that Windows refuses.
import child from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const DISK = process.env.DISK;
const { existsSync, readdirSync } = fs;

function findName(folder, name) {
	const fold = (text) => text.toLowerCase();

	return existsSync(folder) && readdirSync(folder).find((other) =>
		fold(other) === fold(name)) || name;
}

function translate(name) {
	if (typeof name !== 'string' || name.startsWith(DISK))
		return name;

	const [, place, rest] = /^(?:(C:)(?=[\\/]))?(.*)$/is.exec(name);

	if (/[<>:"|?*]/.test(rest) || /^[\\/]/.test(rest) && !place)
		throw Object.assign(new Error(name), { code: 'ENOENT' });
	return rest.split(/[\\/]+/).filter(Boolean).reduce((folder, part) =>
		`${folder}/${findName(folder, part)}`, place ? DISK : '.');
}

for (const [name, call] of Object.entries(fs))
	if (/^(open|stat|lstat|readdir|mkdir|mkdtemp|rmdir|unlink|readlink|utimes|rm|chmod|access|realpath|writeFile|exists|createReadStream|createWriteStream)(Sync)?$/.test(name))
		fs[name] = (file, ...more) => {
			try {
				return call.call(fs, translate(file), ...more);
			} catch (error) {
				if (name === 'existsSync')
					return false;
				throw error;
			}
		};
const { renameSync } = fs;
fs.renameSync = (from, to) => renameSync(translate(from), translate(to));
// Here a program has no disk C:, and is refused as Node refuses a batch file.
const { mkdtempSync } = fs;
const { spawn } = child;
fs.rmSync = (name) => child.execFileSync('rm', ['-rf', translate(name)]);
fs.mkdtempSync = (name) => `C:${mkdtempSync(name).slice(DISK.length)}`;
child.spawn = (file, args, { env, ...more }) => {
	if (file.endsWith('.cmd'))
		throw Object.assign(new Error('spawn EINVAL'), { code: 'EINVAL' });
	return spawn(file, args, { ...more, env: { ...env,
		GIT_TRACE2_EVENT: translate(env.GIT_TRACE2_EVENT) } });
};
syncBuiltinESMExports();
os.tmpdir = () => 'C:\\Temp';
for (const name of ['sep', 'join', 'dirname', 'extname'])
	path[name] = path.win32[name];
Object.defineProperty(process, 'platform', { value: 'win32' });
