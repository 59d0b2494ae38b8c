"""Every line table of this interpreter's standard library, with its own answer for every instruction, for tools/python_lines.

    python_lines_oracle.py [MODULES] >STREAM

The answers are PyCode_Addr2Line()'s, from before the first instruction to behind the last one; where there is co_lines(), it
must agree, and gives most of the answers in long code (all are PyCode_Addr2Line()'s with WPERF_PYTHON_LINES=full). Then code
that is hard to describe, and line tables with random entries. Runs under 2.7 and every 3.x; MODULES limits how many of the
library's modules are read. What was read is said on standard error.
"""
from __future__ import print_function

import array
import marshal
import os
import random
import struct
import sys
import types
import warnings

VERSION = sys.version_info[:2]
UNSIGNED, SIGNED, RANGES, LOCATIONS = range(4)
FORM = UNSIGNED if VERSION < (3, 6) else SIGNED if VERSION < (3, 10) else RANGES if VERSION < (3, 11) else LOCATIONS
STEP = 1 if VERSION < (3, 6) else 2
PYC_HEAD = 8 if VERSION < (3, 3) else 12 if VERSION < (3, 7) else 16
NOT_THE_LIBRARY = ("site-packages", "dist-packages", "__pycache__")
LONG, FULL = 120, os.environ.get("WPERF_PYTHON_LINES") == "full"
DEBUG = hasattr(sys, "gettotalrefcount")  # asserts that nothing behind the code is asked for
OUT = getattr(sys.stdout, "buffer", sys.stdout)

try:
    import ctypes

    addr2line = ctypes.pythonapi.PyCode_Addr2Line
    addr2line.argtypes, addr2line.restype = (ctypes.py_object, ctypes.c_int), ctypes.c_int
except ImportError:  # a build without libffi; co_lines() remains
    addr2line = None


def magic():
    try:
        import importlib.util

        return importlib.util.MAGIC_NUMBER, importlib.util.cache_from_source
    except ImportError:
        import imp

        return imp.get_magic(), lambda path: path + "c"


MAGIC, CACHED = magic()


class Figures(object):
    modules = unreadable = disagree = 0


