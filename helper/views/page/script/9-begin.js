// ---- the page

// A log of NORMAL or PERF has no date, and the clock of its machine.
function nameBegin(origin) {
	const text = new Date(origin).toISOString().replace('T', ' ').slice(0, 19);
	return !origin ? 'no event has a time' : text.startsWith('1970-01') ? text.slice(11) : text + ' UTC';
}
byId('facts').textContent = [nameBegin(data.origin),
	count(processCount, 'process', 'processes'), count(spanCount, 'span'),
	steps.most > 1 ? `up to ${steps.most} processes at once` : ''].filter(Boolean).join(', ');
byId('title').textContent = raw.compare ? 'What changed between two sets of logs'
	: `Where the time of ${roots.length > 1 ? roots.length + ' commands' : nameProcess(slowest)} went`;
document.title = byId('title').textContent;
if (raw.compare) showComparison();
showAnswer();
showGaps(data.summary.gaps);
for (const name of Object.keys(TABLES)) addTable(byId('tables'), name);
add(byId('tree'), 'h2', 'Processes');
addProcesses(add(byId('tree'), 'ul'), roots);
byId('tree').querySelectorAll('details').forEach((one, i) => { if (i < 20) one.open = true; });
showFindings();

// What the address asks for. Each step writes it again, so it is read first.
function restore() {
	const asked = new Map(here), list = name => (asked.get(name) || '').split('_').map(Number);
	const fits = (name, most) => asked.has(name) && list(name)[0] < most;
	if (fits('s', spanCount)) showSpan(list('s')[0]);
	else showProcess(fits('p', processCount) ? list('p')[0] : slowest);
	if (asked.has('q')) search(byId('search').value = asked.get('q'));
	const [from, to] = list('v');
	if (to > from) setView(from, to);
	const [left, right, top, bottom] = list('box');
	if (right > left && bottom < rows.length) takeBox({from: left, to: right, top, bottom});
	turnFlame(asked.has('i'));
	if (asked.get('f')) focusFlame(findPath(asked.get('f').split('/').map(decodeURIComponent)));
}
layOut();
scroll.style.height = rows.length * ROW + TOP + 2 + 'px';
restore();
new ResizeObserver(redraw).observe(scroll);
new ResizeObserver(drawFlame).observe(flame.canvas.parentNode);
addEventListener('beforeprint', () => { draw(); drawFlame(); });
addEventListener('hashchange', () => { if (location.hash.includes('=')) location.reload(); });
