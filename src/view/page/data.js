'use strict';
/* The module at its stages. An op is known by its number everywhere. */
const data = JSON.parse(document.getElementById('data').textContent);
document.getElementById('data').textContent = '';

/* Which ops a line has, and which lines an op has: made when somebody asks, for a stage may never be looked at. */
class Stage {
	constructor(raw) {
		Object.assign(this, { kind: raw.kind, title: raw.title, target: raw.target, functions: raw.functions, isCir: raw.functions !== undefined });
		this.raw = raw;
	}
	get lines() {
		const lines = this.raw.text.split('\n');
		if (lines[lines.length - 1] === '')
			lines.pop();
		this.raw.text = null;
		Object.defineProperty(this, 'lines', { value: lines });
		return lines;
	}
	get maps() {
		const ofLine = new Map(), ofOp = new Map(), { ops } = this.raw;
		for (let i = 0; i < ops.length; i += 2) {
			append(ofLine, ops[i], ops[i + 1]);
			append(ofOp, ops[i + 1], ops[i]);
		}
		this.raw.ops = null;
		Object.defineProperty(this, 'maps', { value: { ofLine, ofOp } });
		return this.maps;
	}
	opsAt(line) { return this.maps.ofLine.get(line) || none; }
	linesOf(op) { return this.maps.ofOp.get(op) || none; }
	get name() { return this.title + (this.target ? ' · ' + shortTarget(this.target) : ''); }
}

const none = [];

function append(map, key, value) {
	const list = map.get(key);
	if (list === undefined)
		map.set(key, [value]);
	else if (list[list.length - 1] !== value)
		list.push(value);
}

/* "x86_64-unknown-linux-gnu": what tells targets apart. */
function shortTarget(triple) {
	const words = triple.split('-'), short = words.slice(2).join('-') || triple;
	const same = data.targets.filter(t => t !== triple && t.split('-').slice(2).join('-') === short);
	return same.length ? triple : short;
}

/* op → {scope, role}: 1 cleanup, 2 handler */
const scopes = new Map();
for (let i = 0; i < data.scopes.length; i += 3)
	scopes.set(data.scopes[i], { scope: data.scopes[i + 1], role: data.scopes[i + 2] });

const scopeNumbers = new Map();
for (const { scope } of scopes.values())
	if (!scopeNumbers.has(scope))
		scopeNumbers.set(scope, scopeNumbers.size);

/* Neighbours differ: the golden angle. */
function scopeColour(scope) {
	return `hsl(${Math.round(scopeNumbers.get(scope) * 137.5 + 200) % 360} 70% var(--scope-light))`;
}

const roleNames = ['', 'cleanup', 'handler'];

/* Text as a reader sees it: no control characters, and names of megabytes cut. */
const shownLength = 2000;
function shownText(text) {
	const cut = text.length > shownLength ? text.slice(0, shownLength) + ` … (${text.length - shownLength} more)` : text;
	return cut.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
		c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
}

function element(tag, properties, ...children) {
	const e = Object.assign(document.createElement(tag), properties);
	e.append(...children);
	return e;
}
