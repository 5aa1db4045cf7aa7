// Starts `circ lsp` for .cir files, and shows other stages of the module at hand.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function show(stage) {
	const editor = vscode.window.activeTextEditor;
	if (!client || editor?.document.languageId !== "cir")
		return;
	const target = vscode.workspace.getConfiguration("cir").get("target");
	const content = await client.sendRequest("workspace/executeCommand", {
		command: "circ.show",
		arguments: [editor.document.uri.toString(), stage, ...(target ? [target] : [])],
	});
	await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "cir", content }), { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

function activate(context) {
	const settings = vscode.workspace.getConfiguration("cir");
	const target = settings.get("target");
	const server = { command: settings.get("circ"), args: ["lsp", ...(target ? [`--target=${target}`] : [])] };
	client = new LanguageClient("cir", "circ", server, { documentSelector: [{ language: "cir" }] });
	context.subscriptions.push(vscode.commands.registerCommand("cir.showFlat", () => show("flat")));
	context.subscriptions.push(vscode.commands.registerCommand("cir.showAbi", () => show("abi")));
	return client.start();
}

function deactivate() {
	return client?.stop();
}

module.exports = { activate, deactivate };
