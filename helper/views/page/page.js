'use strict';
// Draws what helper/views/page/data.h describes. Texts of logs reach the page only
// as textContent and on the canvas.
const data = JSON.parse(document.getElementById('data').textContent);
const byId = id => document.getElementById(id);
const REGION = 0, CHILD = 1, THREAD = 2;
const ROW = 18, GUTTER = 170, RULER = 22;

// Control characters and those that change the direction of writing are shown
// as what they are.
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const clean = text => text.replace(UNFIT, one =>
	'\\u' + one.charCodeAt(0).toString(16).padStart(4, '0'));
const texts = data.texts.map(clean);

function formatTime(us) {
	const size = Math.abs(us);
	if (size >= 1e6) return (us / 1e6).toPrecision(size >= 1e9 ? 6 : 4) + ' s';
	if (size >= 1e3) return (us / 1e3).toPrecision(3 + (size >= 1e5)) + ' ms';
	return Math.round(us) + ' µs';
}

function add(parent, tag, text, kind) {
	const made = document.createElement(tag);
	if (text !== undefined) made.textContent = text;
	if (kind) made.className = kind;
	parent.append(made);
	return made;
}

function addLink(parent, text, go) {
	const made = add(parent, 'button', text, 'link');
	made.type = 'button';
	made.addEventListener('click', go);
	return made;
}

// ---- the data: differences to times, threads to rows

const processes = data.processes, threads = data.threads;
const processCount = processes.sid.length;
const spanCount = data.spans.start.length;
const starts = new Float64Array(spanCount), ends = new Float64Array(spanCount);
const whats = data.spans.what;
const threadOf = new Uint32Array(spanCount), rowOf = new Uint32Array(spanCount);
const placeOf = new Uint32Array(spanCount); // in its row
const notes = new Map(), codes = new Map(), unclosed = new Set(data.spans.unclosed);
for (let i = 0; i < data.spans.notes.length; i += 2)
	notes.set(data.spans.notes[i], data.spans.notes[i + 1]);
for (let i = 0; i < data.spans.codes.length; i += 2)
	codes.set(data.spans.codes[i], data.spans.codes[i + 1]);

const kindOf = span => data.whats[3 * whats[span]];
const firstOf = span => texts[data.whats[3 * whats[span] + 1]];
const secondOf = span => texts[data.whats[3 * whats[span] + 2]];
function nameSpan(span) {
	if (kindOf(span) === THREAD) return texts[threads.name[threadOf[span]]];
	const note = texts[notes.get(span) || 0];
	const second = secondOf(span) || (kindOf(span) === REGION ? note : '');
	return kindOf(span) === CHILD ? second : firstOf(span) + '/' + second;
}
function nameProcess(number) {
	const name = texts[processes.name[number]], mode = texts[processes.mode[number]];
	return name ? name + (mode ? '#' + mode : '')
		: texts[processes.words[number]] || texts[processes.sid[number]];
}

const markTimes = new Float64Array(data.marks.time.length);
const markFrom = [], spanFrom = [];
let nextSpan = 0, nextMark = 0;
for (let t = 0; t < threads.process.length; t++) {
	const base = processes.start[threads.process[t]];
	spanFrom.push(nextSpan);
	for (let now = base, n = data.spans.counts[t]; n--; nextSpan++) {
		starts[nextSpan] = now += data.spans.start[nextSpan];
		ends[nextSpan] = now + data.spans.length[nextSpan];
		threadOf[nextSpan] = t;
	}
	markFrom.push(nextMark);
	for (let now = base, n = data.marks.counts[t]; n--; nextMark++)
		markTimes[nextMark] = now += data.marks.time[nextMark];
}
markFrom.push(nextMark);
spanFrom.push(nextSpan);

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

