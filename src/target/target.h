/* target/target.h: how each target handles exceptions and passes values, one row per target.
 *
 * Two independent choices make up a row: the shape (how unwinding enters code) and the
 * runtime (which library is spoken to). A new target is a new row; a new shape or runtime is
 * a new file in src/eh.
 */
#ifndef CIRC_TARGET_TARGET_H
#define CIRC_TARGET_TARGET_H

#include "base/base.h"

typedef enum AbiShape {
	SHAPE_LANDING_PADS,
	SHAPE_FUNCLETS,
	SHAPE_WASM_CATCHES, /* landing pads in CIR; in LLVM IR a catchswitch, a catchpad and a catchret at once */
} AbiShape;

typedef enum AbiRuntime {
	RUNTIME_CXA,       /* __cxa_*: Itanium C++ ABI, level II */
	RUNTIME_MICROSOFT, /* _CxxThrowException and its tables */
} AbiRuntime;

typedef enum AbiTypeInfo {
	TYPE_INFO_ITANIUM,   /* _ZTI… */
	TYPE_INFO_MICROSOFT, /* ??_R0…@8 */
} AbiTypeInfo;

typedef enum AbiCallConv {
	CALL_SYSV_X86_64,
	CALL_WIN64,
	CALL_AAPCS64,
	CALL_AAPCS64_APPLE,   /* Apple's variant, */
	CALL_AAPCS64_WINDOWS, /* and Microsoft's */
	CALL_WASM32,
} AbiCallConv;

typedef enum AbiObject {
	ABI_OBJECT_ELF,
	ABI_OBJECT_COFF,
	ABI_OBJECT_WASM,
	ABI_OBJECT_MACHO,
} AbiObject;

/* Which row of a table by processors counts. */
typedef enum AbiProcessor {
	PROCESSOR_X86_64,
	PROCESSOR_AARCH64,
	PROCESSOR_WASM32,
	PROCESSOR_COUNT,
} AbiProcessor;

/* Names of CPUs and features that LLVM must not be asked for: it ends the process. Lists end with NULL; NULL: none. */
typedef struct AbiCpus {
	const char *llc_arch; /* what `llc -march=` has them listed for */
	const char
	    *plain_features; /* of AbiMachine.default_cpu, as front ends write them; NULL: any list counts */
	const char *const *without_64_bit;   /* CPUs that cannot run 64-bit code */
	const char *const *ending_64_bit;    /* features, with their signs, that leave none */
	const char *const *float_features;   /* floating point arguments need all of these */
	const char *const *float_extensions; /* how features begin that include those */
	bool has_soft_float;                 /* a feature has all done in software */
	const char *float_registers;         /* where those arguments go, for messages */
	const char *arch_prefix,
	    *arch_hint; /* how other compilers' names of architectures begin; what to say then */
} AbiCpus;

