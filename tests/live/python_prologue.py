"""Run by gdb: steps into the evaluation loop until the cframe of the thread says which frame runs; prints how far it got.

gdb -batch -ex "python CURRENT = N" -x python_prologue.py --args PYTHON -c pass; CURRENT is the offset of current_frame.
"""
import gdb

TS_CFRAME = 56


def word(at):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(at, 8)), "little")


gdb.execute("set breakpoint pending on")
gdb.execute("set startup-with-shell off")
gdb.execute("break Py_BytesMain")  # the library is there then
gdb.execute("run", to_string=True)
gdb.execute("break *_PyEval_EvalFrameDefault")
gdb.execute("continue", to_string=True)
start = int(gdb.parse_and_eval("(long)$pc"))
thread, frame = (int(gdb.parse_and_eval("(long)$" + reg)) for reg in ("rdi", "rsi"))
before = word(thread + TS_CFRAME)
for _ in range(200):
    gdb.execute("stepi", to_string=True)
    cframe = word(thread + TS_CFRAME)
    if cframe != before and word(cframe + CURRENT) == frame:
        print("prologue", int(gdb.parse_and_eval("(long)$pc")) - start)
        break
gdb.execute("kill")
