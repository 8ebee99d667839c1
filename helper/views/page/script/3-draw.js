// ---- the timeline: a ruler, a strip of how many processes run, and the rows

const ROW = 18, RULER = 22, STRIP = 24, TOP = RULER + STRIP;
const canvas = byId('canvas'), pen = canvas.getContext('2d');
const scroll = byId('scroll'), overview = byId('overview');
const dark = matchMedia('(prefers-color-scheme: dark)');
const whole = {from: 0, to: Math.max(1, data.wall)};
const view = {from: 0, to: 1};
const FONT = '11px system-ui, sans-serif';
let width = 0, height = 0, gutter = 170, selected = -1, chosen = -1; // a span, a process
let box = null, found = null, wanted = false, viewOrigin = 0, colors = {};
let foundWhats = new Set(), foundNotes = new Set();

const toX = time => gutter + (time - view.from) / (view.to - view.from) * (width - gutter);
const toTime = x => view.from + (x - gutter) / (width - gutter) * (view.to - view.from);

function fill(name) {
	let hash = 7;
	for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	return dark.matches ? `hsl(${hash % 360} 38% 34%)` : `hsl(${hash % 360} 58% 80%)`;
}
const fills = new Map();
function fillOf(name) {
	if (!fills.has(name)) fills.set(name, fill(name));
	return fills.get(name);
}

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
// The first process of a row that ends after this time.
function findProcess(list, time) {
	let low = 0, high = list.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (endOf(list[middle]) <= time) low = middle + 1;
		else high = middle;
	}
	return low;
}

const isFound = span => foundWhats.has(whats[span]) || foundNotes.has(span);

function fitText(on, text, x, y, room) {
	const most = Math.floor(room / 6.4);
	if (most < 3) return;
	on.fillText(text.length > most ? text.slice(0, most - 1) + '…' : text, x, y);
}

function drawBar(from, to, y, style, name, border) {
	const left = Math.max(gutter, toX(from));
	const right = Math.min(width, Math.max(toX(to), left + 1));
	pen.fillStyle = style;
	pen.fillRect(left, y + 1, Math.max(1, right - left - (right - left > 3)), ROW - 2);
	if (border) pen.fillStyle = border, pen.fillRect(left, y + 1, 2, ROW - 2);
	pen.fillStyle = colors.text;
	if (right - left > 22) fitText(pen, name, left + 4, y + 13, right - left - 6);
}
function drawFrame(from, to, y) {
	const left = Math.max(gutter, toX(from)) - 1;
	pen.strokeStyle = colors.accent;
	pen.lineWidth = 2;
	pen.strokeRect(left, y, Math.max(4, Math.min(width, toX(to)) - left), ROW - 1);
}

function drawSpans(row, y) {
	const spans = row.spans;
	const step = (view.to - view.from) / (width - gutter);
	for (let i = findPlace(spans, view.from); i < spans.length; i++) {
		const span = spans[i];
		if (starts[span] > view.to) break;
		const small = ends[span] - starts[span] < step;
		pen.globalAlpha = found && !isFound(span) ? 0.25 : 1;
		drawBar(starts[span], ends[span], y, fillOf(firstOf(span)), small ? '' : nameSpan(span),
			kindOf(span) === CHILD && !small ? (codes.get(span) ? colors.bad : colors.soft) : null);
		pen.globalAlpha = 1;
		if (span === selected) drawFrame(starts[span], ends[span], y);
		// Spans in one pixel look like the first one.
		if (small) i = Math.max(i, findPlace(spans, starts[span] + step) - 1);
	}
}

function drawErrors(p, y) {
	pen.fillStyle = colors.bad;
	for (const t of threadsOf[p])
		for (let m = markFrom[t]; m < markFrom[t + 1]; m++)
			if (texts[data.keys[2 * data.marks.key[m]]] === 'error' &&
			    markTimes[m] >= view.from && markTimes[m] <= view.to)
				pen.fillRect(toX(markTimes[m]) - 1, y, 3, ROW);
}

function drawProcesses(row, y) {
	const list = row.processes, step = (view.to - view.from) / (width - gutter);
	pen.font = 'bold ' + FONT;
	for (let i = findProcess(list, view.from); i < list.length; i++) {
		const p = list[i], from = processes.start[p], small = processes.length[p] < step;
		if (from > view.to) break;
		drawBar(from, endOf(p), y, colors.line, small ? ''
			: nameProcess(p) + '  ' + formatTime(processes.length[p]), failed(p) ? colors.bad : null);
		if (p === chosen) drawFrame(from, endOf(p), y);
		if (!small) drawErrors(p, y);
		else i = Math.max(i, findProcess(list, from + step) - 1);
	}
	pen.font = FONT;
}

function drawRow(row, y) {
	const indent = 4 + Math.min(row.depth, gutter > 120 ? 8 : 3) * 10;
	const isProcess = row.processes.length > 0;
	pen.fillStyle = isProcess ? colors.text : colors.soft;
	pen.font = (isProcess ? 'bold ' : '') + FONT;
	fitText(pen, labelRow(row), indent + (isProcess ? 0 : 10), y + 13, gutter - indent - 6);
	pen.font = FONT;
	if (isProcess) drawProcesses(row, y);
	drawSpans(row, y);
}

