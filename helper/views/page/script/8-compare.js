// ---- the page of `trace2 diff`: what changed, row by row

const CHANGES = {commands: 'Commands', regions: 'Regions', children: 'Children'};
const nameChange = row => clean(row.command) + (row.label === undefined && row.child === undefined ? ''
	: ' › ' + clean(row.category === undefined ? row.child : row.category + '/' + row.label));

const formatChance = p => p === null ? '' : p < 0.001 ? '< 0.001' : p.toFixed(3);

function addChanges(parent, name) {
	const list = raw.compare[name];
	if (!list.length) return;
	add(parent, 'h2', CHANGES[name]);
	const table = add(add(parent, 'div', undefined, 'wide'), 'table'), head = add(add(table, 'thead'), 'tr');
	table.id = 'changes-' + name;
	for (const title of ['what', 'before', 'after', 'change', '%', 'p', 'runs', 'verdict'])
		add(head, 'th', title, title === 'verdict' || title === 'what' ? '' : 'number').scope = 'col';
	const body = add(table, 'tbody');
	const fillIt = most => {
		body.replaceChildren();
		for (const row of list.slice(0, most)) {
			const line = add(body, 'tr'), {a, b} = row, both = a.count && b.count;
			const kind = row.verdict === 'slower' ? ' bad' : row.verdict === 'faster' ? ' good' : '';
			const grown = both ? b.p50_us - a.p50_us : 0, plus = grown > 0 ? '+' : '';
			add(line, 'td', nameChange(row));
			for (const text of [a.count ? formatTime(a.p50_us) : '–', b.count ? formatTime(b.p50_us) : '–',
				both ? plus + formatTime(grown) : '', row.change_percent === null || !both ? ''
					: plus + row.change_percent.toFixed(1) + '%',
				formatChance(row.p_adjusted), `${a.count}, ${b.count}`])
				add(line, 'td', text, 'number' + kind);
			add(line, 'td', row.verdict, kind.trim());
		}
	};
	fillIt(12);
	if (list.length <= 12) return;
	const more = addLink(parent, `Show all ${list.length} rows`, () => { fillIt(list.length); more.remove(); }, 'plain more');
}

function showComparison() {
	const parent = byId('compare'), {before, after, compare} = raw;
	const mean = one => one.summary.wall_us / commandsOf(one);
	const [was, is] = [mean(before), mean(after)], {slower, faster} = compare.verdicts;
	parent.hidden = false;
	const change = is - was, word = change > 0 ? 'longer' : 'shorter';
	const share = was ? `, ${change > 0 ? '+' : ''}${(100 * change / was).toFixed(1)}%` : '';
	add(parent, 'h2', `A command took ${formatTime(is)} on average, ` + (change
		? `${formatTime(Math.abs(change))} ${word} than before (${formatTime(was)}${share}).` : 'as before.'));
	const tell = one => count(one.roots, 'command') + (one.failed ? `, ${one.failed} failed` : '');
	add(parent, 'p', `Before: ${tell(compare.a)}; after: ${tell(compare.b)}. ` +
		(compare.tested ? `Of ${count(compare.tested, 'row')} that can be tested, ${slower} became slower and ${faster} faster.`
			: 'There are too few runs for a test: record each set at least 4 times.'));
	for (const name of Object.keys(CHANGES)) addChanges(parent, name);
	const sides = add(parent, 'p', 'What follows is of the runs ');
	for (const one of ['before', 'after']) {
		if (one === side) add(sides, 'strong', one);
		else addLink(sides, one, () => {
			for (const name of ['v', 's', 'p', 'box', 'f']) here.delete(name);
			here.set('side', one);
			writeAddress();
			location.reload();
		});
		sides.append(' ');
	}
	byId('flame-hint').textContent = 'a command before and after: red took longer, blue less; click: look closer';
}