// A row is a process or a lane of a thread. Spans of a lane do not overlap. A
// span has the first lane that is free, below those of the regions around it;
// children overlap in any way, and regions end inside out.
const rows = [], rowOfProcess = new Uint32Array(processCount);
function addLanes(thread, depth) {
	const around = [], until = [], lanes = [];
	for (let i = spanFrom[thread]; i < spanFrom[thread + 1]; i++) {
		while (around.length && around[around.length - 1].end <= starts[i]) around.pop();
		let lane = around.length ? around[around.length - 1].lane + 1 : 0;
		while (until[lane] > starts[i]) lane++;
		until[lane] = ends[i];
		if (kindOf(i) !== CHILD) around.push({end: ends[i], lane});
		(lanes[lane] = lanes[lane] || []).push(i);
	}
	lanes.forEach((spans, lane) => {
		spans.forEach((span, place) => {
			rowOf[span] = rows.length;
			placeOf[span] = place;
		});
		rows.push({thread, depth, lane, spans});
	});
}
const waiting = roots.slice().reverse().map(p => [p, 0]);
while (waiting.length) {
	const [process, depth] = waiting.pop();
	rowOfProcess[process] = rows.length;
	rows.push({process, depth, spans: []});
	for (const thread of threadsOf[process]) addLanes(thread, depth);
	for (const child of (childrenOf.get(process) || []).slice().reverse())
		waiting.push([child, depth + 1]);
}

// ---- the timeline

const canvas = byId('canvas'), pen = canvas.getContext('2d');
const scroll = byId('scroll');
const dark = matchMedia('(prefers-color-scheme: dark)');
const whole = {from: 0, to: Math.max(1, data.wall)};
const view = {from: 0, to: 1};
let width = 0, height = 0, selected = -1, found = null, wanted = false;
let foundWhats = new Set(), foundNotes = new Set();

const toX = time => GUTTER + (time - view.from) / (view.to - view.from) * (width - GUTTER);
const toTime = x => view.from + (x - GUTTER) / (width - GUTTER) * (view.to - view.from);

function fill(name) {
	let hash = 7;
	for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	return dark.matches ? `hsl(${hash % 360} 38% 34%)` : `hsl(${hash % 360} 58% 80%)`;
}
const fills = new Map();
function fillOf(span) {
	const key = data.whats[3 * whats[span] + 1];
	if (!fills.has(key)) fills.set(key, fill(texts[key]));
	return fills.get(key);
}
dark.addEventListener('change', () => { fills.clear(); redraw(); });

// The first span of a row that ends after this time.
function findPlace(spans, time) {
	let low = 0, high = spans.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (ends[spans[middle]] <= time) low = middle + 1;
		else high = middle;
	}
	return low;
}

const isFound = span => foundWhats.has(whats[span]) || foundNotes.has(span);

function drawText(text, x, y, room) {
	const most = Math.floor(room / 6.6);
	if (most < 3) return;
	pen.fillText(text.length > most ? text.slice(0, most - 1) + '…' : text, x, y);
}

function drawBar(from, to, y, style, name, border) {
	const left = Math.max(GUTTER, toX(from));
	const right = Math.min(width, Math.max(toX(to), left + 1));
	pen.fillStyle = style;
	pen.fillRect(left, y + 1, Math.max(1, right - left - (right - left > 3)), ROW - 2);
	if (border) pen.fillStyle = border, pen.fillRect(left, y + 1, 2, ROW - 2);
	pen.fillStyle = colors.text;
	if (right - left > 22) drawText(name, left + 4, y + 13, right - left - 6);
}

function drawSpans(row, y) {
	const spans = row.spans;
	const step = (view.to - view.from) / (width - GUTTER);
	for (let i = findPlace(spans, view.from); i < spans.length; i++) {
		const span = spans[i];
		if (starts[span] > view.to) break;
		const small = ends[span] - starts[span] < step;
		pen.globalAlpha = found && !isFound(span) ? 0.25 : 1;
		drawBar(starts[span], ends[span], y, fillOf(span), small ? '' : nameSpan(span),
			kindOf(span) === CHILD && !small ? (codes.get(span) ? colors.bad : colors.soft) : null);
		pen.globalAlpha = 1;
		if (span === selected) {
			const left = Math.max(GUTTER, toX(starts[span])) - 1;
			pen.strokeStyle = colors.accent;
			pen.lineWidth = 2;
			pen.strokeRect(left, y, Math.max(4, Math.min(width, toX(ends[span])) - left), ROW - 1);
		}
		// Spans in one pixel look like the first one.
		if (small) i = Math.max(i, findPlace(spans, starts[span] + step) - 1);
	}
}

function drawErrors(row, y) {
	pen.fillStyle = colors.bad;
	for (const t of threadsOf[row.process])
		for (let m = markFrom[t]; m < markFrom[t + 1]; m++)
			if (texts[data.keys[2 * data.marks.key[m]]] === 'error' &&
			    markTimes[m] >= view.from && markTimes[m] <= view.to)
				pen.fillRect(toX(markTimes[m]) - 1, y, 3, ROW);
}

