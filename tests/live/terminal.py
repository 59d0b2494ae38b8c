#!/usr/bin/env python3
"""terminal.py COLUMNS ROWS KEYS COMMAND...: runs it on a terminal of that size, types the keys when it falls silent, prints what
appeared there; its exit status is the command's."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

columns, rows, keys, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]
end = time.monotonic() + 120
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.environ.update(TERM="xterm", LC_ALL="C.UTF-8")
    os.execvp(command[0], command)
shown, silent = b"", 0
while time.monotonic() < end:
    if select.select([terminal], [], [], 0.5)[0]:
        try:
            got = os.read(terminal, 65536)
        except OSError:  # Linux: nobody has the terminal any more
            break
        if not got:
            break
        shown, silent = shown + got, 0
        continue
    silent += 1
    if silent >= 2 and b"done!" in shown and keys:  # not before it has begun to report
        os.write(terminal, keys.encode())
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
