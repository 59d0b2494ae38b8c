# python_count, run by the interpreter in question: prints its pid, reads an address, and says whether the number there is the count of
# the code objects it makes, by making some. Exit status: 0 it is.
import os
import sys


def codes(code):
    return 1 + sum(codes(const) for const in code.co_consts if isinstance(const, type(code)))


def count():
    return int.from_bytes(os.pread(memory, 4, address), sys.byteorder)


kept = {}
for i in range(200):  # of functions that were made the interpreter keeps a table
    exec("def f%d(): return %d" % (i, i), kept)
print(os.getpid(), flush=True)
line = sys.stdin.readline() or sys.exit("the count was not found")
address = int(line, 0)
memory = os.open("/proc/self/mem", os.O_RDONLY)
for n in (0, 1, 7, 5000):
    source = "\n".join("def g%d(): pass" % i for i in range(n))
    before = count()
    made = compile(source, "made", "exec")
    after = count()
    if after - before != codes(made):
        sys.exit("%d code objects were made, the count went from %d to %d" % (codes(made), before, after))
    if made.replace(co_name="other") and count() != after + 1:
        sys.exit("a copy was made that is not counted")
