/* The page. */
const stages = data.stages.map(s => new Stage(s));
data.stages = null;
stages.push(...explanations.filter(e => e.object).map(tableStage));

document.getElementById('title').textContent = shownText(data.file).slice(0, 200);
document.getElementById('help-button').addEventListener('click', () => document.getElementById('help').showModal());

/* Of what is at hand, as much as fits at first. */
const narrow = window.innerWidth <= 640;
const first = narrow ? ['structured', 'read'] : ['structured', 'read', 'flat', 'source'];
for (const stage of stages)
	new Column(stage.name, column => new Rows(column, stage), first.includes(stage.kind) ||
		(window.innerWidth >= 1900 && stage.kind !== 'tables' && stage.kind !== 'assembly'));
const graphColumn = new Column('Graph', () => new Graph(), !narrow);
const throwColumn = new Column('Throw here', () => new ThrowPanel(), true);

for (const column of columns)
	column.set(column.wanted);
window.addEventListener('beforeprint', () => visibleColumns().forEach(c => c.view.print(true)));
window.addEventListener('afterprint', () => visibleColumns().forEach(c => c.view.print(false)));
window.addEventListener('resize', () => redraw());
goTo(visibleColumns()[0]);
