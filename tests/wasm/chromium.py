#!/usr/bin/env python3
"""Runs a program of WASI in headless Chromium, whose engine has exceptions of the form "exnref", which Debian's node has not.

    chromium.py PROGRAM.wasm ARGUMENT...

As run.mjs beside it: the exit status is the program's; what ends in a trap, or in an exception that nobody caught, is 134. The program has its arguments,
standard output, standard error and a clock.
"""
import base64
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "view"))
from browser import Browser, find  # noqa: E402

SKIPPED = 77
RUN = """\
(async (bytes, args) => {
	const out = ['', '', ''], decoders = out.map(() => new TextDecoder('latin1')), BAD_FILE = 8, NO_CALL = 52;
	let memory;
	class Exit { constructor(status) { this.status = status; } }
	const view = () => new DataView(memory.buffer);
	const calls = {
		proc_exit(status) { throw new Exit(status); },
		args_sizes_get(count, size) {
			view().setUint32(count, args.length, true);
			view().setUint32(size, args.join('').length + args.length, true);
			return 0;
		},
		args_get(pointers, text) {
			for (const arg of args) {
				view().setUint32(pointers, text, true);
				pointers += 4;
				for (const c of arg + '\\0')
					view().setUint8(text++, c.charCodeAt(0));
			}
			return 0;
		},
		environ_sizes_get(count, size) { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
		environ_get() { return 0; },
		clock_time_get(id, precision, at) { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
		fd_prestat_get() { return BAD_FILE; },
		fd_write(fd, vectors, n, written) {
			let all = 0;
			for (; n; n--, vectors += 8) {
				const at = view().getUint32(vectors, true), size = view().getUint32(vectors + 4, true);
				out[fd] += decoders[fd].decode(new Uint8Array(memory.buffer, at, size));
				all += size;
			}
			view().setUint32(written, all, true);
			return 0;
		},
	};
	const lacking = { get: (all, name) => all[name] ?? (() => NO_CALL) };
	const module = await WebAssembly.compile(Uint8Array.from(atob(bytes), c => c.charCodeAt(0)));
	const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: new Proxy(calls, lacking) });
	memory = instance.exports.memory;
	let status = 0;
	try {
		instance.exports._start();
	} catch (error) {
		if (!(error instanceof Exit || error instanceof WebAssembly.RuntimeError || error instanceof WebAssembly.Exception))
			throw error;
		status = error instanceof Exit ? error.status : 134;
		if (!(error instanceof Exit))
			out[2] += (error.message ?? 'an exception that nobody caught') + '\\n';
	}
	return [status, out[1], out[2]];
})"""


def main():
    if not find():
        print("SKIPPED: no chromium")
        return SKIPPED
    with open(sys.argv[1], "rb") as file:
        program = base64.b64encode(file.read()).decode()
    with Browser() as browser:
        status, out, err = browser.run(f"{RUN}({json.dumps(program)}, {json.dumps(sys.argv[1:])})")
    sys.stdout.buffer.write(out.encode("latin1"))
    sys.stderr.buffer.write(err.encode("latin1"))
    return status


if __name__ == "__main__":
    sys.exit(main())
