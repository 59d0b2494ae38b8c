"""What this interpreter says of code objects it has, for tools/python_codes, which reads them from its memory meanwhile.

Functions of the library, and some whose names and files are of every width that str has. Waits to be killed. Runs under 2.7 and
every 3.x.
"""
import binascii
import gc
import os
import sys
import time
import types

STEP = 1 if sys.version_info < (3, 6) else 2
WIDTHS = ["plain", u"caf\xe9", u"\u540d\u524d", u"\U0001f40d", u"long\xe9" * 900, u"x" * 500]


def lines(code):
    """Offsets and lines: the first instruction, the last one, and some between."""
    try:
        import ctypes

        ask = ctypes.pythonapi.PyCode_Addr2Line
    except ImportError:
        return {-STEP: code.co_firstlineno}
    ask.argtypes, ask.restype = (ctypes.py_object, ctypes.c_int), ctypes.c_int
    size = len(code.co_code)
    places = set([-STEP, 0, size - STEP] + list(range(0, size, STEP * max(1, size // STEP // 9))))
    return dict((at, ask(code, at)) for at in places)


def shown(text, limit):
    """As wperf shows it: cut with an ellipsis, what was captured of it being that many bytes."""
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    if isinstance(text, bytes):
        cut = text[:limit]
    else:
        widest = max([ord(c) for c in text] or [0])
        cut = text[: limit // (1 if widest < 256 else 2 if widest < 65536 else 4)]
    if len(cut) < len(text):
        data = (cut if isinstance(cut, bytes) else cut.encode("utf-8")) + b"\xe2\x80\xa6"
    return binascii.hexlify(data).decode() or "00"


def made_up():
    for text in WIDTHS:
        long_function = "def f():\n" + "".join("  x.a(%d,\n\n b)\n" % i for i in range(9000 if text == "plain" else 3))
        filename = text + u"/" + text + u".py"
        if sys.version_info < (3, 0):
            text, filename = text.encode("utf-8"), filename.encode("utf-8")
        code = compile(long_function, filename, "exec")
        yield code
        inner = [c for c in code.co_consts if isinstance(c, types.CodeType)][0]
        if hasattr(inner, "replace"):
            yield inner.replace(co_name=text)
        else:
            yield inner


def codes():
    todo = list(made_up()) + [o.__code__ for o in gc.get_objects() if isinstance(o, types.FunctionType)]
    seen = {}
    while todo:
        code = todo.pop()
        if id(code) not in seen:
            seen[id(code)] = code  # and keeps it
            todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return seen


def file_of_python():
    with open("/proc/self/maps") as maps:
        paths = [line.split()[-1] for line in maps if " r-xp " in line]
    for path in paths:
        if os.path.basename(path).startswith("libpython"):
            return path
    return os.readlink("/proc/self/exe")


def main():
    import argparse, collections, decimal, difflib, email, json, logging, pickle, tarfile, unittest, xml.dom.minidom  # noqa: many functions

    out = ["%d %s" % (os.getpid(), file_of_python())]
    kept = codes()
    for address, code in kept.items():
        name = getattr(code, "co_qualname", code.co_name)
        answers = ["%d:%d" % pair for pair in sorted(lines(code).items())]
        out.append("\t".join(["%x" % address, shown(name, 1023), shown(code.co_filename, 4095)] + answers))
    sys.stdout.write("\n".join(out + ["end", ""]))
    sys.stdout.flush()
    time.sleep(100)


if __name__ == "__main__":
    main()
