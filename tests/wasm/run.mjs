// Runs a program of WASI: node --no-warnings run.mjs PROGRAM.wasm ARGUMENT...
// Its exit status is the program's; what ends in a trap, abort() too, or in an exception that nobody caught, is 134, as a shell says of abort().
import fs from 'node:fs';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2), env: process.env });
const module = await WebAssembly.compile(fs.readFileSync(process.argv[2]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
try {
	process.exitCode = wasi.start(instance);
} catch (error) {
	if (!(error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.Exception))
		throw error;
	console.error(error.message ?? 'an exception that nobody caught');
	process.exitCode = 134;
}
