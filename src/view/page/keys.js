/* The keyboard. */
function step(by) {
	if (active)
		active.view.step(by);
}

/* Of lines; other views have fewer things. */
function page() {
	return active && active.view instanceof Rows ? Math.max(1, Math.floor(active.view.body.clientHeight / rowHeight) - 1) : 5;
}

function goTo(column) {
	column.view.body.focus();
	column.element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

function moveColumn(by) {
	const shown = visibleColumns(), next = shown[active ? shown.indexOf(active) + by : 0];
	if (next)
		goTo(next);
}

/* The next call that can throw, in the order of the text. */
const sitesInOrder = [...moduleSites.keys()].sort((a, b) => a - b);
function moveSite(by) {
	const at = choice.site || [...choice.ops][0] || 0;
	const next = by > 0 ? sitesInOrder.find(op => op > at) : sitesInOrder.filter(op => op < at).pop();
	if (next)
		choose([next], null);
}

function turnOn(column) {
	if (!column.on)
		column.set(true);
	goTo(column);
	return column.view;
}

function find(text) {
	const column = active && active.view instanceof Rows ? active : visibleColumns().find(c => c.view instanceof Rows);
	if (!column || !text)
		return;
	active = column;
	const { lines } = column.view.stage, from = column.view.current;
	for (let i = 1; i <= lines.length; i++)
		if (lines[(from + i) % lines.length].includes(text)) {
			column.view.choose((from + i) % lines.length);
			return;
		}
	document.getElementById('status').textContent = 'Not found.';
}

function forget() {
	if (thrown.type) {
		thrown.type = '';
		followThrow();
		redraw();
	} else {
		choose([], null);
	}
}

const keys = {
	ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(page()), PageUp: () => step(-page()),
	Home: () => step(-Infinity), End: () => step(Infinity), ArrowLeft: () => moveColumn(-1), ArrowRight: () => moveColumn(1),
	n: () => moveSite(1), p: () => moveSite(-1), g: () => turnOn(graphColumn),
	t: () => turnOn(throwColumn).box.focus(), '/': () => document.getElementById('find').focus(),
	'?': () => document.getElementById('help').showModal(), Escape: forget,
};

document.addEventListener('keydown', event => {
	const typing = /^(INPUT|SELECT)$/.test(event.target.tagName) || document.getElementById('help').open;
	if (event.ctrlKey || event.metaKey || event.altKey)
		return;
	if (typing) {
		if (event.key === 'Enter' && event.target.id === 'find')
			find(event.target.value);
		if (event.key === 'Escape' && active)
			active.view.body.focus();
		return;
	}
	const digit = /^[1-9]$/.test(event.key) && columns[Number(event.key) - 1];
	if (digit)
		digit.set(!digit.on);
	else if (keys[event.key])
		keys[event.key]();
	else
		return;
	event.preventDefault();
});
