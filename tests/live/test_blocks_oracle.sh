#!/bin/bash
# Basic blocks of whole files against those that compilers and another disassembler have: every label of a jump table is followed (labels of the assembly text that gcc and clang
# write, x86-64 and arm64), blocks begin where clang's own do (SHT_LLVM_BB_ADDR_MAP), and where jumps of objdump's text lead (libc, CPython). What differs is counted by cause.
. "$TOP/tests/live/lib.sh"
command -v objdump >/dev/null && command -v gcc >/dev/null || skip "no gcc or objdump"
dump=$WORK/tools/flow_dump
cd "$scratch" || exit 2

# Functions with switches of all shapes, in loops, and gotos through tables.
cat >make.py <<'PY'
import random
random.seed(21)
def body(k, v):
    return random.choice(["s += %d;" % k, "s *= %d;" % (k | 1), "s ^= n * %d;" % k, "s = s / %d + ext(s);" % (k + 2), "if (s & %d) s -= n; else s += 3;" % (k + 1),
                          "return s + %d;" % k, "s = ext(%d);" % k])
def switch(depth):  # with `guessed` nothing says where a table ends
    first, count, step = random.choice([0, 0, 1, 5, 97, -3]), random.randint(5, 40), random.choice([1, 1, 1, 2, 3])
    what = random.choice(["n", "s & 15", "p[s & 7]", "(unsigned char)s", "n % 23", "p[0] - p[1]"])
    cases = []
    for i in range(count):
        if random.random() < 0.15:
            continue
        inner = switch(depth + 1) if depth < 2 and random.random() < 0.04 else ""
        cases.append("case %d: %s %s %s" % (first + i * step, body(random.randint(1, 99), depth), inner, random.choice(["break;", "break;", "break;", ""])))
    default = random.choice(["", "default: s = 1; break;", "default: return -1;"] + ["default: __builtin_unreachable();"] * guessed)
    return "switch (%s) { %s %s }" % (what, "\n".join(cases), default)
print("unsigned ext(unsigned);\nextern void gone(void) __attribute__((noreturn));")
for i in range(60):
    guessed = i % 5 == 1
    print("unsigned %s%d(unsigned n, const unsigned char *p) { unsigned s = n;" % ("fg"[guessed], i))
    if i % 3 == 0:
        print("for (unsigned i = 0; i < n; i++) {", switch(0), "s += i; }")
    elif i % 10 == 1:
        n = random.choice([4, 16, 256])
        print("static void *const t[%d] = { %s };" % (n, ", ".join("&&l%d" % (k % 7) for k in range(n))))
        print("goto *t[*p++];")
        for k in range(6):
            print("l%d: %s goto *t[*p++];" % (k, body(k + 1, 0)))
        print("l6: ;")
    else:
        print(switch(0), "if (s == 77) gone();", switch(0) if i % 4 == 0 else "")
    print("return s; }")
PY
python3 make.py >switches.c

cat >judge_tables.py <<'PY'
"""Labels that each function's tables name in the assembly text, against what flow_dump has as successors of blocks that end in a table."""
import re, subprocess, sys
asm, program, nm, dump = sys.argv[1:5]
symbols = {}
for line in subprocess.run([nm, program], stdout=subprocess.PIPE, text=True).stdout.splitlines():
    parts = line.split()
    if len(parts) == 3:
        symbols[parts[2]] = int(parts[0], 16)
function, tables, label, owner = None, {}, None, {}
used = {}
lines = open(asm).read().splitlines()
for line in lines:  # which function names which table
    found = re.match(r"([fg]\d+):", line)
    if found:
        function = found[1]
    for word in re.findall(r"(?:\.L\d+|\.LJTI\w+|t\.\d+|[fg]\d+\.t)(?!\w)", line):
        used.setdefault(word, set()).add(function)
for line in lines:
    found = re.match(r"([.\w]+):", line)
    if found:
        label = found[1]
    found = re.match(r"\s+\.(?:long|word|quad|xword|byte|2byte|hword|4byte|8byte)\s+(?:\()?(\.L\w+)", line)
    if found and found[1] in symbols:
        tables.setdefault(label, set()).add(symbols[found[1]])
