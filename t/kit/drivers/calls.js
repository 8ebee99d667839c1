"use strict";
/* Reads t/kit/contract.tsv, and carries out what stands there; t/README.md
 * explains the language. Texts are strings of bytes: each character is one. */
const fs = require("fs"), path = require("path");

const CONTRACT = path.join(__dirname, "../contract.tsv");
const TOKEN = /[{};]|(?:[^\s{};"]|"(?:\\.|[^"\\])*")+/g;
const ITEM = /(?:[^,"]|"(?:\\.|[^"\\])*")+/g;
const CALLS = {}; // name: what makes the call
const SIGNALS = ["INT", "TERM", "HUP", "QUIT", "PIPE", "KILL", "USR1"];

class Wrong extends Error {} // the arguments of the verb

/* Reading the calls of a verb */

function parse(tokens) {
	const calls = [];
	while (tokens.length && tokens[0] !== "}") {
		if (tokens[0] === ";") {
			tokens.shift();
			continue;
		}
		const call = { name: tokens.shift(), words: [], body: [], other: [] };
		while (tokens.length && !["{", "}", ";"].includes(tokens[0]))
			call.words.push(tokens.shift());
		for (const block of ["body", "other"])
			if (tokens[0] === "{") {
				tokens.shift();
				call[block] = parse(tokens);
				tokens.shift();
				if (tokens[0] === "else")
					tokens.shift();
			}
		calls.push(call);
	}
	return calls;
}

const VERBS = {};
for (const row of fs.readFileSync(CONTRACT, "latin1").trim().split("\n")) {
	const [name, usage, takes, wrong, calls] =
		row.split("\t").map(cell => cell === "-" ? "" : cell);
	if (name[0] !== "#")
		VERBS[name] = { usage, takes, wrong,
				calls: parse(calls.match(TOKEN) || []) };
}

/* The value of a word */

/* `\xff` is a byte, and `\u00ff` a character of two. */
function read_escape(all, hex, character) {
	if (hex)
		return "\\u00" + hex;
	return character ? JSON.stringify(Buffer.from(JSON.parse(`"${all}"`))
		.toString("latin1")).slice(1, -1) : all;
}

function text(word, names) {
	const bytes = word.replace(/\\x(..)|((?:\\u.{4})+)|\\./g, read_escape);
	return JSON.parse(bytes).replace(/\$(\w+)/g, (all, name) =>
		names[name] === undefined ? all : String(names[name]));
}

function times(word, names) {
	const end = word.lastIndexOf('"') + 1;
	const count = word[end] === "*" ? Number(word.slice(end + 1)) : 1;
	return text(word.slice(0, end), names).repeat(count);
}

function named(word, names) {
	const list = /^\$(\d?)\*$/.exec(word);
	if (list)
		return names["*"].slice(Number(list[1] || 1) - 1);
	const [name, other] = word.slice(1).split("|");
	const found = names[name];
	return found === undefined && other ? value(other, names) : found;
}

function value(word, names) {
	if (word[0] === '"')
		return times(word, names);
	if (word[0] === "$")
		return named(word, names);
	if (word[0] === "[")
		return (word.slice(1, -1).match(ITEM) || []).flatMap(
			item => value(item, names));
	const sum = /^(\d+)\+\$(\w+)$/.exec(word);
	if (sum)
		return Number(sum[1]) + Number(names[sum[2]]);
	return word === "null" ? null : word === "true" ? true : word;
}

function is_number(word) {
	return /^\s*[-+]?\d+$/.test(word) &&
		BigInt.asIntN(64, BigInt(word.trim().replace(/^\+/, ""))) ===
		BigInt(word.trim().replace(/^\+/, ""));
}

/* As C's int has it. */
function number(word) {
	const digits = String(word).trim().replace(/^\+/, "");
	return Number(BigInt.asIntN(32, BigInt(digits)));
}

const FITS = {
	int: is_number,
	word: word => word !== "",
	any: () => true,
	signal: word => SIGNALS.includes(word),
	verb: word => word in VERBS,
};

function fits(takes, words) {
	const more = takes === "" || takes.endsWith(" ...");
	const kinds = takes.replace(/ \.\.\.$/, "").split(" ").filter(Boolean);
	while (/\.\.\.$/.test(kinds.at(-1)) && kinds.length < words.length)
		kinds.push(kinds.at(-1)); /* all that follow are of this kind */
	for (const [at, kind] of kinds.entries()) {
		if (at >= words.length)
			return kind.endsWith("?");
		if (!FITS[kind.replace(/\W+$/, "")](words[at]))
			return false;
	}
	return more || words.length <= kinds.length;
}

/* Calls that hold others */

const BLOCKS = {
	async if(call, names) {
		const [, not, word, sign, right] =
			/^(!?)(\$\w+)(!?=)?(.*)$/.exec(call.words[0]);
		const found = value(word, names);
		const good = sign ? (String(found) === String(value(right, names)))
			=== (sign === "=") : (found === undefined) === (not === "!");
		await perform(good ? call.body : call.other, names);
	},
	async each(call, names) {
		for (names._ of value(call.words[0], names))
			await perform(call.body, names);
	},
	async each3(call, names) {
		const words = value(call.words[0], names);
		for (let at = 0; at < words.length; at += 3) {
			[names.a, names.b, names.c] = words.slice(at, at + 3);
			await perform(call.body, names);
		}
	},
	async repeat(call, names) {
		const count = number(value(call.words[0], names));
		for (names.n = 0; names.n < count; names.n++)
			await perform(call.body, names);
	},
	async count(call, names) {
		const ends = call.words[0].split("..");
		const [first, last] = ends.map(one => number(value(one, names)));
		const step = ends[1] === "1" ? -1 : 1;
		for (names.i = first; (last - names.i) * step >= 0; names.i += step)
			await perform(call.body, names);
	},
};

async function perform(calls, names) {
	for (const call of calls) {
		if (BLOCKS[call.name]) {
			await BLOCKS[call.name](call, names);
			continue;
		}
		const given = {}, plain = [];
		for (const word of call.words) {
			const key = /^(\w+)=(.*)$/s.exec(word);
			if (key)
				given[key[1]] = value(key[2], names);
			else
				plain.push(value(word, names));
		}
		await CALLS[call.name](given, names, ...plain);
	}
}

function has_all(calls) {
	return calls.every(call => (CALLS[call.name] || BLOCKS[call.name]) &&
		has_all(call.body) && has_all(call.other));
}

async function perform_verb(name, words, names) {
	const { takes, wrong, calls } = VERBS[name];
	if (wrong && !fits(takes, words))
		throw new Wrong(wrong);
	const own = Object.fromEntries(words.map((word, at) => [at + 1, word]));
	await perform(calls, { ...names, ...own, "*": words });
}

module.exports = { BLOCKS, CALLS, SIGNALS, VERBS, Wrong, fits, has_all,
		   is_number, number, perform, perform_verb, value };
