'use strict';
// What helper/views/page/data.c writes, as arrays. Texts of logs reach the
// page only as textContent and on canvases.
const raw = JSON.parse(document.getElementById('data').textContent);
// The numbers of each item of a list, which becomes a column of each.
const NUMBERS = {
	processes: ['sid', 'name', 'mode', 'words', 'argv', 'version', 'start', 'length',
		'code', 'ended', 'timed', 'caller', 'span', 'signal'],
	threads: ['process', 'name', 'spans', 'marks'],
	spans: ['start', 'length', 'what'],
	marks: ['time', 'key', 'value'],
	few: ['span', 'note', 'code', 'unclosed'],
	flame: ['parent', 'table', 'first', 'second', 'count', 'self'],
};
for (const one of raw.compare ? [raw.before, raw.after] : [raw])
	for (const [list, names] of Object.entries(NUMBERS))
		one[list] = Object.fromEntries(names.map((name, at) =>
			[name, one[list].filter((_, i) => i % names.length === at)]));
const byId = id => document.getElementById(id);

// What is selected stands in the address, so that a link or a reload shows the
// same: v=FROM_TO, s=SPAN, p=PROCESS, box=FROM_TO_ROW_ROW, q=SEARCH, f=FLAME,
// i=1 (callers first), side=before.
const here = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
let writing = 0;
// A page inside of another one, as that of the offline page, has no address.
function writeAddress() {
	try {
		history.replaceState(null, '', '#' + here);
	} catch {
		// then the selection is in no URL
	}
}

function remember(name, value) {
	if (value === undefined || value === '') here.delete(name);
	else here.set(name, value);
	clearTimeout(writing);
	writing = setTimeout(writeAddress, 150);
}

// Two sets of logs are in the page of `trace2 diff`; one of them is on the
// timeline.
const side = raw.compare && here.get('side') === 'before' ? 'before' : 'after';
const data = raw.compare ? raw[side] : raw;

// Control characters and those that change the direction of writing are shown
// as what they are.
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const clean = text => text.replace(UNFIT, one =>
	'\\u' + one.charCodeAt(0).toString(16).padStart(4, '0'));
const texts = data.texts.map(clean);

// The same digits as in the tables of `trace2 summary`: three, not rounded up.
const findUnit = size => size >= 7.2e9 ? [3.6e9, 'h'] : size >= 1.2e8 ? [6e7, 'min']
	: size >= 1e6 ? [1e6, 's'] : size >= 1e3 ? [1e3, 'ms'] : [1, 'µs'];
function formatTime(us) {
	let size = Math.round(Math.abs(us)), [unit, name] = findUnit(size);
	const step = Math.max(1, size < 10 * unit ? unit / 100 : size < 100 * unit ? unit / 10 : unit);
	size = Math.round(size / step) * step;
	[unit, name] = findUnit(size);
	const places = unit === 1 || size >= unit * 100 ? 0 : size >= unit * 10 ? 1 : 2;
	return (us < 0 ? '-' : '') + (size / unit).toFixed(places) + ' ' + name;
}
const formatShare = (part, all) => (all > 0 ? 100 * part / all : 0).toFixed(1) + '%';
const count = (number, one, many = one + 's') => `${number} ${number === 1 ? one : many}`;

function add(parent, tag, text, kind) {
	const made = document.createElement(tag);
	if (text !== undefined) made.textContent = text;
	if (kind) made.className = kind;
	parent.append(made);
	return made;
}
function addLink(parent, text, go, kind = 'link') {
	const made = add(parent, 'button', text, kind);
	made.type = 'button';
	made.addEventListener('click', go);
	return made;
}

// ---- differences to times

const REGION = 0, CHILD = 1, THREAD = 2;
const processes = data.processes, threads = data.threads;
const processCount = processes.sid.length;
const spanCount = data.spans.start.length;
const starts = new Float64Array(spanCount), ends = new Float64Array(spanCount);
const whats = data.spans.what;
const threadOf = new Uint32Array(spanCount);
const rowOf = new Uint32Array(spanCount), placeOf = new Uint32Array(spanCount); // in its row
const readFew = values => new Map(data.few.span.map((span, i) => [span, values[i]]).filter(one => one[1]));
const notes = readFew(data.few.note), codes = readFew(data.few.code), unclosed = readFew(data.few.unclosed);
const explained = new Map(); // what git does in a kind of region
for (let i = 0; i < data.explained.length; i += 3)
	explained.set(data.explained[i], data.explained.slice(i + 1, i + 3));

const kindOf = span => data.whats[3 * whats[span]];
const firstOf = span => texts[data.whats[3 * whats[span] + 1]];
const secondOf = span => texts[data.whats[3 * whats[span] + 2]];
const processOf = span => threads.process[threadOf[span]];
function nameSpan(span) {
	if (kindOf(span) === THREAD) return texts[threads.name[threadOf[span]]];
	const note = texts[notes.get(span) || 0];
	const second = secondOf(span) || (kindOf(span) === REGION ? note : '');
	return kindOf(span) === CHILD ? second : firstOf(span) + '/' + second;
}
// `_run_dashed_` and the like are git's own; the words of the process say more.
function nameProcess(number) {
	const name = texts[processes.name[number]], mode = texts[processes.mode[number]];
	const words = texts[processes.words[number]];
	if (!name || (name[0] === '_' && words)) return words || texts[processes.sid[number]];
	return name + (mode ? '#' + mode : '');
}
const endOf = p => processes.start[p] + processes.length[p];

const markTimes = new Float64Array(data.marks.time.length);
const markFrom = [], spanFrom = [];
let nextSpan = 0, nextMark = 0;
for (let t = 0; t < threads.process.length; t++) {
	const base = processes.start[threads.process[t]];
	spanFrom.push(nextSpan);
	for (let now = base, n = threads.spans[t]; n--; nextSpan++) {
		starts[nextSpan] = now += data.spans.start[nextSpan];
		ends[nextSpan] = now + data.spans.length[nextSpan];
		threadOf[nextSpan] = t;
	}
	markFrom.push(nextMark);
	for (let now = base, n = threads.marks[t]; n--; nextMark++)
		markTimes[nextMark] = now += data.marks.time[nextMark];
}
markFrom.push(nextMark);
spanFrom.push(nextSpan);

// ---- who ran whom

const childrenOf = new Map(), threadsOf = processes.sid.map(() => []);
threads.process.forEach((p, t) => threadsOf[p].push(t));
const roots = [];
for (let p = 0; p < processCount; p++) {
	const caller = processes.caller[p];
	if (caller < 0 || caller === p) roots.push(p);
	else if (childrenOf.has(caller)) childrenOf.get(caller).push(p);
	else childrenOf.set(caller, [p]);
}
const byStart = (a, b) => processes.start[a] - processes.start[b];
roots.sort(byStart);
for (const list of childrenOf.values()) list.sort(byStart);

function longest(number, fits, length) {
	let best = -1;
	for (let i = 0; i < number; i++)
		if (fits(i) && (best < 0 || length(i) > length(best))) best = i;
	return best;
}
const slowest = roots[longest(roots.length, () => true, i => processes.length[roots[i]])];
const failed = p => processes.code[p] > 0 || processes.signal[p] > 0;