function drawRow(row, y) {
	const indent = 4 + Math.min(row.depth, 8) * 10;
	pen.fillStyle = colors.soft;
	if (row.process === undefined) {
		const name = texts[threads.name[row.thread]];
		if (!row.lane && name !== 'main') drawText(name, indent + 10, y + 13, GUTTER - indent - 14);
		drawSpans(row, y);
		return;
	}
	const p = row.process, from = processes.start[p], to = from + processes.length[p];
	pen.fillStyle = colors.text;
	pen.font = 'bold 11px system-ui, sans-serif';
	drawText(nameProcess(p), indent, y + 13, GUTTER - indent - 4);
	if (to >= view.from && from <= view.to)
		drawBar(from, to, y, colors.line, nameProcess(p) + '  ' + formatTime(processes.length[p]));
	pen.font = '11px system-ui, sans-serif';
	drawErrors(row, y);
}

function drawRuler() {
	pen.fillStyle = colors.back;
	pen.fillRect(0, 0, width, RULER);
	const least = (view.to - view.from) / Math.max(1, (width - GUTTER) / 90);
	const power = 10 ** Math.floor(Math.log10(least));
	const step = Math.max(1, power * [1, 2, 5, 10].find(n => n * power >= least));
	for (let t = viewOrigin + Math.ceil((view.from - viewOrigin) / step) * step; t <= view.to; t += step) {
		pen.fillStyle = colors.soft;
		pen.fillText(formatTime(t - viewOrigin), toX(t) + 3, 14);
		pen.fillStyle = colors.line;
		pen.fillRect(toX(t), 0, 1, height);
	}
}

let colors = {}, viewOrigin = 0;
function draw() {
	wanted = false;
	const style = getComputedStyle(document.documentElement);
	for (const name of ['back', 'text', 'soft', 'line', 'accent', 'bad'])
		colors[name] = style.getPropertyValue('--' + name).trim();
	const scale = devicePixelRatio || 1;
	width = scroll.clientWidth;
	height = Math.min(scroll.clientHeight, rows.length * ROW + RULER) || RULER;
	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.width = width + 'px';
		canvas.style.height = height + 'px';
	}
	pen.setTransform(scale, 0, 0, scale, 0, 0);
	pen.direction = 'ltr';
	pen.font = '11px system-ui, sans-serif';
	pen.fillStyle = colors.back;
	pen.fillRect(0, 0, width, height);
	drawRuler();
	const first = Math.floor(scroll.scrollTop / ROW);
	pen.save();
	pen.beginPath();
	pen.rect(0, RULER, width, height - RULER);
	pen.clip();
	for (let r = first; r < rows.length; r++) {
		const y = RULER + r * ROW - scroll.scrollTop;
		if (y > height) break;
		drawRow(rows[r], y);
	}
	pen.restore();
}
function redraw() {
	if (!wanted) requestAnimationFrame(draw);
	wanted = true;
}

