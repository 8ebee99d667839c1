// ---- tables, with links to the timeline

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
	commands: 'Commands', regions: 'Regions', children: 'Children', path: 'Critical path',
	errors: 'Errors', callers: 'Callers', timers: 'Timers', counters: 'Counters', data: 'Numbers',
};
const LINKED = {commands: 'name', regions: 'label', children: 'command'};
const HEADS = {on_path: 'on the path', saves: 'at most saved', saves_us: 'at most saved', total_us: 'total'};
const SHOWN = 10;

// How long the runs of each command took, in logarithmic steps.
const lengthsOf = new Map();
for (let p = 0; p < processCount; p++) {
	const name = nameProcess(p);
	if (lengthsOf.has(name)) lengthsOf.get(name).push(processes.length[p]);
	else lengthsOf.set(name, [processes.length[p]]);
}
const BINS = 24, HIGH = 22;
function countBins(lengths) {
	const bins = new Array(BINS).fill(0);
	const least = lengths.reduce((a, b) => Math.min(a, b)), most = lengths.reduce((a, b) => Math.max(a, b));
	const low = Math.log(Math.max(1, least)), high = Math.log(Math.max(1, most));
	for (const one of lengths) {
		const share = high > low ? (Math.log(Math.max(1, one)) - low) / (high - low) : 0;
		bins[Math.min(BINS - 1, Math.floor(share * BINS))]++;
	}
	return {bins, least, most};
}
function addHistogram(cell, name) {
	const lengths = lengthsOf.get(name) || [];
	if (lengths.length < 2) return;
	const {bins, least, most} = countBins(lengths), tallest = Math.max(...bins);
	const text = `${count(lengths.length, 'run')}: ${formatTime(least)} to ${formatTime(most)}`;
	const made = add(cell, 'canvas', undefined, 'histogram');
	made.setAttribute('role', 'img');
	made.setAttribute('aria-label', text);
	made.title = text + ', in logarithmic steps';
	const paint = () => {
		readColors();
		const on = prepare(made, BINS * 4, HIGH);
		on.fillStyle = colors.accent;
		bins.forEach((n, i) => {
			const tall = n ? Math.max(2, (HIGH - 2) * n / tallest) : 0;
			on.fillRect(i * 4, HIGH - tall, 3, tall);
		});
	};
	paint();
	dark.addEventListener('change', paint);
}

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
		if (table === 'commands') addHistogram(add(line, 'td'), clean(row.name));
	}
}

function addTable(parent, name) {
	let list = data.summary[name] || [], most = SHOWN;
	if (!list.length) return;
	add(parent, 'h2', TABLES[name]);
	let columns = Object.keys(list[0]);
	const isName = column => typeof list[0][column] === 'string';
	// On a phone names come first, because the rest is beside the screen.
	if (innerWidth < 640) columns = [...columns.filter(isName), ...columns.filter(one => !isName(one))];
	const table = add(add(parent, 'div', undefined, 'wide'), 'table');
	table.id = 'table-' + name;
	const head = add(add(table, 'thead'), 'tr'), body = add(table, 'tbody');
	const fillIt = () => fillTable(body, name, list.slice(0, most), columns);
	for (const column of columns) {
		const isText = isName(column);
		const cell = add(head, 'th', undefined, isText ? '' : 'number');
		cell.scope = 'col';
		add(cell, 'button', HEADS[column] || column.replace(/_us$/, '')).addEventListener('click', () => {
			list = list.slice().sort((a, b) => isText ? (a[column] < b[column] ? -1 : 1) : b[column] - a[column]);
			fillIt();
		});
	}
	if (name === 'commands' && list.some(row => row.count > 1)) add(head, 'th', 'runs').scope = 'col';
	fillIt();
	if (list.length <= most) return;
	const more = addLink(parent, `Show all ${list.length} rows`,
		() => { most = list.length; fillIt(); more.remove(); }, 'plain more');
}

// ---- parts of a whole as one bar, with their names below it

function addBar(parent, title, list) {
	const all = list.reduce((sum, row) => sum + row.us, 0);
	if (!all) return;
	add(parent, 'h2', title);
	const bar = add(parent, 'div', undefined, 'stack'), legend = add(parent, 'ul', undefined, 'legend');
	bar.setAttribute('aria-hidden', 'true');
	list.filter(one => one.us > 0).forEach(({name, us}, i) => {
		const part = add(bar, 'span', us / all > 0.12 ? name : ''), line = add(legend, 'li');
		const spot = add(line, 'span', undefined, 'spot');
		const hue = (205 + 137 * i) % 360; // neighbours differ
		const paint = () => {
			part.style.background = spot.style.background = `hsl(${hue} ${dark.matches ? '38% 34%' : '58% 80%'})`;
		};
		paint();
		dark.addEventListener('change', paint);
		part.style.flexGrow = us / all;
		part.title = `${name}: ${formatTime(us)}, ${formatShare(us, all)}`;
		add(line, 'span', `${name} ${formatTime(us)}, ${formatShare(us, all)}`);
	});
}
const listSelf = name => (data.summary[name] || []).map(row => ({name: clean(row.name), us: row.self_us}));