function drawRuler() {
	pen.fillStyle = colors.back;
	pen.fillRect(0, 0, width, TOP);
	const least = (view.to - view.from) / Math.max(1, (width - gutter) / 90);
	const power = 10 ** Math.floor(Math.log10(least));
	const step = Math.max(1, power * [1, 2, 5, 10].find(n => n * power >= least));
	for (let t = viewOrigin + Math.ceil((view.from - viewOrigin) / step) * step; t <= view.to; t += step) {
		pen.fillStyle = colors.soft;
		fitText(pen, formatTime(t - viewOrigin), toX(t) + 3, 14, width - toX(t));
		pen.fillStyle = colors.line;
		pen.fillRect(toX(t), 0, 1, height);
	}
}
function drawStrip() {
	pen.fillStyle = colors.soft;
	fitText(pen, gutter > 120 ? `at once (of ${steps.most})` : `of ${steps.most}`, 4, RULER + 15, gutter - 6);
	pen.fillStyle = colors.accent;
	pen.globalAlpha = 0.55;
	for (let x = gutter; x < width; x++) {
		const tall = mostBetween(toTime(x), toTime(x + 1)) / Math.max(1, steps.most) * (STRIP - 4);
		if (tall) pen.fillRect(x, TOP - 2 - tall, 1, tall);
	}
	pen.globalAlpha = 1;
}
function drawBox() {
	if (!box) return;
	const left = Math.max(gutter, toX(box.from)), right = Math.min(width, toX(box.to));
	const y = TOP + box.top * ROW - scroll.scrollTop;
	pen.fillStyle = pen.strokeStyle = colors.accent;
	pen.globalAlpha = 0.18;
	pen.fillRect(left, y, right - left, (box.bottom - box.top + 1) * ROW);
	pen.globalAlpha = 1;
	pen.lineWidth = 1;
	pen.strokeRect(left, y, right - left, (box.bottom - box.top + 1) * ROW);
}

// Make the canvas as large as it is shown. Returns its pen.
function prepare(on, wide, high) {
	const scale = devicePixelRatio || 1, one = on.getContext('2d');
	if (on.width !== Math.round(wide * scale) || on.height !== Math.round(high * scale)) {
		on.width = Math.round(wide * scale);
		on.height = Math.round(high * scale);
		on.style.width = wide + 'px';
		on.style.height = high + 'px';
	}
	one.setTransform(scale, 0, 0, scale, 0, 0);
	one.direction = 'ltr';
	one.font = FONT;
	one.fillStyle = colors.back;
	one.fillRect(0, 0, wide, high);
	return one;
}
function readColors() {
	const style = getComputedStyle(document.documentElement);
	for (const name of ['back', 'text', 'soft', 'line', 'accent', 'bad', 'good'])
		colors[name] = style.getPropertyValue('--' + name).trim();
}

function draw() {
	wanted = false;
	readColors();
	width = scroll.clientWidth;
	gutter = width < 600 ? 96 : 170;
	height = Math.min(scroll.clientHeight, rows.length * ROW + TOP) || TOP;
	prepare(canvas, width, height);
	drawRuler();
	drawStrip();
	pen.save();
	pen.beginPath();
	pen.rect(0, TOP, width, height - TOP);
	pen.clip();
	for (let r = Math.floor(scroll.scrollTop / ROW); r < rows.length; r++) {
		const y = TOP + r * ROW - scroll.scrollTop;
		if (y > height) break;
		drawRow(rows[r], y);
	}
	drawBox();
	pen.restore();
	drawOverview();
}
function redraw() {
	if (!wanted) requestAnimationFrame(draw);
	wanted = true;
}

// ---- the overview: all rows in few pixels, and which part is in view

const OVERVIEW = 40;
function drawOverviewRows(on, wide) {
	const tall = Math.min(4, OVERVIEW / rows.length), scale = wide / (whole.to - whole.from);
	const skip = Math.max(1, Math.floor(rows.length / OVERVIEW / 2));
	for (let r = 0; r < rows.length; r += skip) {
		const row = rows[r], list = row.processes.length ? row.processes : row.spans;
		const isProcess = row.processes.length > 0;
		let last = -1;
		for (let i = 0; i < list.length; i++) {
			const from = (isProcess ? processes.start[list[i]] : starts[list[i]]) * scale;
			const to = (isProcess ? endOf(list[i]) : ends[list[i]]) * scale;
			if (to <= last && to - from < 1) continue;
			on.fillStyle = isProcess ? colors.soft : fillOf(firstOf(list[i]));
			on.fillRect(from, r * OVERVIEW / Math.max(rows.length, OVERVIEW / 4), Math.max(1, to - from), Math.max(1, tall - 0.5));
			last = Math.max(last, Math.ceil(to));
		}
	}
}
// The rows of the overview change only with the layout; they are kept.
let kept = null;
function drawOverview() {
	const wide = overview.parentNode.clientWidth, key = [wide, rows, colors.back, devicePixelRatio];
	const on = prepare(overview, wide, OVERVIEW);
	if (!kept || key.some((one, i) => one !== kept.key[i])) {
		drawOverviewRows(on, wide);
		const image = document.createElement('canvas');
		image.width = overview.width;
		image.height = overview.height;
		image.getContext('2d').drawImage(overview, 0, 0);
		kept = {key, image};
	}
	on.drawImage(kept.image, 0, 0, wide, OVERVIEW);
	const scale = wide / (whole.to - whole.from);
	const left = Math.max(0, (view.from - whole.from) * scale);
	const right = Math.min(wide, (view.to - whole.from) * scale);
	on.fillStyle = colors.text;
	on.globalAlpha = 0.12;
	on.fillRect(0, 0, left, OVERVIEW);
	on.fillRect(right, 0, wide - right, OVERVIEW);
	on.globalAlpha = 1;
	on.strokeStyle = colors.accent;
	on.lineWidth = 2;
	on.strokeRect(left + 1, 1, Math.max(2, right - left - 2), OVERVIEW - 2);
}
