#!/usr/bin/env python3
"""make_big_pdb.py FOLDER COPIES [FUNCTIONS]: two C++ sources of a Windows program with a large PDB: part.cc, with functions
that have inlined calls, types and variables of their own and are seen by nobody but `all`, and main.cc, which calls `all0`,
`all1` and so on: copies of part.o in which `all` was renamed."""
import os
import sys

folder, copies = sys.argv[1], int(sys.argv[2])
functions = int(sys.argv[3]) if len(sys.argv) > 3 else 600
os.makedirs(folder, exist_ok=True)

HEAD = """
#define INLINE static inline __attribute__((always_inline))
extern "C" volatile int sink;
namespace {
template <int N> struct Step { INLINE int go(int x) { int y = x * N; sink = y; return Step<N - 1>::go(y + N); } };
template <> struct Step<0> { INLINE int go(int x) { return x; } };
"""
BODY = """
struct State%(j)d {
	int a%(j)d, values%(j)d[%(n)d];
	int sum(int k) const { int s = 0; for (int i = 0; i < k; i++) s += values%(j)d[i] ^ a%(j)d; return s; }
};
__attribute__((noinline)) int work%(j)d(int n, State%(j)d *state)
{
	int first = n + %(n)d;
	int second = Step<6>::go(first);
	for (int i = 0; i < n; i++) {
		int inner = state->sum(i & 7);
		second += inner;
		sink = second;
	}
	return Step<4>::go(second) + state->sum(3);
}
"""
with open(f"{folder}/part.cc", "w", encoding="ascii") as out:
    out.write(HEAD)
    for j in range(functions):
        out.write(BODY % {"j": j, "n": 3 + j % 90})
    out.write('}\nextern "C" int all(void)\n{\n\tint sum = 0;\n')
    for j in range(functions):
        out.write(f"\t{{ State{j} s = {{}}; sum += work{j}({j}, &s); }}\n")
    out.write("\treturn sum;\n}\n")
with open(f"{folder}/main.cc", "w", encoding="ascii") as out:
    out.write('extern "C" {\nvolatile int sink;\nint _fltused;\nvoid __chkstk(void) {}\n')
    out.write("void *memset(void *p, int c, decltype(sizeof 0) n) { char *q = (char *)p; while (n--) *q++ = (char)c; return p; }\n")
    out.writelines(f"int all{i}(void);\n" for i in range(copies))
    out.write("int entry(void) { int sum = 0;\n")
    out.writelines(f"sum += all{i}();\n" for i in range(copies))
    out.write("return sum; }\n}\n")
