"""gdb -batch -p PID -x gdb_frames.py: every frame of every thread as "thread TID", then "pc sp name" lines (hexadecimal), but inlined
calls and tail calls that gdb infers."""
import gdb

for setting in ("pagination off", "backtrace past-main on", "backtrace past-entry on", "backtrace limit 1024"):
    gdb.execute("set " + setting)
for thread in gdb.selected_inferior().threads():
    thread.switch()
    print("thread", thread.ptid[1] or thread.ptid[0])
    frame = gdb.newest_frame()
    while frame is not None:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            print(f"{frame.pc():x} {int(frame.read_register('sp')) & (1 << 64) - 1:x} {frame.name() or '-'}")
        try:
            frame = frame.older()
        except gdb.error:
            break
