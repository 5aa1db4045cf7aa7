#!/usr/bin/env python3
"""demangled.py --ms-types PROGRAM [--clang CLANG] [--undname TOOL] [--cxxfilt TOOL] [--count N] [--seed N]

Does the Microsoft name that circ gives a type info say the same type? What llvm-undname reads in the descriptor is compared with what llvm-cxxfilt
reads in the type info, word by word: they order words differently. The types are those of names.py, but for those of
namespaces without a name: llvm-undname counts these among the names that others refer back to, and clang does not."""
import argparse
import collections
import re
import subprocess
import sys
import tempfile

import names

STRING = "std::basic_string<char, std::char_traits<char>, std::allocator<char>>"

# What the two tools, or the two ABIs, say differently of one thing.
OF_ITANIUM = [
    (r"^typeinfo for ", ""), (r"\[abi:\w+\]", ""), (r"(?<=\d)(u|l|ul|ll|ull)\b", ""), (r"\bstd::string\b", STRING),
    (r"\((char|signed char|unsigned char|short|unsigned short)\)(?=-?\d)", ""), (r"\btrue\b", "1"), (r"\b(false|nullptr)\b", "0"),
    (r"decltype\(0\)", "std::nullptr_t"), (r"unsigned _BitInt\((\d+)\)", r"_UBitInt<\1>"), (r"\bfloat vector\[4\]", "__m128"),
    (r"\blong long vector\[4\]", "__m256i"), (r"(\w+) vector\[4\]", r"__vector<\1, 4>"),
    (r"\b18446744073709551615\b", "-1"), (r"\bstd::bfloat16_t\b", "__bf16"), (r"\b(\w+) complex\b", r"_Complex<\1>"),
]
OF_MICROSOFT = [
    (r" ?`RTTI Type Descriptor'$", ""), (r"\(void\)", "()"), (r"\b__int64\b", "long long"), (r"__clang::", ""),
    (r"\b(struct|class|union|enum|__cdecl)\b", ""), (r"`RTTI Type Descriptor'", ""),
]


def words(text, rules):
    text = re.sub(r"'(.)'", lambda c: str(ord(c[1])), text)
    for pattern, other in rules:
        text = re.sub(pattern, other, text)
    return collections.Counter(re.findall(r"[A-Za-z_]\w*|-?\d+|[&*]", text))


def ask(tool, symbols):
    return subprocess.run([tool], input="\n".join(symbols) + "\n", capture_output=True, text=True, check=False).stdout.splitlines()


def undecorate(tool, symbols):
    """By symbol; those that the tool cannot read are left out."""
    said, symbol = {}, None
    for line in ask(tool, symbols):
        if line.startswith("??_R0"):
            symbol = line
        elif line:
            said[symbol] = line
    return said


def translate(o, folder, infos, generator, enums):
    """The descriptor of each type info, by circ, and its adjectives: the qualifiers of what a pointer points to are not in the descriptor."""
    names.write_module(folder + "/types.cir", generator.records, infos, enums)
    out = subprocess.run([o.ms_types, folder + "/types.cir"], capture_output=True, text=True, check=False)
    lines = [line.split(" ") for line in out.stdout.splitlines()]
    adjectives = {info: {"const": int(flags) & 1, "volatile": int(flags) >> 1 & 1} for info, _, flags, *_ in lines}
    return {line[0]: line[1] for line in lines}, adjectives


def compare(o, folder):
    generator = names.Generator(o.seed)
    types = [generator.handler() for _ in range(o.count)]
    first_enum = len(types)
    types += [name + " &" for name in sorted(generator.enums)]
    of_type, _ = names.from_clang(o.clang, folder + "/types.cpp", types)
    enums = {of_type[i] for i in range(first_enum, len(types))}
    infos = sorted(info for info in set(of_type.values()) if "_GLOBAL__N" not in info)
    descriptors, adjectives = translate(o, folder, infos, generator, enums)
    sources = dict(zip(infos, ask(o.cxxfilt, infos)))
    results = undecorate(o.undname, sorted(descriptors.values()))
    wrong = [i for i in infos if i not in descriptors]
    unread = [i for i in infos if i in descriptors and descriptors[i] not in results]
    for info in infos:
        result = results.get(descriptors.get(info))
        if result and words(sources[info], OF_ITANIUM) - collections.Counter(adjectives[info]) != words(result, OF_MICROSOFT):
            wrong.append(info)
    for info in wrong[:10]:
        print(f"{info}\n  {sources[info]}\n  {descriptors.get(info)}\n  {results.get(descriptors.get(info))}")
    print(f"{len(infos)} types, {len(wrong)} wrong, {len(unread)} that {o.undname} cannot read")
    return 1 if wrong or len(unread) * 4 > len(infos) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ms-types", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--undname", default="llvm-undname-22")
    parser.add_argument("--cxxfilt", default="llvm-cxxfilt-22")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    for tool in (o.clang, o.undname, o.cxxfilt):
        try:
            subprocess.run([tool, "--version"], capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            print("SKIPPED:", tool, "not found")
            return names.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        return compare(o, folder)


if __name__ == "__main__":
    sys.exit(main())