theirs = {}
for table, targets in tables.items():
    for f in used.get(table, ()):
        if f and re.match(r"[fg]\d+$", f):
            theirs.setdefault(f, set()).update(targets)
ours, sizes, unfollowed, guessed, n = {}, {}, 0, 0, 0
for line in subprocess.run([dump, program], stdout=subprocess.PIPE, text=True).stdout.splitlines():
    words = line.split()
    if words[0] == "function":
        function = words[3] if re.match(r"[fg]\d+$", words[3]) else None
        sizes[function] = (int(words[1], 16), int(words[2]))
        if function:
            n += 1
            unfollowed += function[0] == "f" and int(words[7].split("=")[1])
            guessed += function[0] == "f" and int(words[5].split("=")[1])
    elif function and words[4] == "table":
        ours.setdefault(function, set()).update(int(w, 16) for w in words[words.index(":") + 1:] if w != "leaves")
bad = guesses = 0
for f in theirs:
    start, size = sizes[f]
    inside = {t for t in theirs[f] if start <= t < start + size}
    if f[0] == "g":
        guesses += inside != ours.get(f, set())
    elif inside != ours.get(f, set()):
        bad += 1
        if bad < 4:
            print("  %s: missing %s, too many %s" % (f, [hex(t) for t in sorted(inside - ours.get(f, set()))][:4], [hex(t) for t in sorted(ours.get(f, set()) - inside)][:4]))
for f in {f for f in set(ours) - set(theirs) if f[0] == "f"}:
    bad += 1
    print("  %s: a table that the text does not have" % f)
print("  %d functions, %d with tables, %d labels; %d differ, %d jumps not followed, %d guessed; of %d without a known end %d differ" %
      (n, len(theirs), sum(map(len, theirs.values())), bad, unfollowed, guessed, len([f for f in theirs if f[0] == "g"]), guesses))
sys.exit(bool(bad or unfollowed or len(theirs) < 5))
PY

# tables NAME NM COMPILER...: one way to compile
tables() {
	local name=$1 nm=$2
	shift 2
	"$@" -w -S switches.c -o "$name.s" 2>err || { part_skipped "$name: $(tail -n 1 err)"; return; }
	"$@" -w -Wa,--keep-locals -c "$name.s" -o "$name.o" 2>err || "$@" -w -Wa,-L -c "$name.s" -o "$name.o" 2>err || { part_skipped "$name: $(tail -n 1 err)"; return; }
	"$@" -w -nostdlib "$name.o" -o "$name" -Wl,--discard-none -Wl,-e,f0 -Wl,--unresolved-symbols=ignore-all 2>err || { part_skipped "$name: $(tail -n 1 err)"; return; }
	check "tables of $name" python3 judge_tables.py "$name.s" "$name" "$nm" "$dump"
}

for level in -O0 -O2 -Os; do
	tables "gcc$level" nm gcc $level
	tables "gcc$level-no-pie" nm gcc $level -fno-pie -no-pie
	if command -v aarch64-linux-gnu-gcc >/dev/null; then
		tables "gcc-arm64$level" aarch64-linux-gnu-nm aarch64-linux-gnu-gcc -fno-section-anchors $level
	else
		part_skipped "no aarch64-linux-gnu-gcc"
	fi
	for clang in clang clang-19; do
		command -v $clang >/dev/null || { part_skipped "no $clang"; continue; }
		tables "$clang$level" nm $clang -no-integrated-as $level
		tables "$clang$level-no-pie" nm $clang -no-integrated-as $level -fno-pie -no-pie
	done
done