/* A processor, and the rules of the Itanium C++ ABI that depend on it alone. */
typedef struct AbiMachine {
	AbiProcessor processor;
	const char *name;        /* for messages, and for files of the runtime: "x86_64" */
	const char *archs[2];    /* how triples begin; NULL: no second one */
	const char *intrinsics;  /* how names of LLVM's intrinsics for it begin, behind "llvm." */
	const char *default_cpu; /* what LLVM has where nothing is asked for */
	const AbiCpus *cpus;
	uint32_t address_size;    /* bytes of a pointer */
	uint32_t bitint_max;      /* bits of the widest _BitInt that C has; 0: no limit */
	bool has_bf16;            /* LLVM has code for it */
	bool has_f80;             /* x87's floating point */
	bool widens_small;        /* small integers that are passed and returned fill 32 bits */
	bool division_faults;     /* integers by zero */
	bool has_conventions;     /* Windows' on other systems, and OpenCL's for kernels; else they are C's */
	bool faults_end_program;  /* a fault raises no signal, and so no exception */
	bool relocates_addresses; /* in data, whole ones alone */
	bool relocates_bytes;     /* in ELF's data, addresses of 8 bits, too */
	bool writes_zeros;        /* objects hold the bytes of variables that are zero */
	bool rounds_to_nearest;   /* always, and no operation on floating point traps */
	bool guard_is_size;       /* of a variable that is initialised once, else 64 bits: as on 32-bit Arm */
	bool returns_this;        /* constructors and destructors do, but deleting ones: as on 32-bit Arm */
	bool
	    cookie_has_size; /* new[] keeps the size of an element in front of their number: as on 32-bit Arm */
	bool has_builtin_setjmp;       /* LLVM lowers llvm.eh.sjlj.setjmp and .longjmp */
	bool code_in_memory;           /* programs can read and write their code and return addresses */
	bool has_spaces;               /* LLVM has code for pointers of address spaces that are numbered */
	bool has_xray;                 /* LLVM can instrument functions for it */
	const char *tail_call_feature; /* what musttail calls need; NULL: nothing */
	const char *tail_call_cpu;     /* a CPU that has it */
	const char *exnref_feature;    /* the newer form of catches: circ's name, not LLVM's; NULL: none */
	bool
	    virtual_in_adj; /* pointers to member functions: bit 0 of adj says "virtual", adj is doubled ("Exceptions to the
	                      * Itanium C++ ABI", C++ ABI for the Arm 64-bit Architecture) */
} AbiMachine;

/* Where the system's own tools make code for another processor: those of the target. */
typedef struct AbiCrossTools {
	const char *gxx;    /* the C++ driver of GCC */
	const char *triple; /* of the system's folders */
	const char *needs;  /* what to install */
} AbiCrossTools;

typedef struct AbiTarget {
	const char *name; /* for messages */
	AbiCrossTools tools;
	const char *runtime_folder; /* of libcircrt, in lib/circ; NULL: there is none */
	const AbiMachine *machine;
	const char *data_layout; /* LLVM's, where no version of it is at hand that knows better */
	AbiShape shape;
	AbiRuntime runtime;
	AbiTypeInfo type_info;
	AbiCallConv call_conv;
	AbiObject object;
	const char *personality; /* of C++ */
	const char
	    *circ_personality; /* of circ's runtime (include/circ/runtime.h); NULL: there is no libcircrt */
	const char *terminate; /* std::terminate() */
	const char
	    *startup_section; /* of functions that run once, in front of main(); NULL: that of others */
	bool compact_tables;  /* compact unwinding: of calls alone, not of each instruction */
	bool is_joined;       /* parts of an object that are compiled apart become one: src/join */
	const char *
	    frame_pointer; /* LLVM's word for what the system wants of functions of which nothing is said; NULL: nothing */
	bool long_double_is_double;
	bool
	    variadic_differs; /* a call of a function without a prototype must not look like one of a variadic function */
	bool is_static;         /* code and data stand where the linker puts them: -fPIC means nothing */
	uint32_t unwind_header; /* RUNTIME_CXA: bytes from _Unwind_Exception to the thrown object behind it */
} AbiTarget;

/* Is it what a front end names for some row? In flat CIR, which knows no ABI, it says no more
 * than that the function may unwind. */
bool abi_is_default_personality(Str name);

/* Can LLVM make calls that are musttail for that CPU and these features ("+a,-b", a missing sign means '+')? Empty: the default. */
bool abi_has_tail_calls(const AbiMachine *m, Str cpu, Str features);
bool abi_has_exnref(const AbiMachine *m, Str features);

/* All rows, for messages. */
#define ABI_TARGETS "x86_64 ELF, AArch64 ELF, windows-msvc, windows-gnu, AArch64 macOS or iOS, or wasm32"

/* Why there is no row, for messages: begins with a colon. */
const char *abi_target_lack(Str triple);

/* The row of a triple; an empty triple is the host's. NULL: exceptions are not supported there. */
const AbiTarget *abi_target(Str triple);

#endif
