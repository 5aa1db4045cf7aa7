/* Lines of a stage, drawn as they come into view. */
const rowHeight = 18, mostPrinted = 20000;
const tallest = 8e6; /* browsers lay out no element that is much taller */

class Rows {
	constructor(column, stage) {
		this.column = column;
		this.stage = stage;
		this.current = 0;
		this.body = element('div', { className: 'body', tabIndex: 0 });
		this.body.setAttribute('role', 'listbox');
		this.body.setAttribute('aria-label', stage.name);
		this.rows = element('div', { className: 'rows' });
		this.body.append(this.rows);
		this.height = Math.min(stage.lines.length * rowHeight, tallest);
		this.rows.style.setProperty('--mark', Math.max(4, String(stage.lines.length).length) + 1 + 'ch');
		this.rows.style.height = this.height + 'px';
		this.drawn = new Map();
		this.body.addEventListener('scroll', () => this.draw());
		this.body.addEventListener('click', e => this.click(e));
		new ResizeObserver(() => this.draw()).observe(this.body);
	}

	/* Where the text is taller than `tallest`, the place of a line depends on where one looks. */
	get shift() {
		const total = this.stage.lines.length * rowHeight, visible = this.body.clientHeight;
		if (total <= tallest)
			return 0;
		const way = Math.min(1, this.body.scrollTop / Math.max(1, tallest - visible));
		return Math.round(way * (total - tallest) / rowHeight) * rowHeight;
	}

	draw(all) {
		if (this.isPrinted)
			return;
		const count = this.stage.lines.length, shift = this.shift;
		const first = Math.max(0, Math.floor((this.body.scrollTop + shift) / rowHeight) - 10);
		const end = Math.min(count, first + Math.ceil(this.body.clientHeight / rowHeight) + 20);
		for (const [line, row] of this.drawn)
			if (all || line < first || line >= end || shift !== this.drawnShift) {
				row.remove();
				this.drawn.delete(line);
			}
		this.drawnShift = shift;
		const added = document.createDocumentFragment();
		for (let line = first; line < end; line++)
			if (!this.drawn.has(line)) {
				const row = this.make(line, shift);
				this.drawn.set(line, row);
				added.append(row);
			}
		this.rows.append(added);
	}

	make(line, shift) {
		const ops = this.stage.opsAt(line);
		const row = element('div', { className: 'row' });
		row.setAttribute('role', 'option');
		row.dataset.line = line;
		row.style.top = line * rowHeight - shift + 'px';
		const scope = ops.length ? scopes.get(ops[0]) : undefined;
		if (scope && scope.role) {
			row.classList.add(roleNames[scope.role]);
			row.style.borderLeftColor = scopeColour(scope.scope);
		}
		if (ops.some(op => choice.ops.has(op))) {
			row.classList.add('chosen');
			row.setAttribute('aria-selected', true);
		}
		const lit = ops.map(op => markAt(this.stage, line, op)).find(Boolean);
		if (lit)
			row.classList.add('lit');
		if (line === this.current)
			row.classList.add('current');
		row.append(element('span', { className: 'mark', textContent: lit || line + 1 }), shownText(this.stage.lines[line]));
		return row;
	}

	click(event) {
		const row = event.target.closest('.row');
		if (row)
			this.choose(Number(row.dataset.line));
	}

	choose(line) {
		this.current = Math.max(0, Math.min(this.stage.lines.length - 1, line));
		choose(this.stage.opsAt(this.current), this.column);
		this.reveal(this.current);
	}

	/* Scrolls only as far as it must, or to the middle. */
	reveal(line, middle) {
		const total = this.stage.lines.length * rowHeight, visible = this.body.clientHeight;
		let top = line * rowHeight;
		if (total > tallest)
			top = Math.max(0, top - visible / 2) / (total - visible) * (tallest - visible) + visible / 2;
		const from = this.body.scrollTop;
		if (middle ? top < from + rowHeight || top > from + visible - 2 * rowHeight : top < from || top + rowHeight > from + visible)
			this.body.scrollTop = middle || total > tallest ? top - visible / 2 : top < from ? top : top + rowHeight - visible;
		this.draw(true);
	}

	/* What others chose. */
	show(ops) {
		for (const op of ops) {
			const lines = this.stage.linesOf(op);
			if (lines.length) {
				this.current = lines[0];
				this.reveal(lines[0], true);
				return;
			}
		}
		this.draw(true);
	}

	step(by) {
		this.choose(this.current + by);
	}

	/* Paper has every line, up to mostPrinted. */
	print(on) {
		const count = Math.min(this.stage.lines.length, mostPrinted);
		this.isPrinted = on;
		this.drawn.clear();
		this.rows.replaceChildren(...Array.from({ length: on ? count : 0 }, (_, line) => this.make(line, 0)));
		if (on && count < this.stage.lines.length)
			this.rows.append(element('p', { className: 'dim', textContent: `${this.stage.lines.length - count} more lines are not printed.` }));
		this.draw();
	}
}