def co_lines(code, size):
    """The lines of its instructions, -1 where there is none."""
    said = array.array("i")
    for start, end, line in code.co_lines():
        said.extend([-1 if line is None else line] * ((end - start) // STEP))
    assert len(said) == size // STEP
    return said


def answers(code, size, made_up):
    """PyCode_Addr2Line()'s from one step before the code to one behind it. It reads the table from its beginning each time, so
    that of long code only every 16th is asked, and co_lines() for the rest."""
    end = size if DEBUG else size + STEP
    if not addr2line:
        return [code.co_firstlineno] + co_lines(code, size).tolist()
    if made_up or not hasattr(code, "co_lines"):
        return [addr2line(code, at) for at in range(-STEP, end, STEP)]
    said = co_lines(code, size)
    some = 1 if FULL or size < LONG else 16
    for at in range(0, size, some * STEP):
        Figures.disagree += addr2line(code, at) != said[at // STEP]
    return [addr2line(code, -STEP)] + said.tolist() + [addr2line(code, at) for at in range(size, end, STEP)]


def put(code, table, size, made_up=False):
    lines = array.array("i", answers(code, size, made_up))
    name = ("%s:%s" % (os.path.basename(code.co_filename), code.co_name)).encode("ascii", "replace")[:200]
    head = struct.pack("<IIIIiII", FORM, code.co_firstlineno & 0xFFFFFFFF, len(table), len(name), -STEP, STEP, len(lines))
    OUT.write(head + name + table + (lines.tobytes() if hasattr(lines, "tobytes") else lines.tostring()))


def table_of(code):
    return code.co_linetable if FORM >= RANGES else code.co_lnotab


def put_all(code):
    """The code object and every one among its constants."""
    todo = [code]
    while todo:
        code = todo.pop()
        put(code, table_of(code), len(code.co_code))
        todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]


def load(path):
    """Its code as the interpreter's own cache has it, else compiled now; None: no Python of this version."""
    try:
        with open(CACHED(path), "rb") as file:
            data = file.read()
        if data[: len(MAGIC)] == MAGIC and os.path.getmtime(CACHED(path)) >= os.path.getmtime(path):
            return marshal.loads(data[PYC_HEAD:])
    except (IOError, OSError, ValueError, EOFError, TypeError, NotImplementedError):
        pass
    try:
        with open(path, "rb") as file:
            return compile(file.read(), path, "exec", 0, True)
    except (SyntaxError, ValueError, TypeError, RuntimeError, MemoryError):
        return None


def library():
    root = os.path.dirname(os.__file__)
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in NOT_THE_LIBRARY)
        for name in sorted(files):
            if name.endswith(".py"):
                yield os.path.join(folder, name)


def put_library(limit):
    for path in library():
        if Figures.modules == limit:
            break
        code = load(path)
        if code is None:
            Figures.unreadable += 1
        else:
            Figures.modules += 1
            put_all(code)


SOURCES = [
    # calls over several lines go forwards and back; arguments below and above the call
    "def f(a, *b, **c):\n    return a(\n        1,\n        b[\n            0\n        ],\n        x=c.get(\n  'k',\n  2))(\n  3)\n",
    "@a(\n  1)\n@b\n@c.d(\n\n\n  2\n)\ndef f(x=(\n  1), *,\n  y=2): return (\n x +\n\n y)\n",
    "def f(v):\n  return [\n    (a,\n     b)\n    for a in v\n    if a\n    for b in\n      a\n    if (\n     b)\n  ], {k:\n 1 for k in v}, (\n g for\n g in v)\n",
    "def f(x):\n  try:\n    x()\n  except A as e:\n    g(\n     e)\n    raise\n  except (B,\n      C):\n    return 1\n  else:\n    return 2\n  finally:\n    h(\n    )\n    k\n",
    "def f(x):\n  for i in x:\n    try:\n      if i: continue\n      if not i: break\n    finally:\n      with a(\n  ) as b, c:\n        yield (\n b)\n  else:\n    while i:\n      pass\n    del i\n",
    "class A(\n  B,\n C):\n  '''doc\n\n\n'''\n  x = 1\n  def f(self): return lambda: (\n    self,\n    lambda y: (\n  y))\n",
    "def f():\n  x = (1 if\n    a\n    else b if\n    c else\n    d)\n  assert (\n   x), (\n 'long' %\n x)\n  return not (\n a and\n b or\n c)\n",
    "def f():\n  a = b = \\\n    c[d:\n      e:\n  g]\n  a += (\n 1)\n  (a,\n   (b,\n c)) = 1, (\n 2, 3)\n  print(a\n  )\n",
    "x = 1; y = 2; z = (\n 3)\nif x: y\nelif y: z\nelse: x\n",
    "pass",
    "",
]
NEWER = [
    ((3, 6), "async def f(a):\n  async with a(\n   1) as b:\n    async for i in b:\n      await (\n i)\n  return [x async\n   for x in b if\n   await x], f'{a\n}'\n"
     if VERSION >= (3, 12) else "async def f(a):\n  async with a(\n   1) as b:\n    async for i in b:\n      await (\n i)\n"),
    ((3, 8), "def f(a, /):\n  while (b :=\n    a(\n  )):\n    print(f'{b}'\n  f'{a!r:>{b}}')\n"),
    ((3, 10), "def f(x):\n  match x:\n    case [1,\n  2, *r] if (\n  r): return r\n    case {'a':\n  A(b=\n c)}: pass\n    case 1 | \\\n  2 as y:\n      g(y)\n    case _:\n      h(\n)\n"),
    ((3, 11), "def f():\n  try:\n    g()\n  except* A as e:\n    h(\n  e)\n  except* (B,\n C): pass\n  finally: k(\n)\n"),
    ((3, 12), "type A[T:\n  int] = list[\n T]\ndef f[T](x:\n  T) -> T:\n  return f'{x\n:{x\n}}'\nclass C[\n *T]: pass\n"),
]


def long_sources():
    gap = "\n" * 300
    yield "def f():\n  a(1)" + gap + "  b(" + gap + "2," + gap + "3)" + "\n" * 5000 + "  c()\n"
    yield "def f():\n  return g(" + gap + "1, h(" + gap + "2), i(\n3)" + gap + ")(" + gap + "4)\n"
    yield "\n" * 100000 + "def f():\n  a\n" + "\n" * 70000 + "  b\n"
    yield "def f(x):\n" + "".join("  x.a%d(%d,\n x[%d])\n" % (i, i, i) for i in range(800))
    yield "x = [" + ",\n".join("f(%d)" % i for i in range(600)) + "]\n"
    yield "x = f(" + "".join("g(%d,\n" % i for i in range(60)) + ")" * 61 + "\n"
    yield "def f(x):\n  x(" + "1 + x + 2 * x, " * 200 + "\n  3)\n  return x\n"
    for lines in (126, 127, 128, 129, 254, 255, 256, 257, 383, 510, 511, 1000):
        yield "def f(x):\n  x(1)" + "\n" * lines + "  x(2,\n" + "x(3), " * 90 + "\n" * lines + "x(4))\n  return (x(\n" + "\n" * lines + "), x())\n"


def varint(value):
    out = bytearray()
    while value >= 64:
        out.append(value & 63 | 64)
        value >>= 6
    out.append(value)
    return out


def signed(value):
    return varint(-value << 1 | 1 if value < 0 else value << 1)


def random_location(rng, line):
    """One entry of the location table in any of its forms; the line stays positive, as a compiler's does."""
    code, units = rng.randrange(16), rng.randrange(1, 9)
    step = rng.choice((0, 1, -1, 2, 31, -32, 32, 63, 64, -64, 127, 128, 2047, 2048, -2048, 70000, -69000))
    step = step if line + step > 0 else 1 - line
    out = bytearray([0x80 | code << 3 | units - 1])
    columns = bytearray(rng.randrange(128) for _ in range(2))
    if code < 10:
        return out + columns[:1], units, line
    if code < 13:
        return out + columns, units, line + code - 10
    if code == 13:
        return out + signed(step), units, line + step
    if code == 14:
        return out + signed(step) + varint(rng.randrange(90)) + varint(rng.randrange(300)) + varint(rng.randrange(9000)), units, line + step
    return out, units, line


def random_table(rng, line):
    out, size = bytearray(), 0
    for _ in range(rng.choice((0, 1, 2, 3, 10, 40, 40, 150))):
        if FORM == LOCATIONS:
            entry, units, line = random_location(rng, line)
            size += 2 * units
        else:
            entry = bytearray([rng.choice((0, 0, 1, 2, 6, 8, 30, 254, 255)) & (254 if STEP == 2 and FORM == RANGES else 255),
                               rng.choice((0, 1, 2, 100, 126, 127, 128, 129, 200, 254, 255))])
            size += entry[0]
        out += entry
    if FORM == RANGES:  # 3.10 reads on behind a table that ends with an empty range, which no compiler writes
        out, size = out + b"\x02\x01", size + 2
    return bytes(out), size


def with_table(code, table):
    if hasattr(code, "replace"):
        return code.replace(**{"co_linetable" if FORM >= RANGES else "co_lnotab": table})
    more = (code.co_kwonlyargcount,) if VERSION >= (3, 0) else ()
    return types.CodeType(code.co_argcount, *(more + (
        code.co_nlocals, code.co_stacksize, code.co_flags, code.co_code, code.co_consts, code.co_names, code.co_varnames,
        code.co_filename, code.co_name, code.co_firstlineno, table, code.co_freevars, code.co_cellvars)))


def put_made_up():
    for source in SOURCES + [s for since, s in NEWER if VERSION >= since] + list(long_sources()):
        if VERSION < (3, 0):
            source = source.replace(", *,\n  y=2", ",\n  y=2")
        put_all(compile(source, "<made up>", "exec", 0, True))
    if DEBUG or not addr2line:
        return
    rng = random.Random(1)
    for lines in (0, 1, 9, 400, 300000):
        code = compile("\n" * lines + "x = 1\n", "<random>", "exec", 0, True)
        for _ in range(200):
            table, size = random_table(rng, code.co_firstlineno)
            put(with_table(code, table), table, size, True)


def main():
    warnings.simplefilter("ignore")
    put_made_up()
    put_library(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    OUT.flush()
    oracle = "PyCode_Addr2Line()" if addr2line else "no ctypes, so co_lines()"
    if addr2line and hasattr(put.__code__, "co_lines"):
        oracle += " and co_lines()"
    sys.stderr.write("%d modules (%d others are no Python of this version) by %s\n" % (Figures.modules, Figures.unreadable, oracle))
    if Figures.disagree:
        sys.stderr.write("co_lines() and PyCode_Addr2Line() disagree %d times\n" % Figures.disagree)
    return Figures.disagree != 0


if __name__ == "__main__":
    sys.exit(main())
