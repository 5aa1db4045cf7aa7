"""The types that records and signatures are made of, as C++ and as CIR spell them."""

ELF, MSVC, MINGW = "x86_64-pc-linux-gnu", "x86_64-pc-windows-msvc", "x86_64-w64-windows-gnu"
ARM = "aarch64-unknown-linux-gnu"
WINARM, APPLE = "aarch64-pc-windows-msvc", "arm64-apple-macosx"
WASM = "wasm32-unknown-wasip1"
ARMS, MICROSOFT = (ARM, WINARM, APPLE), (MSVC, WINARM)  # processors, and C++ ABIs
ALL, X86_GNU, GNU, F128 = (ELF, MSVC, MINGW, *ARMS, WASM), (ELF, MINGW), (ELF, MINGW, ARM, APPLE), (ARM, WASM)
WIDE = (ELF, MSVC, MINGW, *ARMS)  # addresses of 64 bits
HALF = (ELF, MSVC, MINGW, *ARMS)  # clang has no such numbers for others


class Type:
    """cpp, cir: how it is spelled; leaves: (path, C++ type, bits of a bit-field or None)"""

    def __init__(self, cpp, cir, size, align, leaves=None, **marks):
        self.cpp, self.cir, self.size, self.align = cpp, cir, size, align
        self.leaves = leaves if leaves is not None else [("", cpp, None)]
        self.natural = marks.get("natural", align)  # what CIR's own rules make of the CIR type
        self.empty = marks.get("empty", False)
        self.derived = marks.get("derived", False)
        self.owner = marks.get("owner", False)
        self.tags = marks.get("tags", set())
        self.without_tail = None  # a class as a base, where others begin in its tail padding


