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

/* Which handlers take an exception: as src/explain/catching.c has it. */
const builtin = /^(void|bool|(signed |unsigned )?char|wchar_t|char(8|16|32)_t|(unsigned )?(short|int|long|long long)|__int128|float|(long )?double|decltype\(nullptr\)|.*[*)\]])$/;
const tight = name => name.replace(/ +(?=\*)/g, '');

/* The type with all of its bases, as indices; isKnown: no other is one. */
function basesOf(document, name) {
	const start = document.types.findIndex(t => tight(t.name) === tight(name) || t.symbol === name);
	const all = new Set(start < 0 ? [] : [start]);
	let isKnown = start >= 0 || builtin.test(name);
	for (const index of all) { /* and what is added meanwhile */
		const type = document.types[index];
		isKnown = isKnown && (type.bases !== undefined || builtin.test(type.name));
		(type.bases || none).forEach(base => all.add(base));
	}
	return { all, isKnown };
}

/* "T const*"; null: it is no pointer. */
function pointerOf(name) {
	const is = /^(.*?)((?: +(?:const|volatile))*) *\*$/.exec(name);
	return is && { pointee: is[1], isConst: is[2].includes('const'), isVolatile: is[2].includes('volatile') };
}

function takesPointer(document, from, bases, handler) {
	const to = from && pointerOf(handler);
	if (!to || from.isConst > to.isConst || from.isVolatile > to.isVolatile)
		return 'no';
	const same = name => tight(name) === tight(to.pointee);
	if (same(from.pointee) || (to.pointee === 'void' && !from.pointee.endsWith(')')) || [...bases.all].some(i => same(document.types[i].name)))
		return 'yes';
	const isDeep = from.pointee.endsWith('*') && to.pointee.endsWith('*');
	return isDeep || (!bases.isKnown && !builtin.test(to.pointee)) ? 'perhaps' : 'no';
}

/* For each type of the document, whether a handler of it takes what is thrown. */
const takenTypes = new Map();
function takenOf(document, name) {
	const key = explanations.findIndex(e => e.module === document) + ' ' + name;
	if (!takenTypes.has(key)) {
		const bases = basesOf(document, name), pointer = pointerOf(name), pointees = pointer && basesOf(document, pointer.pointee);
		takenTypes.set(key, document.types.map(({ name: handler }, i) => bases.all.has(i) ? 'yes'
			: !bases.isKnown && !builtin.test(handler) ? 'perhaps' : takesPointer(document, pointer, pointees, handler)));
	}
	return takenTypes.get(key);
}

function namesOne(step, taken) {
	const words = (step.types || none).map(i => taken[i]);
	return words.includes('yes') ? 'yes' : words.includes('perhaps') ? 'perhaps' : 'no';
}

function takes(step, taken) {
	switch (step.kind) {
	case 'catch': return namesOne(step, taken);
	case 'catch_all': case 'terminate': return 'yes';
	case 'when': return 'perhaps';
	case 'specification': return { yes: 'no', no: 'yes', perhaps: 'perhaps' }[namesOne(step, taken)];
	default: return 'no';
	}
}

function runs(step) {
	return step.kind === 'cleanup' || step.kind === 'finally';
}

/* [{step, taken}], as far as it goes, and how it ends, in one function. */
function follow({ document, site }, name) {
	const all = takenOf(document, name), steps = [];
	for (const step of site.steps) {
		let taken = takes(step, all);
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

/* For each target the path through its frames, as marks on ops; cleanups count from 1. */
function followThrow() {
	choice.paths = new Map();
	choice.ways = new Map();
	for (const at of thrown.type ? sitesOf(choice.site) : none)
		if (!choice.paths.has(at.target))
			choice.paths.set(at.target, pathThrough(followFrames(at, thrown.type, new Set())));
}

function pathThrough(frames) {
	const path = { frames: [], marks: new Map() };
	for (const { site, steps, before } of frames) {
		const ops = [];
		let n = before;
		for (const { step, taken } of steps) {
			if (!step.op || (!runs(step) && taken === 'no'))
				continue;
			addMark(path.marks, step.op, runs(step) ? String(++n) : taken === 'perhaps' ? '?' : step.kind === 'terminate' ? '✗' : '✓');
			ops.push(step.op);
		}
		path.frames.push({ site: site.op, ops });
	}
	return path;
}

function addMark(marks, op, mark) {
	const before = marks.has(op) ? marks.get(op).split(' ') : [];
	if (!before.includes(mark))
		marks.set(op, [...before, mark].join(' '));
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

	/* The steps, one after the other. */
	step(by) {
		const items = [...this.body.querySelectorAll('li[data-op]')], at = items.findIndex(i => i.classList.contains('current'));
		const next = items[Math.max(0, Math.min(items.length - 1, at + by))];
		if (next)
			next.click();
	}

	print() {} /* it is whole */

	show() {
		this.box.value = thrown.type;
		const sites = sitesOf(choice.site);
		if (!sites.length) {
			this.body.replaceChildren(element('p', { className: 'dim', textContent: 'Choose a call that can throw (n: the next one), then the type of the exception.' }));
			return;
		}
		const sides = element('div', { className: 'sides' }), seen = new Map(data.targets.map(t => [t, new Set()]));
		for (const at of sites)
			sides.append(this.side(at, seen.get(at.target)));
		const callee = sites[0].site.callee || 'a pointer';
		this.body.replaceChildren(element('p', { textContent: shownText(`${thrown.type ? shownText(thrown.type) : 'An exception'} leaves ${callee} in ${sites[0].f.name}`) }), sides);
	}

	side(at, seen) {
		const section = element('section', {}, element('h3', { textContent: shortTarget(at.target) }));
		section.dataset.target = at.target;
		const all = at.site.steps.map(step => ({ step, taken: '' }));
		const frames = thrown.type ? followFrames(at, thrown.type, seen) : [{ ...at, steps: all, end: at.site.end_of_path, depth: 0, before: 0 }];
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
			item.addEventListener('click', () => this.chooseStep(item, step.op));
			list.append(item);
		}
		box.append(list, element('p', { className: 'end ' + end, textContent: endWords[end] + (isSeen ? ', as above' : '') }));
		return box;
	}

	chooseStep(item, op) {
		for (const other of this.body.querySelectorAll('li.current'))
			other.classList.remove('current');
		item.classList.add('current');
		item.scrollIntoView({ block: 'nearest' });
		showOp(op);
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
