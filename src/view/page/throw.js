/* "Throw here": what `circ explain` says of a call, followed for one type, for each target. */
const explanations = data.explanations;

/* op → [{target, document, f, site}], of modules; of objects, whose line tables have numbers of ops for lines. callers: of modules, by target
 * and callee. */
const moduleSites = new Map(), objectSites = new Map(), callers = new Map();
for (const { target, module, object } of explanations) {
	for (const f of module ? module.functions : none)
		for (const site of f.sites) {
			append(moduleSites, site.op, { target, document: module, f, site });
			if (site.callee)
				append(callers, target + ' ' + site.callee, { target, document: module, f, site });
		}
	for (const f of object ? object.functions : none)
		for (const site of f.sites)
			append(objectSites, site.line, { target, document: object, f, site });
}

function sitesOf(op) {
	return moduleSites.get(op) || none;
}

const builtin = /^(void|bool|(signed |unsigned )?char|wchar_t|char(8|16|32)_t|(unsigned )?(short|int|long|long long|__int128)|float|(long )?double|decltype\(nullptr\)|.*\*)$/;

/* The types whose handlers take an exception of that name: indices; `all`: no others do. */
function basesOf(document, name) {
	const start = document.types.findIndex(t => t.name === name || t.symbol === name);
	const found = new Set();
	let all = builtin.test(name);
	const todo = start < 0 ? [] : [start];
	if (todo.length)
		all = true;
	while (todo.length) {
		const index = todo.pop(), type = document.types[index];
		if (found.has(index))
			continue;
		found.add(index);
		all = all && (type.bases !== undefined || builtin.test(type.name));
		todo.push(...(type.bases || none));
	}
	return { found, all };
}

function namesOne(document, step, bases) {
	let best = 'no';
	for (const index of step.types || none) {
		if (bases.found.has(index))
			return 'yes';
		if (!bases.all && !builtin.test(document.types[index].name))
			best = 'perhaps';
	}
	return best;
}

function takes(document, step, bases) {
	switch (step.kind) {
	case 'catch': return namesOne(document, step, bases);
	case 'catch_all': case 'terminate': return 'yes';
	case 'when': return 'perhaps';
	case 'specification': return { yes: 'no', no: 'yes', perhaps: 'perhaps' }[namesOne(document, step, bases)];
	default: return 'no';
	}
}

function runs(step) {
	return step.kind === 'cleanup' || step.kind === 'finally';
}

/* [{step, taken}], as far as it goes, and how it ends, in one function. */
function follow({ document, site }, name) {
	const bases = basesOf(document, name), steps = [];
	for (const step of site.steps) {
		let taken = takes(document, step, bases);
		if (taken === 'yes' && step.is_conditional)
			taken = 'perhaps';
		steps.push({ step, taken });
		if (taken === 'yes')
			return { steps, end: step.kind === 'terminate' ? 'terminates' : 'caught' };
	}
	return { steps, end: site.end_of_path };
}

/* The calls of a function in the module: a filter's are those of the function that has its handler. */
function callersOf({ target, document, f }) {
	while (f.parent !== undefined)
		f = document.functions[f.parent];
	return callers.get(target + ' ' + f.symbol) || none;
}

/* As `circ explain --throw --at`: the frames that an exception comes through, callers behind what they call. Each has `depth`, `before`: how many
 * cleanups have run, `isSeen`: a frame before was the same, with its callers. seen: sites. */
const mostFrames = 200;
function followFrames(start, name, seen) {
	const frames = [], pending = [{ ...start, depth: 0, before: 0 }];
	while (pending.length && frames.length < mostFrames) {
		const at = pending.pop(), frame = Object.assign(at, follow(at, name));
		frame.isSeen = frame.end === 'leaves' && seen.has(at.site);
		seen.add(at.site);
		frames.push(frame);
		if (frame.end !== 'leaves' || frame.isSeen)
			continue;
		const before = at.before + frame.steps.filter(s => runs(s.step)).length;
		for (const caller of [...callersOf(at)].reverse())
			pending.push({ ...caller, depth: at.depth + 1, before });
	}
	frames.isCut = pending.length > 0;
	return frames;
}

const thrown = { type: '' };

function typeNames() {
	const names = new Set();
	for (const { module } of explanations)
		for (const t of module ? module.types : none)
			names.add(t.name);
	return [...names].sort();
}

/* The path of the first target through its frames, as marks on ops; cleanups count from 1. */
function followThrow() {
	choice.path = new Map();
	choice.ways = new Map();
	const at = sitesOf(choice.site)[0];
	if (!at || !thrown.type)
		return;
	for (const frame of followFrames(at, thrown.type, new Set()))
		markSteps(frame);
}

function markSteps({ steps, before }) {
	let n = before;
	for (const { step, taken } of steps) {
		if (!step.op || (!runs(step) && taken === 'no'))
			continue;
		const mark = runs(step) ? String(++n) : taken === 'yes' ? (step.kind === 'terminate' ? '✗' : '✓') : '?';
		if (!choice.path.has(step.op))
			choice.path.set(step.op, { mark });
		else if (!choice.path.get(step.op).mark.split(' ').includes(mark))
			choice.path.get(step.op).mark += ' ' + mark;
	}
}

