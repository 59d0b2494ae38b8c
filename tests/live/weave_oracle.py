"""gdb -nx -batch -p PID -x weave_oracle.py: stacks of a CPython at random instants, woven by $WEAVE_TOOL, next to what gdb
knows. Needs debug information of the interpreter; $WEAVE_TIMES instants.

3.11 and newer: which native frame a run belongs to is what DWARF says of the place of that frame's own variable (cframe,
entry_frame), not a matter of stack pointers. 3.10 and older: an activation keeps its frame object in its stack frame or in a
register that calls preserve.
"""
import os
import random
import re
import struct
import subprocess
import sys
import traceback

import gdb

LOOPS = re.compile(r"^(_PyEval_EvalFrameDefault|PyEval_EvalFrameEx)(\.cold(\.\d+)?)?$")
OUTERMOST = ("_start", "clone3", "__clone", "__clone3", "start_thread")
COMPLETE, CUT, TOO_DEEP, MAX = 0, 4, 5, 1024
PRESERVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
counts = dict.fromkeys(("stacks", "runs", "activations", "idle", "candidates", "cut", "thread states", "unbound"), 0)
failures = []


def run(command):
    return gdb.execute(command, to_string=True)


def address(value):
    return int(value) & (1 << 64) - 1


class Interpreter:
    def __init__(self):
        fields = [field.name for field in gdb.lookup_type("PyThreadState").strip_typedefs().fields()]
        if "frame" in fields:
            self.anchor = None
        elif "is_entry" in [f.name for f in gdb.lookup_type("struct _PyInterpreterFrame").fields()]:
            self.anchor = "cframe"
        else:
            self.anchor = "entry_frame"
        self.has_cframe = "cframe" in fields
        self.loops = self.find_loops()

    def find_loops(self):
        name = "_PyEval_EvalFrameDefault"
        try:
            at = address(gdb.parse_and_eval("(long)&" + name))
        except gdb.error:
            name = "PyEval_EvalFrameEx"
            at = address(gdb.parse_and_eval("(long)&" + name))
        file = gdb.solib_name(at) or gdb.current_progspace().filename
        symbols = {}
        for line in subprocess.run(["nm", "-S", file], capture_output=True, text=True).stdout.splitlines():
            words = line.split()
            if len(words) == 4 and LOOPS.match(words[3]) and words[3].startswith(name):
                symbols[words[3]] = int(words[0], 16), int(words[1], 16)
        delta = at - symbols[name][0]
        return sorted((start + delta, start + delta + size) for start, size in symbols.values())

    def in_loop(self, pc):
        return any(start <= pc < end for start, end in self.loops)

    def interpreters(self):
        try:
            interp = gdb.parse_and_eval("_PyRuntime.interpreters.head")
        except gdb.error:
            interp = gdb.parse_and_eval("interp_head")
        while interp:
            yield interp
            interp = interp["next"]

    def thread_states(self, self_id):
        """Those of the selected thread that run something, innermost first as far as that can be told."""
        found = []
        for interp in self.interpreters():
            try:
                state = interp["threads"]["head"]
            except gdb.error:
                state = interp["tstate_head"]
            while state:
                if address(state["thread_id"]) == self_id:
                    found.append(state)
                state = state["next"]
        if len(found) > 1 and not self.anchor:
            try:
                current = address(gdb.parse_and_eval("_PyRuntime.gilstate.tstate_current._value"))
            except gdb.error:
                current = 0
            found.sort(key=lambda state: address(state) != current)
        return found

    def name(self, code):
        text = code["co_name"]
        try:
            at = address(text) + gdb.lookup_type("PyASCIIObject").sizeof
        except gdb.error:
            at = address(text) + 36
        raw = gdb.selected_inferior().read_memory(at, 40).tobytes().split(b"\0")[0]
        return re.sub(r"[^\w<>]", "?", raw.decode("latin-1"))

    def chain(self, state):
        """[(frame's address, name)] with ("mark", address) behind every run."""
        chain = []
        if not self.anchor:
            frame = state["frame"]
            while frame:
                chain.append((address(frame), self.name(frame["f_code"])))
                frame = frame["f_back"]
            return chain
        cframe = state["cframe"] if self.has_cframe else None
        frame = cframe["current_frame"] if self.has_cframe else state["current_frame"]
        while frame:
            if self.anchor == "entry_frame" and int(frame["owner"]) >= 3:
                chain.append(("mark", address(frame)))
            else:
                try:
                    code = frame["f_code"]
                except gdb.error:
                    code = frame["f_executable"].cast(gdb.lookup_type("PyCodeObject").pointer())
                chain.append((address(frame), self.name(code)))
                if self.anchor == "cframe" and frame["is_entry"]:
                    chain.append(("mark", address(cframe)))
                    cframe = cframe["previous"]
            frame = frame["previous"]
        return chain


class Native:
    def __init__(self, frame):
        self.frame = frame
        self.pc = frame.pc()
        self.sp = address(frame.read_register("sp"))
        self.name = frame.name() or "-"


def native_stack():
    frames = []
    frame = gdb.newest_frame()
    while frame is not None and len(frames) <= MAX:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            frames.append(Native(frame))
        try:
            frame = frame.older()
        except gdb.error:
            break
    return frames


