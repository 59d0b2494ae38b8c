#!/usr/bin/env python3
"""undname_oracle.py OUR_UNDNAME LLVM_UNDNAME [--show N] < DECORATED: what the two make of names, one per line.

Ours has neither parameters nor return types, and is spelled as Microsoft's tools do; both are brought to what they have in
common. More than one difference in a hundred fails.
"""
import argparse
import re
import subprocess
import sys

WORDS = re.compile(r"\b(class|struct|union|enum|__ptr64|__cdecl|__stdcall|__thiscall|__fastcall|__vectorcall|__clrcall|"
                   r"__restrict|__unaligned|__swiftcall|__swiftasynccall|__regcall|__eabi|__pascal)\b")
SPELLED = {"`scalar deleting dtor'": "`scalar deleting destructor'", "`vector deleting dtor'": "`vector deleting destructor'",
           "`vbase dtor'": "`vbase destructor'", "`default ctor closure'": "`default constructor closure'",
           "`copy ctor closure'": "`copy constructor closure'"}


def cut_parameters(text):
    """Without the parameters of symbols: parentheses outside of template arguments, and those before a closing quote."""
    depth, i, out, starts = 0, 0, [], []
    while i < len(text):
        c = text[i]
        if text.startswith("operator", i):
            match = re.match(r"operator(\(\)|<=>|<<=|>>=|->\*|<<|>>|<=|>=|->|<|>)?", text[i:])
            out.append(match.group(0))
            i += match.end()
            continue
        if c == "<":
            depth += 1
        elif c == ">" and text[i - 1] != "-":
            depth -= 1
        elif c == "(" and depth == 0:
            break
        out.append(c)
        i += 1
    return "".join(out)


CONVENTION = re.compile(r"__(cdecl|stdcall|thiscall|fastcall|vectorcall) ")


def bare_scope(text):
    """The name of a function, without what is before its calling convention and behind its name."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "<(") - (c in ")" or (c == ">" and text[i - 1] != "-"))
        if depth == 0 and (match := CONVENTION.match(text, i)):
            return cut_parameters(text[match.end():])
    return text


def cut_scopes(text):
    """`void __cdecl f(int)'::`2' becomes {f}::{2}, from the innermost one outwards."""
    text = re.sub(r"`(anonymous namespace|[a-z -]*(tor|iterator|closure|table|vcall|guard)|local vftable)'", r"{\1}", text)
    while True:
        shorter = re.sub(r"`([^`']*)'::`(\d+)'", lambda m: "{" + bare_scope(m[1]) + "}::{" + m[2] + "}", text)
        if shorter == text:
            return text
        text = shorter


def normal(text):
    for word, other in SPELLED.items():
        text = text.replace(word, other)
    text = re.sub(r"`(adjustor|vtordisp|vtordispex)\{.*?\}'", "", text)
    text = re.sub(r"\{for .*?\}|\{\d+, \{flat\}\}", "", text)
    # Symbols as arguments, whose types are shown.
    text = re.sub(r"&(?:public: )?(?:int|void) (?:__\w+ )?((?:\w+::)+\w+)(?:\([^()]*\))?(?: const)?", r"&\1", text)
    return re.sub(r"\s+", "", WORDS.sub("", bare_scope(cut_scopes(text)).replace('extern "C" ', "")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("--show", type=int, default=20)
    args = parser.parse_args()
    names = sorted({line.strip() for line in sys.stdin if re.match(r"\?(?!\?_[78RC])", line)})  # no tables, no strings
    mine = subprocess.run([args.ours], input="\n".join(names) + "\n", capture_output=True, text=True,
                          check=True).stdout.splitlines()
    blocks = subprocess.run([args.theirs], input="\n".join(names) + "\n", capture_output=True, text=True,
                            check=False).stdout.split("\n\n")
    theirs = {}
    for block in blocks:
        lines = block.strip().splitlines()
        if len(lines) >= 2:
            theirs[lines[0]] = lines[1]
    equal, wrong, unknown = 0, [], 0
    for name, got in zip(names, mine):
        want = theirs.get(name)
        if want is None or bare_scope(cut_scopes(want)) == cut_scopes(want):
            unknown += 1  # a variable, or not read
        elif normal(got) == normal(want):
            equal += 1
        else:
            wrong.append((name, got, want))
    print(f"{len(names)} names: {equal} equal, {len(wrong)} different, {unknown} that llvm-undname knows no function of")
    for name, got, want in wrong[:args.show]:
        print(f"  {name}\n    ours: {got}\n    llvm: {want}")
    sys.exit(len(wrong) * 100 > len(names) or not equal)


if __name__ == "__main__":
    main()
