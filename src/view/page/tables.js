/* The tables of a target's object, decoded, as lines: each has the op whose code it is for. */
const hex = n => '0x' + (n || 0).toString(16);

function siteWords(document, site) {
	const pad = site.pad ? ` pad ${hex(site.pad)}` : '';
	return `${hex(site.begin)}–${hex(site.end)}${site.callee ? ' call ' + site.callee : ''}${pad}`;
}

function tableStepWords(document, step) {
	const types = (step.types || none).map(i => document.types[i].name).join(', ');
	const state = step.state === undefined ? '' : `state ${step.state}: `;
	const code = step.function || (step.begin ? hex(step.begin) : '');
	return `${state}${step.kind.replace('_', ' ')}${types ? ' ' + types : ''}${code ? ' → ' + code : ''}${step.is_duplicate ? ' (again)' : ''}`;
}

const tableNames = { lsda: '.gcc_except_table', cxx: '__CxxFrameHandler3', scope: '__C_specific_handler', other: 'unknown personality', none: 'no table' };

function tableStage({ target, object }) {
	const lines = [], ops = [];
	const add = (text, op) => {
		if (op)
			ops.push(lines.length, op);
		lines.push(text);
	};
	for (const f of object.functions) {
		add(`${f.name}  ${tableNames[f.tables] || f.tables}${f.personality ? ', ' + f.personality : ''}`, f.line);
		if (f.parent !== undefined)
			add(`  funclet of ${object.functions[f.parent].name}`, f.line);
		for (const site of f.sites) {
			add('  ' + siteWords(object, site), site.line);
			for (const step of site.steps)
				add('    ' + tableStepWords(object, step), step.line || site.line);
			add('    ' + (site.end_of_path === 'caught' ? 'takes everything' : endWords[site.end_of_path]), site.line);
		}
	}
	return new Stage({ kind: 'tables', title: 'Tables', target, text: lines.join('\n'), ops });
}