def weave(python, natives, end, chains, option):
    lines = [f"loop {start:x} {stop:x} 0" for start, stop in python.loops] + [f"end {end}"]
    if not python.anchor:
        lines.append("objects 0")
    lines += [f"native {native.pc:x} {native.sp:x}" for native in natives]
    for chain in chains:
        lines.append("thread 0 0")
        lines += [f"mark {at:x}" if frame == "mark" else f"frame {frame:x}:{at}" for frame, at in chain]
    tool = [os.environ["WEAVE_TOOL"]] + option
    out = subprocess.run(tool, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True).stdout
    return out.splitlines()


def runs_by_mark(chains):
    runs = {}
    for chain in chains:
        run_frames = []
        for frame, at in chain:
            if frame == "mark":
                runs[at] = run_frames
                run_frames = []
            else:
                run_frames.append(f"python {frame:x}:{at}")
        if run_frames:
            failures.append(f"gdb's own walk has no end: {run_frames}")
    return runs


def expected_by_marks(python, natives, chains, keep):
    """Each activation's run in its place, by the address of its variable."""
    runs, out = runs_by_mark(chains), []
    for i, native in enumerate(natives):
        if not python.in_loop(native.pc - (i > 0)):
            out.append(f"native {i}")
            continue
        native.frame.select()
        anchor = address(gdb.parse_and_eval(f"(long)&{python.anchor}"))
        mine = runs.pop(anchor, None)
        counts["activations"] += not keep
        counts["runs"] += mine is not None and not keep
        counts["idle"] += mine is None and not keep
        out += (mine or []) + ([f"native {i}"] if keep else [])
    return out, runs


def check_marked(python, natives, chains, end):
    for keep in (False, True):
        want, left = expected_by_marks(python, natives, chains, keep)
        got = weave(python, natives, end, chains, ["-i"] if keep else [])
        if end == COMPLETE and any(left.values()):
            failures.append(f"gdb: runs without an activation: {left}")
        for frames in left.values():
            counts["unbound"] += bool(frames) and not keep
            want += frames
        if got[:-1] != want:
            failures.append("\n".join(differences(got, want, natives)))


def differences(got, want, natives):
    def word(line):
        if line.startswith("native "):
            return line + " " + natives[int(line[7:])].name
        return line

    for i in range(max(len(got), len(want))):
        a = word(got[i]) if i < len(got) else "-"
        b = word(want[i]) if i < len(want) else "-"
        yield f"{'  ' if a == b else '* '}{a:60} {b}"


def candidates(native, cfa, frames):
    """Frame objects of the chain that the activation holds in its stack frame or in registers."""
    memory = gdb.selected_inferior().read_memory(native.sp, cfa - native.sp).tobytes()
    words = set(struct.unpack(f"<{len(memory) // 8}Q", memory[: len(memory) // 8 * 8]))
    words |= {address(native.frame.read_register(name)) for name in PRESERVED}
    return words & frames


def check_objects(python, natives, chains, end):
    """With the loop's frames shown, the Python frame in front of each must be one that it holds."""
    frames = {frame for chain in chains for frame, _ in chain}
    got = weave(python, natives, end, chains, ["-i"])
    order = [line for line in got if line.startswith("python")]
    if order != [f"python {frame:x}:{name}" for chain in chains for frame, name in chain]:
        failures.append("Python frames out of order")
    place = {line: i for i, line in enumerate(got)}
    for i, native in enumerate(natives[:-1]):
        if not python.in_loop(native.pc - (i > 0)):
            continue
        counts["activations"] += 1
        at = place[f"native {i}"]
        if not at or not got[at - 1].startswith("python"):
            counts["idle"] += 1
            continue
        counts["runs"] += 1
        frame = int(got[at - 1].split()[1].split(":")[0], 16)
        held = candidates(native, natives[i + 1].sp, frames)
        counts["candidates"] += len(held)
        if frame not in held:
            names = {f: n for chain in chains for f, n in chain}
            failures.append(f"frame {i} of {len(natives)}: {got[at - 1]} is not in it; in it: {[names[f] for f in held]}\n"
                            + "\n".join(f"  {line} {natives[int(line[7:])].name if line[0] == 'n' else ''}" for line in got))
    counts["unbound"] += int(got[-1].split()[1])


def check_thread(python):
    natives = native_stack()
    end = TOO_DEEP if len(natives) > MAX else COMPLETE
    if end == COMPLETE and natives[-1].name not in OUTERMOST:
        end = CUT
    natives = natives[:MAX]
    states = python.thread_states(address(gdb.parse_and_eval("$fs_base")))
    chains = [chain for chain in map(python.chain, states) if chain]
    if not chains:
        return
    counts["stacks"] += 1
    counts["thread states"] += len(chains)
    counts["cut"] += end != COMPLETE
    (check_marked if python.anchor else check_objects)(python, natives, chains, end)


def main():
    pid = gdb.selected_inferior().pid
    for setting in ("pagination off", "backtrace past-main on", "backtrace limit 1100"):
        run("set " + setting)
    run("handle SIGINT stop nopass")
    python = Interpreter()
    random.seed(pid)
    for i in range(int(os.environ.get("WEAVE_TIMES", "10"))):
        if i:
            subprocess.Popen(["sh", "-c", f"sleep {random.random() / 20:.4f}; kill -INT {pid}"])
            run("continue")
        for thread in gdb.selected_inferior().threads():
            thread.switch()
            check_thread(python)
    print("oracle:", ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "nothing")
    for failure in failures[:3]:
        print("FAILED:", failure)
    run("detach")
    sys.stdout.flush()
    gdb.execute(f"quit {1 if failures or not counts['runs'] else 0}")


try:
    main()
except Exception:  # gdb would end well
    traceback.print_exc()
    gdb.execute("quit 1")