function setView(from, to) {
	const least = 10, length = Math.max(least, Math.min(to - from, (whole.to - whole.from) * 1.1));
	view.from = Math.min(Math.max(from, whole.from - length * 0.9), whole.to - length * 0.1);
	view.to = view.from + length;
	redraw();
}
function zoom(factor, time = (view.from + view.to) / 2) {
	setView(time - (time - view.from) * factor, time + (view.to - time) * factor);
}
const pan = share => setView(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
function showRow(row) {
	const y = row * ROW;
	if (y < scroll.scrollTop || y + ROW + RULER > scroll.scrollTop + scroll.clientHeight)
		scroll.scrollTop = Math.max(0, y - ROW);
}

function showFields(parent, fields) {
	const list = add(parent, 'dl');
	for (const [name, text] of fields)
		if (text) add(list, 'dt', name), add(list, 'dd', text);
}

// An argv as words; one that was cut is no JSON any more.
function formatWords(number) {
	try {
		return JSON.parse(data.texts[number]).map(word =>
			/^[\w@%+=:,./-]+$/.test(word) ? word : `'${clean(word)}'`).join(' ');
	} catch {
		return texts[number];
	}
}

function listProcess(p) {
	const code = processes.code[p];
	return [['process', nameProcess(p)], ['command line', formatWords(processes.argv[p])],
		['version', texts[processes.version[p]]], ['SID', texts[processes.sid[p]]],
		['took', formatTime(processes.length[p])],
		['exit code', code >= 0 ? String(code) : processes.ended[p] ? '' : 'no end in the log'],
		['signal', processes.signal[p] ? String(processes.signal[p]) : ''],
		['time', processes.timed[p] ? '' : 'its events have no time']];
}

function listMarks(span) {
	const t = threadOf[span], lines = [];
	for (let m = markFrom[t]; m < markFrom[t + 1] && lines.length < 20; m++)
		if (markTimes[m] >= starts[span] && markTimes[m] <= ends[span])
			lines.push([0, 1].map(n => texts[data.keys[2 * data.marks.key[m] + n]])
				.filter(Boolean).join('/') + ': ' + texts[data.marks.value[m]]);
	return lines.join('\n');
}

function listSpan(span) {
	const p = threads.process[threadOf[span]], length = ends[span] - starts[span];
	const kind = ['region', 'child', 'thread'][kindOf(span)];
	const share = processes.length[p] ? (100 * length / processes.length[p]).toFixed(1) : '0';
	return [[kind, nameSpan(span)],
		['class', kindOf(span) === CHILD ? firstOf(span) : ''],
		['took', `${formatTime(length)}, ${share} % of ${nameProcess(p)}`],
		['began', formatTime(starts[span] - processes.start[p]) + ' after its process'],
		kindOf(span) === CHILD ? ['command line', formatWords(notes.get(span) || 0)]
			: ['message', texts[notes.get(span) || 0]],
		['exit code', codes.has(span) ? String(codes.get(span)) : ''],
		['end', unclosed.has(span) ? 'not in the log; shown until its process ends' : ''],
		['thread', texts[threads.name[threadOf[span]]]], ['data', listMarks(span)]];
}

function select(span) {
	selected = span;
	byId('details').replaceChildren();
	if (span >= 0) {
		showFields(byId('details'), listSpan(span));
		showRow(rowOf[span]);
	}
	redraw();
}
function showSpan(span) {
	const length = Math.max(20, ends[span] - starts[span]);
	setView(starts[span] - length * 0.15, ends[span] + length * 0.15);
	select(span);
}
function showProcess(p) {
	const length = Math.max(20, processes.length[p]);
	viewOrigin = processes.start[p];
	selected = -1;
	setView(viewOrigin - length * 0.01, viewOrigin + length * 1.01);
	scroll.scrollTop = rowOfProcess[p] * ROW;
	byId('details').replaceChildren();
	showFields(byId('details'), listProcess(p));
}
const jump = () => byId('timeline').scrollIntoView({block: 'nearest'});

function findAt(event) {
	const box = canvas.getBoundingClientRect();
	const x = event.clientX - box.left, y = event.clientY - box.top;
	const row = rows[Math.floor((y - RULER + scroll.scrollTop) / ROW)];
	if (!row || y < RULER) return null;
	if (row.process !== undefined) return {process: row.process};
	const time = toTime(x), step = 2 * (view.to - view.from) / (width - GUTTER);
	const span = row.spans[findPlace(row.spans, time - step)];
	return span !== undefined && x >= GUTTER && starts[span] <= time + step ? {span} : null;
}

let drag = null;
canvas.addEventListener('pointerdown', event => {
	drag = {x: event.clientX, from: view.from, to: view.to, moved: false};
	canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', event => {
	const tip = byId('tip');
	if (drag && Math.abs(event.clientX - drag.x) > 3) {
		const shift = (drag.x - event.clientX) * (drag.to - drag.from) / (width - GUTTER);
		drag.moved = true;
		setView(drag.from + shift, drag.to + shift);
	}
	const at = drag && drag.moved ? null : findAt(event);
	tip.hidden = !at;
	if (!at) return;
	tip.replaceChildren();
	showFields(tip, at.span === undefined ? listProcess(at.process) : listSpan(at.span));
	tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
	tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + 'px';
});
canvas.addEventListener('pointerup', event => {
	const at = drag && !drag.moved ? findAt(event) : null;
	drag = null;
	if (at && at.span !== undefined) select(at.span);
	else if (at) showFields((byId('details').replaceChildren(), byId('details')), listProcess(at.process));
});
canvas.addEventListener('pointerleave', () => { byId('tip').hidden = true; });
canvas.addEventListener('dblclick', event => {
	const at = findAt(event);
	if (at) at.span === undefined ? showProcess(at.process) : showSpan(at.span);
});
canvas.addEventListener('wheel', event => {
	if (event.ctrlKey || event.metaKey) {
		event.preventDefault();
		zoom(Math.exp(event.deltaY / 300), toTime(event.clientX - canvas.getBoundingClientRect().left));
	} else if (event.deltaX) {
		pan(event.deltaX / width);
	}
}, {passive: false});
scroll.addEventListener('scroll', redraw);
new ResizeObserver(redraw).observe(scroll);

function moveSideways(step) {
	if (selected < 0) return selectNear(0, 1);
	const span = rows[rowOf[selected]].spans[placeOf[selected] + step];
	if (span === undefined) return;
	select(span);
	if (starts[span] > view.to || ends[span] < view.from)
		setView(starts[span] - (view.to - view.from) / 3, starts[span] + (view.to - view.from) * 2 / 3);
}
// The span of the next row in this direction that is in view.
function selectNear(row, step) {
	const time = selected < 0 ? view.from : Math.max(view.from, (starts[selected] + ends[selected]) / 2);
	for (let r = row; r >= 0 && r < rows.length; r += step) {
		const span = rows[r].spans[findPlace(rows[r].spans, time)];
		if (span !== undefined && starts[span] < view.to) return select(span);
	}
}
const keys = {
	ArrowLeft: () => moveSideways(-1), ArrowRight: () => moveSideways(1),
	ArrowUp: () => selected >= 0 && selectNear(rowOf[selected] - 1, -1),
	ArrowDown: () => selectNear(selected < 0 ? Math.floor(scroll.scrollTop / ROW) : rowOf[selected] + 1, 1),
	Enter: () => selected >= 0 && showSpan(selected), Escape: () => select(-1),
	'+': () => zoom(0.7), '=': () => zoom(0.7), '-': () => zoom(1.4), w: () => zoom(0.7), s: () => zoom(1.4),
	a: () => pan(-0.2), d: () => pan(0.2), 0: showAll,
};
canvas.addEventListener('keydown', event => {
	const act = keys[event.key];
	if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
	event.preventDefault();
	act();
});
document.addEventListener('keydown', event => {
	if (event.key !== '/' || event.target.tagName === 'INPUT') return;
	event.preventDefault();
	byId('search').focus();
});
function showAll() {
	viewOrigin = 0;
	setView(whole.from - (whole.to - whole.from) * 0.01, whole.to + (whole.to - whole.from) * 0.01);
}
byId('closer').addEventListener('click', () => zoom(0.5));
byId('wider').addEventListener('click', () => zoom(2));
byId('all').addEventListener('click', showAll);

// ---- search

function search(word) {
	foundWhats = new Set();
	foundNotes = new Set();
	found = null;
	byId('matches').textContent = '';
	word = word.trim().toLowerCase();
	if (!word) return redraw();
	const fits = texts.map(text => text.toLowerCase().includes(word));
	for (let w = 0; w * 3 < data.whats.length; w++) {
		const name = texts[data.whats[3 * w + 1]] + '/' + texts[data.whats[3 * w + 2]];
		if (name.toLowerCase().includes(word)) foundWhats.add(w);
	}
	for (const [span, note] of notes) if (fits[note]) foundNotes.add(span);
	found = [];
	for (let i = 0; i < spanCount; i++) if (isFound(i)) found.push(i);
	for (let p = 0; p < processCount; p++)
		if (nameProcess(p).toLowerCase().includes(word)) found.push(-1 - p);
	byId('matches').textContent = `${found.length} found`;
	redraw();
}
let searched = -1;
byId('search').addEventListener('input', event => { searched = -1; search(event.target.value); });
byId('search').addEventListener('keydown', event => {
	if (event.key !== 'Enter' || !found || !found.length) return;
	searched = (searched + (event.shiftKey ? found.length - 1 : 1)) % found.length;
	const one = found[searched];
	if (one >= 0) showSpan(one);
	else showProcess(-1 - one);
	byId('matches').textContent = `${searched + 1} of ${found.length}`;
});

// ---- tables, with links to the timeline

function longest(count, fits, length) {
	let best = -1;
	for (let i = 0; i < count; i++)
		if (fits(i) && (best < 0 || length(i) > length(best))) best = i;
	return best;
}
function showLongest(table, row) {
	if (table === 'commands') {
		const p = longest(processCount, i => nameProcess(i) === clean(row.name), i => processes.length[i]);
		if (p >= 0) showProcess(p), jump();
		return;
	}
	const kind = table === 'regions' ? REGION : CHILD;
	const first = clean(kind === REGION ? row.category : row.class);
	const second = clean(kind === REGION ? row.label : row.command);
	const span = longest(spanCount, i => kindOf(i) === kind && firstOf(i) === first && secondOf(i) === second,
		i => ends[i] - starts[i]);
	if (span >= 0) showSpan(span), jump();
}

const TABLES = {
	commands: 'Commands', regions: 'Regions', children: 'Children', phases: "Phases of git's work",
	errors: 'Errors', callers: 'Callers', timers: 'Timers', counters: 'Counters', data: 'Data',
};
const LINKED = {commands: 'name', regions: 'label', children: 'command'};
const SHOWN = 10;

function fillTable(body, table, list, columns) {
	body.replaceChildren();
	for (const row of list) {
		const line = add(body, 'tr');
		for (const column of columns) {
			const value = row[column];
			const isText = typeof value === 'string';
			const cell = add(line, 'td', undefined, isText ? '' : 'number');
			const text = isText ? clean(value) : column.endsWith('_us') ? formatTime(value) : String(value);
			if (LINKED[table] === column)
				addLink(cell, text || '(none)', () => showLongest(table, row));
			else cell.textContent = text;
		}
	}
}

function addTable(parent, name) {
	let list = data.summary[name] || [], most = SHOWN;
	if (!list.length) return;
	add(parent, 'h2', TABLES[name]);
	const columns = Object.keys(list[0]), table = add(parent, 'table');
	table.id = 'table-' + name;
	const head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
	const fillIt = () => fillTable(body, name, list.slice(0, most), columns);
	for (const column of columns) {
		const isText = typeof list[0][column] === 'string';
		const cell = add(head, 'th', undefined, isText ? '' : 'number');
		cell.scope = 'col';
		add(cell, 'button', column.replace(/_us$/, '')).addEventListener('click', () => {
			list = list.slice().sort((a, b) => isText ? (a[column] < b[column] ? -1 : 1) : b[column] - a[column]);
			fillIt();
		});
	}
	fillIt();
	if (list.length <= most) return;
	const more = add(parent, 'button', `Show all ${list.length} rows`, 'plain more');
	more.addEventListener('click', () => { most = list.length; fillIt(); more.remove(); });
}

// ---- the answer

function listOwners() {
	const {commands, regions, children} = data.summary;
	return [
		...commands.map(row => ({us: row.self_us, name: clean(row.name) + ', outside of regions and children',
			go: () => showLongest('commands', row)})),
		...regions.map(row => ({us: row.self_us, name: `region ${clean(row.category)}/${clean(row.label)}`,
			go: () => showLongest('regions', row)})),
		...children.map(row => ({us: row.self_us, name: `child ${clean(row.command)}, outside of its own log`,
			go: () => showLongest('children', row)})),
	].filter(one => one.us > 0).sort((a, b) => b.us - a.us);
}

function showAnswer(slowest) {
	const parent = byId('answer'), wall = data.summary.wall_us || 1, owners = listOwners();
	const many = data.summary.roots > 1;
	add(parent, 'h2', many ? `${data.summary.roots} commands took ${formatTime(wall)}; ` +
		`the slowest, ${nameProcess(slowest)}, took ${formatTime(processes.length[slowest])}.`
		: `${nameProcess(slowest)} took ${formatTime(wall)}. This is where the time went:`);
	const list = add(parent, 'ol');
	for (const one of owners.slice(0, 6)) {
		const line = add(list, 'li'), share = one.us / wall;
		add(line, 'span', (100 * share).toFixed(1) + ' %', 'number');
		add(line, 'span', formatTime(one.us), 'number');
		const bar = add(line, 'meter');
		bar.value = share;
		bar.setAttribute('aria-hidden', 'true');
		addLink(line, one.name, one.go);
	}
	const rest = owners.slice(6).reduce((sum, one) => sum + one.us, 0);
	if (rest) add(parent, 'p', `${formatTime(rest)} in ${owners.length - 6} others; see the tables.`, 'soft');
	const phases = (data.summary.phases || []).filter(row => row.self_us > wall / 200);
	if (phases.length)
		add(parent, 'p', 'Phases: ' + phases.map(row => `${clean(row.name)} ${formatTime(row.self_us)}`).join(', '));
	for (const line of data.advice.split('\n').filter(Boolean))
		add(parent, 'p', clean(line), 'advice');
}

// ---- the tree of processes, built as far as it is open

function addProcess(parent, p) {
	const item = add(parent, 'li'), inner = childrenOf.get(p);
	const line = inner ? add(add(item, 'details'), 'summary') : add(item, 'div', undefined, 'leaf');
	addLink(line, nameProcess(p), event => { event.preventDefault(); showProcess(p); jump(); });
	add(line, 'span', ` ${formatTime(processes.length[p])}`, 'soft');
	if (processes.code[p] > 0) add(line, 'span', ` exit code ${processes.code[p]}`, 'bad');
	if (processes.signal[p]) add(line, 'span', ` signal ${processes.signal[p]}`, 'bad');
	if (!processes.ended[p]) add(line, 'span', ' no end in the log', 'bad');
	if (!inner) return null;
	add(line, 'span', ` (ran ${inner.length})`, 'soft');
	line.parentNode.addEventListener('toggle', function build() {
		line.parentNode.removeEventListener('toggle', build);
		addProcesses(add(line.parentNode, 'ul'), inner);
	});
	return line.parentNode;
}
function addProcesses(list, numbers, from = 0) {
	const MOST = 200;
	for (const p of numbers.slice(from, from + MOST)) addProcess(list, p);
	if (numbers.length <= from + MOST) return;
	const more = add(add(list, 'li'), 'button', `Show more of ${numbers.length}`, 'plain more');
	more.addEventListener('click', () => { more.parentNode.remove(); addProcesses(list, numbers, from + MOST); });
}

function showFindings() {
	const parent = byId('findings'), {findings, summary} = data.findings;
	const counts = summary.findings;
	add(parent, 'h2', 'Findings');
	add(parent, 'p', ['error', 'warning', 'info'].map(level => `${level}: ${counts[level]}`).join(', '));
	if (!findings.length) return;
	const list = add(parent, 'ul');
	for (const one of findings.slice(0, 100))
		add(list, 'li', clean(`${one.file}:${one.line}:${one.column}: ${one.level}: ${one.message} [${one.id}]`));
	const more = counts.error + counts.warning + counts.info - 100;
	if (more > 0) add(parent, 'p', `${more} more: run 'trace2 validate'.`);
}

function showGaps(gaps) {
	const words = {unfinished: 'processes without an end', untimed: 'processes without times',
		unclosed: 'spans without an end', unlogged: 'children without a log',
		cut: 'processes whose parent is in no log', late: 'events after the end of their process',
		unread: 'lines that are not events'};
	const list = Object.keys(words).filter(key => gaps[key]).map(key => `${gaps[key]} ${words[key]}`);
	if (list.length) add(byId('answer'), 'p', 'Not in the logs: ' + list.join(', ') + '.', 'soft');
}

const slowest = longest(roots.length, () => true, i => processes.length[roots[i]]);
byId('facts').textContent = [data.origin
	? new Date(data.origin).toISOString().replace('T', ' ').slice(0, 19) + ' UTC' : 'no event has a time',
	`${processCount} processes`, `${spanCount} spans`].join(', ');
byId('title').textContent = `Where the time of ${roots.length > 1
	? roots.length + ' commands' : nameProcess(roots[slowest])} went`;
document.title = byId('title').textContent;
showAnswer(roots[slowest]);
showGaps(data.summary.gaps);
for (const name of Object.keys(TABLES)) addTable(byId('tables'), name);
add(byId('tree'), 'h2', 'Processes');
addProcesses(add(byId('tree'), 'ul'), roots);
byId('tree').querySelectorAll('details').forEach((one, i) => { if (i < 20) one.open = true; });
showFindings();
byId('height').style.height = scroll.style.height = rows.length * ROW + RULER + 2 + 'px';
showProcess(roots[slowest]);
addEventListener('beforeprint', draw);