# What gcc and clang know, and clang only: C++, CIR, size, alignment, targets.
COMMON = [
    ("bool", "!cir.bool", 1, 1, ALL),
    ("signed char", "!s8i", 1, 1, ALL), ("unsigned char", "!u8i", 1, 1, ALL),
    ("short", "!s16i", 2, 2, ALL), ("unsigned short", "!u16i", 2, 2, ALL),
    ("int", "!s32i", 4, 4, ALL), ("unsigned", "!u32i", 4, 4, ALL),
    ("long long", "!s64i", 8, 8, ALL), ("unsigned long long", "!u64i", 8, 8, ALL),
    ("__int128", "!s128i", 16, 16, ALL), ("unsigned __int128", "!cir.int<u, 128>", 16, 16, ALL),
    ("float", "!cir.float", 4, 4, ALL), ("float", "!cir.float", 4, 4, ALL),
    ("double", "!cir.double", 8, 8, ALL), ("double", "!cir.double", 8, 8, ALL),
    ("long double", "!cir.long_double<!cir.f80>", 16, 16, X86_GNU), ("long double", "!cir.long_double<!cir.f128>", 16, 16, F128), ("long double", "!cir.long_double<!cir.double>", 8, 8, (*MICROSOFT, APPLE)),
    ("__float128", "!cir.f128", 16, 16, X86_GNU),
    ("pointer", "!cir.ptr<!void>", 8, 8, WIDE), ("pointer", "!cir.ptr<!void>", 4, 4, (WASM,)),
    ("complex_char", "!cir.complex<!s8i>", 2, 1, ALL), ("complex_int", "!cir.complex<!s32i>", 8, 4, ALL),
    ("complex_wide", "!cir.complex<!s64i>", 16, 8, ALL),
    ("complex_float", "!cir.complex<!cir.float>", 8, 4, ALL), ("complex_double", "!cir.complex<!cir.double>", 16, 8, ALL),
    ("complex_long", "!cir.complex<!cir.long_double<!cir.f80>>", 32, 16, X86_GNU),
    ("complex_long", "!cir.complex<!cir.long_double<!cir.f128>>", 32, 16, F128),
    ("float4", "!cir.vector<4 x !cir.float>", 16, 16, ALL), ("int4", "!cir.vector<4 x !s32i>", 16, 16, ALL),
    ("double2", "!cir.vector<2 x !cir.double>", 16, 16, ALL), ("char16", "!cir.vector<16 x !s8i>", 16, 16, ALL),
    ("float2", "!cir.vector<2 x !cir.float>", 8, 8, ALL), ("char8", "!cir.vector<8 x !s8i>", 8, 8, ALL),
]
CLANG = [
    ("half", "!cir.f16", 2, 2, HALF), ("brain", "!cir.bf16", 2, 2, HALF),
    ("complex_half", "!cir.complex<!cir.f16>", 4, 2, HALF), ("complex_quad", "!cir.complex<!cir.f128>", 32, 16, X86_GNU),
    ("member_data", "!cir.data_member<!s32i in !rec_Members>", 8, 8, GNU), ("member_data", "!cir.data_member<!s32i in !rec_Members>", 4, 4, (*MICROSOFT, WASM)),
    ("member_function", "!cir.method<!cir.func<()> in !rec_Members>", 16, 8, GNU),
    ("member_function", "!cir.method<!cir.func<()> in !rec_Members>", 8, 8, MICROSOFT),
    ("member_function", "!cir.method<!cir.func<()> in !rec_Members>", 8, 4, (WASM,)),
    ("wide1", "!cir.vector<1 x !s128i>", 16, 16, ALL), ("wide2", "!cir.vector<2 x !s128i>", 32, 32, ALL),
    ("float1", "!cir.vector<1 x !cir.float>", 4, 4, ALL), ("double1", "!cir.vector<1 x !cir.double>", 8, 8, ALL),
    ("long1", "!cir.vector<1 x !s64i>", 8, 8, ALL), ("char1", "!cir.vector<1 x !s8i>", 1, 1, ALL),
    ("char2", "!cir.vector<2 x !s8i>", 2, 2, ALL), ("char3", "!cir.vector<3 x !s8i>", 4, 4, ALL),
    ("short2", "!cir.vector<2 x !s16i>", 4, 4, ALL), ("short3", "!cir.vector<3 x !s16i>", 8, 8, ALL),
    ("int2", "!cir.vector<2 x !s32i>", 8, 8, ALL), ("int3", "!cir.vector<3 x !s32i>", 16, 16, ALL), ("float3", "!cir.vector<3 x !cir.float>", 16, 16, ALL),
    ("half2", "!cir.vector<2 x !cir.f16>", 4, 4, HALF), ("brain2", "!cir.vector<2 x !cir.bf16>", 4, 4, HALF),
    ("half4", "!cir.vector<4 x !cir.f16>", 8, 8, HALF), ("half8", "!cir.vector<8 x !cir.f16>", 16, 16, HALF),
    ("brain8", "!cir.vector<8 x !cir.bf16>", 16, 16, HALF),
    ("float8", "!cir.vector<8 x !cir.float>", 32, 32, ALL), ("char32", "!cir.vector<32 x !s8i>", 32, 32, ALL),
    ("float16", "!cir.vector<16 x !cir.float>", 64, 64, ALL), ("double8", "!cir.vector<8 x !cir.double>", 64, 64, ALL),
    ("bool8", "!cir.vector<8 x !cir.bool>", 1, 1, ALL), ("bool20", "!cir.vector<20 x !cir.bool>", 4, 4, ALL), ("bool64", "!cir.vector<64 x !cir.bool>", 8, 8, (ELF, MSVC, MINGW)),
]
WIDTHS = [7, 8, 15, 16, 31, 32, 33, 37, 63, 64, 65, 100, 127, 128, 129, 192, 200, 256, 320, 512]


def bit_int(width, signed, most=8):
    align, natural = (min(n, 1 << max(0, (width - 1).bit_length() - 3)) for n in (most, 8))
    size = (width + align * 8 - 1) // (align * 8) * align
    cir = f"!cir.int<{'s' if signed else 'u'}, {width}, bitint>"
    return Type(f"{'' if signed else 'unsigned '}_BitInt({width})", cir, size, align, natural=natural, tags={"bitint"})


def scalars(target, compiler):
    """What both sides know, in groups of which each counts alike; compiler: clang or gcc."""
    groups = [COMMON, COMMON, CLANG] if compiler == "clang" else [COMMON]
    most = 16 if target in ARMS else 64  # no vector is aligned to more
    types = [[Type(*row[:3], min(row[3], most), natural=row[3], tags={row[0]}) for row in rows if target in row[4]] for rows in groups]
    if compiler == "clang":
        widths = [n for n in WIDTHS if target not in (*ARMS, WASM) or n <= 128]  # clang has no others there
        types.append([bit_int(width, signed, 16 if target in ARMS else 8) for width in widths for signed in (True, False)])
    return types