cat >judge_map.py <<'PY'
"""Where blocks begin, against the map that clang writes of its own (SHT_LLVM_BB_ADDR_MAP)."""
import re, subprocess, sys
readobj, program, dump = sys.argv[1:4]
theirs, at, base, block = {}, None, 0, {}
for line in subprocess.run([readobj, "--bb-addr-map", program], stdout=subprocess.PIPE, text=True).stdout.splitlines():
    key, _, value = line.strip().partition(": ")
    if key == "At":
        at = base = int(value, 16)
        theirs[at] = []
    elif key == "Base Address":
        base = int(value, 16)
    elif key == "Offset":
        block = {"start": base + int(value, 16)}
    elif key == "Size":
        block["end"] = block["start"] + int(value, 16)
        if block["end"] > block["start"]:
            theirs[at].append(block)
    elif key in ("IsEHPad", "CanFallThrough", "HasIndirectBranch"):
        block[key] = value == "Yes"
ours, function, guessed = {}, None, set()
for line in subprocess.run([dump, program], stdout=subprocess.PIPE, text=True).stdout.splitlines():
    words = line.split()
    if words[0] == "function":
        function = int(words[1], 16)
        ours[function] = {}
        if words[5] != "guessed=0":
            guessed.add(function)
    else:
        ours[function][int(words[1], 16)] = (int(words[2]), words[5] == "reached", words[3] == "1" and words[4] in ("branch", "jump", "leave"))
equal, causes, bad = 0, {}, []
def count(cause):
    causes[cause] = causes.get(cause, 0) + 1
for at, blocks in theirs.items():
    mine = ours.get(at)
    if mine is None:
        continue
    if at in guessed:
        count("functions with a table whose end is a guess")
        continue
    starts = {b["start"]: b for b in blocks}
    ends = {b["end"]: b for b in blocks}
    for start in starts:
        before = ends.get(start)
        if start in mine:
            equal += 1
        elif before and before["CanFallThrough"]:
            count("theirs is entered from the block before only")
        elif before:
            count("theirs is behind a call that does not return")
        else:
            bad.append("%x: no block of ours begins at %x" % (at, start))
    for start in mine:
        if start not in starts:
            before = ends.get(start)
            around = [b for b in blocks if b["start"] < start < b["end"]]
            if around and all(jump for s, (_, _, jump) in mine.items() if start <= s < around[0]["end"]):
                count("theirs ends with more than one jump")
            elif around:
                bad.append("%x: theirs goes on at %x" % (at, start))
            else:
                count("ours is no block of theirs")
    unreached = [s for s, (_, reached, _) in mine.items() if not reached]
    for start in unreached:
        if start in starts and starts[start].get("IsEHPad"):
            count("exceptions are caught there, which we do not follow")
print("  %d functions, %d blocks begin where clang's do; %s" % (len(theirs), equal, ", ".join("%d: %s" % (n, c) for c, n in sorted(causes.items())) or "all of them"))
for line in bad[:5]:
    print("  WRONG: " + line)
sys.exit(bool(bad or equal < 100 or sum(causes.values()) > equal / 5))
PY

cat >catch.cc <<'CC'
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
struct guard { std::vector<int> &v; ~guard() { v.push_back(1); } };
int parse(const std::string &s, std::map<std::string, int> &m)
{
	std::vector<int> v;
	guard g{v};
	try {
		for (char c : s)
			switch (c) {
			case 'a': m[s]++; break;
			case 'b': v.push_back(std::stoi(s)); break;
			case 'c': throw std::runtime_error(s);
			case 'd': m.at(s)--; break;
			case 'e': return 5;
			case 'f': v.clear(); break;
			}
	} catch (const std::out_of_range &e) {
		return m[e.what()];
	} catch (const std::exception &) {
		v.push_back(3);
		throw;
	}
	return (int)v.size();
}
int main(int argc, char **argv)
{
	std::map<std::string, int> m;
	return argc > 1 ? parse(argv[1], m) : 0;
}
CC

