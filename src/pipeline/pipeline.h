/* pipeline/pipeline.h: a module through the passes, from CIR to code. The command, the library, the JIT and the
 * fuzzer all run this one list (pipeline/passes.c), so the same module and options give the same bytes.
 *
 *   ownership  the module stays the caller's. What LLVM makes belongs to the Pipeline, which also lives in the
 *              caller's frame: pipeline_close() may be called after a longjmp out of pipeline_run()
 *   errors     false: reported. `broken`: a pass failed in the middle, and the module may only be destroyed;
 *              else it is as it was, or `changed` to a form that verifies
 *   threads    several pipelines may run at once; one uses the threads of its options' `jobs`
 */
#ifndef CIRC_PIPELINE_PIPELINE_H
#define CIRC_PIPELINE_PIPELINE_H

#include "base/jobs.h"
#include "base/prefix_map.h"
#include "emit/emit.h"
#include "ir/module.h"
#include "lower/split.h"
#include "target/target.h"

/* What time is spent on. The pipeline enters those from PHASE_VERIFY to PHASE_JOIN. */
typedef enum Phase {
	PHASE_READ,
	PHASE_VERIFY,
	PHASE_FLATTEN,
	PHASE_ABI,
	PHASE_TARGET, /* LLVM's description of it */
	PHASE_LOWER,
	PHASE_CHECK, /* LLVM's verifier */
	PHASE_OPTIMIZE,
	PHASE_EMIT,
	PHASE_PARTS, /* lower … emit of a module in parts */
	PHASE_JOIN,
	PHASE_LINK,
	PHASE_OTHER, /* options, clearing up */
	PHASE_COUNT
} Phase;

/* How far to go. */
typedef enum Goal {
	GOAL_VERIFIED,
	GOAL_FLAT,
	GOAL_FORM,  /* the Itanium or the Microsoft form, for any target */
	GOAL_ABI,   /* values and calls, too, as the target has them */
	GOAL_IMAGE, /* what LLVM makes of that, in `format` */
} Goal;

/* What callers do besides; each may be NULL. They are called on the thread of pipeline_run(), but for `adapt`. */
typedef struct PipelineHooks {
	void *user;
	/* From here on the time belongs to `phase`. */
	void (*enter)(void *user, Phase phase);
	/* A pass has changed the CIR. False ends the work. */
	bool (*passed)(void *user, const char *pass);
	/* LLVM has all of the module: it may be destroyed. When this is there, lowering destroys bodies as it goes. */
	void (*release)(void *user);
	/* Changes the LLVM module before code is made of it; false: reported. part_prefix: NULL, or it is a part of
	 * the module, and names what is local to another part so (SPLIT_LOCAL). On any thread of `jobs`. */
	bool (*adapt)(void *user, LLVMModuleRef module, const char *part_prefix, Diags *d);
} PipelineHooks;

/* All zero, but `opt`: the target of the module, code without PIC, an LLVM module as text. Borrowed. */
typedef struct PipelineOptions {
	const char *triple;         /* NULL: the module's own, else the host's */
	const char *cpu, *features; /* as EmitTarget has them */
	char opt;                   /* '0' '1' '2' '3' 's' */
	unsigned debug;             /* version of DWARF for debuggers (CodeView has none), 0: nothing */
	bool op_numbers;            /* of LowerOptions */
	bool pic, pie;
	bool in_process;   /* the object is for this process, whose parts lie anywhere in memory */
	bool verify_each;  /* CIR, after every pass */
	bool no_asm_files; /* verify/asm_files.h */
	bool untrusted;    /* verify/untrusted.h */
	bool lift;         /* LLVM IR for its own target, too (lift/lift.h) */
	bool
	    lazy; /* a large module is divided (Pipeline.divided), and nothing is compiled; objects for ELF only */
	uint32_t max_copied_ops, max_data, max_constant_parts; /* ModuleBudget; 0: as the module has them */
	EmitFormat format;
	uint32_t part_ops;             /* of lower_split(); 0: SPLIT_OPS, when optimising SPLIT_OPS_CLOSED */
	const PrefixMaps *prefix_maps; /* of names of files; NULL: none */
	Jobs *jobs;                    /* for the parts of a module; NULL: the calling thread alone */
	PipelineHooks hooks;
} PipelineOptions;

typedef struct Pipeline {
	const PipelineOptions *o;
	IrModule *m; /* NULL: released */
	Diags *d;
	char *triple;            /* that code is made for, malloc'ed */
	const AbiTarget *target; /* NULL: exceptions are not supported there */
	Stage stage;             /* of m */
	Stage form;              /* that exceptions are lowered to */
	uint32_t done;           /* passes, a bit for each row */
	bool changed, broken;

	LLVMTargetMachineRef machine;
	LLVMContextRef context;
	LLVMModuleRef module;
	EmitImage image;

	const LowerSplit *split; /* NULL, or this makes one part of a module */
	uint32_t part;
	LowerSplit divided; /* nparts 0: it is not, and the image is there */
	uint32_t done_before;
	const IrAttr *former_triple; /* of m */
	ModuleBudget former_budget;
	uint32_t former_address_size;
} Pipeline;

/* False: no memory; reported. Names the triple of the options in the module: its rules depend on it. d is the
 * caller's, and outlives the Pipeline. A caller may set `stage` and `form` to its own afterwards. */
bool pipeline_open(Pipeline *p, const PipelineOptions *o, IrModule *m, Diags *d);

/* Sizes of types become those of the target that the module names, as pipeline_open() has them for that of its options. */
void pipeline_adopt_target(IrModule *m);

/* Is there code for the target that the options ask for? False: reported. GOAL_FLAT and GOAL_FORM do not ask. */
bool pipeline_check_asked_target(const Pipeline *p);

/* Runs the passes up to the goal that have not run yet. */
bool pipeline_run(Pipeline *p, Goal goal);

/* The image of one part of a module that was divided. False: reported to d, or out of memory. On any thread, one at a time. */
bool pipeline_compile_part(const Pipeline *p, uint32_t part, EmitImage *image, Diags *d);

/* Gives everything back but the module, which has its own triple again if nothing was changed for another, and its own budget. */
void pipeline_close(Pipeline *p);

/* The part of pipeline_close() that gives LLVM's memory back, but for the image. */
void pipeline_drop_llvm(Pipeline *p);

/* For messages: "the Itanium form". */
const char *pipeline_stage_name(Stage s);

#endif
