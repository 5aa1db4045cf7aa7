/* Columns: stages, and what else can stand beside them. make(column) gives a view: {body, tools, show(ops), step(by),
 * print(on)}. */
const columns = [];
let active = null;

/* What the reader has chosen: ops, of which `site` can throw; by target the path of what is thrown there, {frames, marks}; and by stage the
 * ways of that path through its blocks. */
const choice = { ops: new Set(), site: 0, paths: new Map(), ways: new Map() };

class Column {
	constructor(name, make, on) {
		this.name = name;
		this.make = make;
		this.button = element('button', { type: 'button', textContent: name, title: name });
		this.button.addEventListener('click', () => this.set(!this.on));
		document.getElementById('toggles').append(this.button);
		this.on = false;
		this.wanted = on;
		columns.push(this);
	}

	set(on) {
		this.on = on;
		this.button.setAttribute('aria-pressed', on);
		if (on && !this.element) {
			this.element = element('section', { className: 'column' }, element('h2', { textContent: this.name, title: this.name }));
			this.element.setAttribute('aria-label', this.name);
			this.view = this.make(this);
			this.element.append(...(this.view.tools ? [this.view.tools] : []), this.view.body);
			this.element.addEventListener('focusin', () => { active = this; });
		}
		if (!on) {
			if (this.element)
				this.element.remove();
			if (active === this)
				active = visibleColumns()[0] || null;
			return;
		}
		const next = columns.slice(columns.indexOf(this) + 1).find(c => c.on);
		document.getElementById('columns').insertBefore(this.element, next ? next.element : null);
		this.view.show([...choice.ops]);
	}
}

function visibleColumns() {
	return columns.filter(c => c.on);
}

function redraw(except) {
	for (const c of visibleColumns())
		if (c !== except)
			c.view.show([...choice.ops]);
}

function choose(ops, from) {
	choice.ops = new Set(ops);
	choice.site = ops.find(op => sitesOf(op).length) || 0;
	followThrow();
	redraw(from);
	say();
}

function say() {
	const numbers = [...choice.ops];
	document.getElementById('status').textContent = numbers.length === 0 ? 'No op here.'
		: `Op ${numbers.slice(0, 8).join(', ')}` + (choice.site ? ': an exception can leave it' : '');
}