# map NAME SOURCE COMPILER...
map() {
	local name=$1 source=$2
	shift 2
	"$@" -w -fbasic-block-sections=labels -c "$source" -o "$name.o" 2>/dev/null || "$@" -w -fbasic-block-address-map -c "$source" -o "$name.o" 2>err ||
		{ part_skipped "$name: $(tail -n 1 err)"; return; }
	"$@" -nostdlib "$name.o" -o "$name" -Wl,-e,0 -Wl,--unresolved-symbols=ignore-all 2>err || { part_skipped "$name: $(tail -n 1 err)"; return; }
	check "blocks of $name" python3 judge_map.py "$readobj" "$name" "$dump"
}
readobj=$(command -v llvm-readobj-19)
if [ -n "$readobj" ] && command -v clang-19 >/dev/null; then
	map map-O0 switches.c clang-19 -O0
	map map-O2 switches.c clang-19 -O2
	map map-catch catch.cc clang++-19 -O2
	map map-arm64 switches.c clang-19 -O2 --target=aarch64-linux-gnu
else
	part_skipped "no clang-19 and llvm-readobj-19"
fi

cat >judge_objdump.py <<'PY'
"""Where jumps lead in objdump's text, a block begins; and where ours begin something leads, or nothing does and it is said."""
import bisect, re, subprocess, sys
program, dump = sys.argv[1:3]
code = []
for line in subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True).stdout:
    found = re.match(r" *([0-9a-f]+):\t(.*)", line)
    if found:
        code.append((int(found[1], 16), found[2].strip()))
code.sort()
places = [at for at, _ in code]
functions, function = {}, None
for line in subprocess.run([dump, program], stdout=subprocess.PIPE, text=True).stdout.splitlines():
    words = line.split()
    if words[0] == "function":
        function = (int(words[1], 16), int(words[2]))
        functions[function] = {"blocks": {}, "tables": set(), "clean": words[8] == "data=0" and words[7] == "unfollowed=0"}
    else:
        to = [int(w, 16) for w in words[words.index(":") + 1:] if w != "leaves"]
        functions[function]["blocks"][int(words[1], 16)] = words[5]
        if words[4] == "table":
            functions[function]["tables"].update(to)
equal, causes, bad = 0, {}, []
for (start, size), of in functions.items():
    if not of["clean"]:
        causes["functions with jumps not followed, or data"] = causes.get("functions with jumps not followed, or data", 0) + 1
        continue
    first, last = bisect.bisect_left(places, start), bisect.bisect_left(places, start + size)
    leaders = {start}
    for i in range(first, last):
        at, text = code[i]
        text = re.sub(r"^(bnd|notrack|lock|repz|rep|cs|ds|data16) +", "", text)
        name = text.split(" ")[0]
        if name in ("call", "callq") or not (name.startswith("j") or name in ("ret", "retq", "hlt", "ud2") or name.startswith("loop") or name == "xbegin"):
            continue
        found = re.match(r"\S+ +([0-9a-f]+)(?: |$)", text)
        if found and start <= int(found[1], 16) < start + size:
            leaders.add(int(found[1], 16))
        if i + 1 < last and (name.startswith("j") and not name.startswith("jmp") or name.startswith("loop") or name == "xbegin"):
            leaders.add(places[i + 1])
    for at in leaders:
        if at in of["blocks"]:
            equal += 1
        else:
            bad.append("%x: a jump leads to %x, where no block begins" % (start, at))
    for at, reached in of["blocks"].items():
        if at in leaders or at in of["tables"]:
            continue
        inside = at not in places[bisect.bisect_left(places, at):][:1]
        before = code[bisect.bisect_left(places, at) - 1][1]
        cause = ("behind an instruction that a jump leads into" if inside or before.startswith("lock") else
                 "not reached" if reached == "not" else None)
        if cause is None:
            bad.append("%x: nothing leads to %x" % (start, at))
        else:
            causes[cause] = causes.get(cause, 0) + 1
print("  %d functions, %d blocks begin where jumps lead; %s" % (len(functions), equal, ", ".join("%d: %s" % (n, c) for c, n in sorted(causes.items())) or "no others but of tables"))
for line in bad[:5]:
    print("  WRONG: " + line)
sys.exit(bool(bad or equal < 1000))
PY
for file in "$(ldconfig -p | sed -n 's/.*libc\.so\.6 (libc6,x86-64) => //p' | head -n 1)" "$(readlink -f /usr/bin/python3)"; do
	[ -f "$file" ] && check "blocks of $(basename "$file")" python3 judge_objdump.py "$file" "$dump"
done
finish