const endWords = { leaves: 'leaves the function', caught: 'caught here', terminates: 'terminates the program', undefined: 'must not leave the function, which is nothrow' };

function stepWords(document, step, taken, number) {
	const types = (step.types || none).map(i => document.types[i].name).join(', ');
	const words = {
		cleanup: `${number}  cleanup` + (step.function ? ` ${step.function}` : ''),
		finally: `${number}  finally` + (step.function ? ` ${step.function}` : ''),
		catch: `catch ${types}`,
		catch_all: 'catch (...)',
		when: 'asks ' + (step.function || 'a filter'),
		specification: types ? `allows only ${types}` : 'allows no exception',
		terminate: 'std::terminate',
	}[step.kind];
	const verdict = runs(step) ? (step.is_conditional ? ' (if it has been reached)' : '')
		: taken === 'yes' ? ': takes it' : taken === 'perhaps' ? ': may take it' : ': does not';
	return shownText(words + verdict);
}

class ThrowPanel {
	constructor() {
		this.box = element('select', {}, element('option', { value: '', textContent: 'type…' }),
			...typeNames().map(n => element('option', { value: n, textContent: shownText(n).slice(0, 120) })),
			element('option', { value: '(a type of its own)', textContent: '(a type that nothing here names)' }));
		this.box.id = 'throw-type';
		this.box.setAttribute('aria-label', 'Type of the exception');
		this.box.addEventListener('change', () => { thrown.type = this.box.value; followThrow(); redraw(); });
		this.tools = element('div', { className: 'tools' }, element('span', { textContent: 'Throw' }), this.box);
		this.body = element('div', { className: 'body panel', tabIndex: 0 });
	}

	show() {
		this.box.value = thrown.type;
		const sites = sitesOf(choice.site);
		if (!sites.length) {
			this.body.replaceChildren(element('p', { className: 'dim', textContent: 'Choose a call that can throw (n: the next one), then the type of the exception.' }));
			return;
		}
		const name = thrown.type || typeNames()[0] || '(a type of its own)';
		const sides = element('div', { className: 'sides' }), seen = new Map(data.targets.map(t => [t, new Set()]));
		for (const at of sites)
			sides.append(this.side(at, name, seen.get(at.target)));
		const callee = sites[0].site.operation || sites[0].site.callee || 'a pointer';
		this.body.replaceChildren(element('p', { textContent: shownText(`${thrown.type ? shownText(thrown.type) : 'An exception'} leaves ${callee} in ${sites[0].f.name}`) }), sides);
	}

	side(at, name, seen) {
		const section = element('section', {}, element('h3', { textContent: shortTarget(at.target) }));
		section.dataset.target = at.target;
		const all = at.site.steps.map(step => ({ step, taken: '' }));
		const frames = thrown.type ? followFrames(at, name, seen) : [{ ...at, steps: all, end: at.site.end_of_path, depth: 0, before: 0 }];
		for (const frame of frames)
			section.append(this.frame(frame));
		if (frames.isCut)
			section.append(element('p', { className: 'dim', textContent: 'More functions call these; the rest is not shown.' }));
		section.append(...this.tableEntries(at.target));
		return section;
	}

	frame({ document, f, site, steps, end, depth, before, isSeen }) {
		const box = element('div', { className: 'frame' }), list = element('ol');
		let n = before;
		box.dataset.depth = depth;
		box.dataset.op = site.op;
		if (depth) {
			box.append(element('p', { className: 'caller', textContent: shownText('called by ' + f.name) }));
			box.firstChild.addEventListener('click', () => showOp(site.op));
		}
		for (const { step, taken } of steps) {
			const item = element('li', { textContent: stepWords(document, step, taken, runs(step) ? ++n : 0) });
			item.className = runs(step) ? 'runs' : taken === 'yes' ? 'takes' : taken === 'perhaps' ? 'perhaps' : 'passed';
			item.dataset.op = step.op || 0;
			item.dataset.kind = step.kind;
			item.addEventListener('click', () => showOp(step.op));
			list.append(item);
		}
		box.append(list, element('p', { className: 'end ' + end, textContent: endWords[end] + (isSeen ? ', as above' : '') }));
		return box;
	}

	/* What the target's tables have for the code of the call. */
	tableEntries(target) {
		const entries = (objectSites.get(choice.site) || none).filter(o => o.target === target);
		if (!entries.length)
			return [];
		const list = element('ul', { className: 'code' });
		for (const { document, f, site } of entries)
			list.append(element('li', { textContent: shownText(`${f.name} ${siteWords(document, site)}`) }),
				...site.steps.map(step => element('li', { className: 'passed', textContent: '  ' + tableStepWords(document, step) })));
		return [element('h3', { textContent: 'In the tables' }), list];
	}
}

/* Shows an op without forgetting the throw. */
function showOp(op) {
	for (const c of visibleColumns())
		if (op && c.view instanceof Rows)
			c.view.show([op]);
}
