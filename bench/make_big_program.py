#!/usr/bin/env python3
"""make_big_program.py FOLDER [FILES] [FUNCTIONS]: C sources of a program with many functions that calls a random
selection of them until its time is up. With -g3 -gdwarf-4 -gstrict-dwarf every file keeps all macros of its headers
to itself, which makes the binary large."""
import os
import sys

folder = sys.argv[1]
files = int(sys.argv[2]) if len(sys.argv) > 2 else 500
functions = int(sys.argv[3]) if len(sys.argv) > 3 else 50
os.makedirs(folder, exist_ok=True)

BODY = """
struct state_%(id)s { struct tm when; struct stat file; int values[%(n)d]; };
__attribute__((noinline)) long work_%(id)s(long n)
{
	struct state_%(id)s state = { .values = { 1, 2, 3 } };
	volatile long sum = n + %(n)d;
	for (int i = 0; i < 40; i++)
		sum += state.values[(sum + i) %% %(n)d] ^ i;
	return sum;
}
"""
HEADERS = ["stdio", "stdlib", "string", "time", "sys/stat", "sys/socket", "netinet/in", "pthread", "signal", "unistd",
           "math", "errno", "fcntl", "sys/mman", "sys/wait", "sys/types", "netdb", "locale", "wchar", "inttypes",
           "elf", "sys/ptrace", "sys/resource", "sys/ioctl", "termios"]
for i in range(files):
    with open(f"{folder}/part{i}.c", "w", encoding="utf-8") as out:
        out.writelines(f"#include <{h}.h>\n" for h in HEADERS)
        for j in range(functions):
            out.write(BODY % {"id": f"{i}_{j}", "n": 3 + (i * 7 + j) % 90})
with open(f"{folder}/main.c", "w", encoding="utf-8") as out:
    out.write("#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n")
    names = [f"work_{i}_{j}" for i in range(files) for j in range(functions)]
    out.writelines(f"long {name}(long);\n" for name in names)
    out.write("static long (*const all[])(long) = {\n" + ",\n".join(names) + "};\n")
    out.write("""int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	unsigned int x = 1;
	long sum = 0;
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	while (clock() < end)
		for (int i = 0; i < 1000; i++)
			sum += all[(x = x * 1103515245 + 12345) / 65536 % (sizeof(all) / sizeof(all[0]))](i);
	printf("%ld\\n", sum);
	return 0;
}
""")
