"""Has an object's calls recorded: each function that it calls gets a stub, which writes a record and jumps to the function (calls.S, calls_aarch64.S)."""
import re

# Behind these a cleanup or a landing is over; where a cleanup catches what it throws, it goes on behind THROWS.
LANDED = ("__cxa_begin_catch", "circ_begin_catch")
THROWS = ("__cxa_throw", "circ_throw")
RETHROWS = ("__cxa_rethrow", "circ_rethrow")
ENDS = ("_Unwind_Resume", *RETHROWS, *THROWS, "__clang_call_terminate", "_ZSt9terminatev", "__circ_end_finally")
# These end a `finally` that does not throw on, and the exception whose cleanup another one leaves.
CAUGHT, DROPPED = ("circ_end_catch",), ("circ_drop",)
OWN = (*LANDED, *ENDS, *CAUGHT, *DROPPED)


def undefined(recorder, made):
	lines = recorder.call([recorder.nm, "--undefined-only", made]).splitlines()
	return {line.split()[-1] for line in lines if re.match(r"\s+U ", line)}


def stub_of_aarch64(name):
	return (f"\t.globl truth_call_{name}\ntruth_call_{name}:\n\tadrp x16, .L{name}\n\tadd x16, x16, :lo12:.L{name}\n\tmov x17, x30\n"
	        f"\tbl truth_enter\n\tadrp x16, :got:{name}\n\tldr x16, [x16, :got_lo12:{name}]\n\tbr x16\n.L{name}:\t.asciz \"{name}\"\n\t.balign 4\n")


def stub(name, recorder):
	if recorder.is_aarch64:
		return stub_of_aarch64(name)
	jump = f"jmp *{name}@GOTPCREL(%rip)" if recorder.is_elf else f"jmp {name}"
	return (f"\t.globl truth_call_{name}\ntruth_call_{name}:\n\tlea .L{name}(%rip), %r11\n\tcall truth_enter\n\t{jump}\n"
	        f".L{name}:\t.asciz \"{name}\"\n")


def record_calls(recorder, made, names):
	"""The inputs of a linker in place of the object. names: functions whose calls are recorded."""
	wrapped = sorted(name for name in undefined(recorder, made) & set(names) if re.fullmatch(r"\w+", name))
	if not wrapped:
		return [made]
	target, source, stubs = (recorder.folder / name for name in ("called.o", "stubs.s", "stubs.o"))
	text = "".join(stub(name, recorder) for name in wrapped)
	if recorder.is_elf:
		text += "\t.section .note.GNU-stack,\"\",@progbits\n"
	source.write_text(text, encoding="ascii")
	recorder.call([*recorder.cc, "-c", source, "-o", stubs])
	renames = [word for name in wrapped for word in ("--redefine-sym", f"{name}=truth_call_{name}")]
	recorder.call([recorder.objcopy, *renames, made, target])
	return [target, stubs, recorder.calls]
