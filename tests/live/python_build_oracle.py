#!/usr/bin/env python3
"""python_build_oracle TOOL FILE [TYPES]: what python_plan says of a CPython's file next to what gdb says of its structures.

TYPES is a file with the debug information of CPython's structures (python_types.c compiled with the headers of that
build); without it FILE has its own. Addresses are those of the symbol tables. Prints what differs; exits with 1 then.
"""
import re
import subprocess
import sys

# Plan field -> expressions (type, member); the first that exists counts, 0 when none does.
FIELDS = {
    "interp_next": [("struct _is", "next")],
    "interp_threads": [("struct _is", "threads.head"), ("struct _is", "tstate_head")],
    "interp_gil": [("struct _is", "ceval.gil")],
    "gil_holder": [("struct _gil_runtime_state", "last_holder")],
    "gil_locked": [("struct _gil_runtime_state", "locked")],
    "ts_next": [("struct _ts", "next")],
    "ts_interp": [("struct _ts", "interp")],
    "ts_thread_id": [("struct _ts", "thread_id")],
    "ts_frame": [("struct _ts", "frame"), ("struct _ts", "current_frame"), ("struct _ts", "cframe")],
    "ts_state": [("struct _ts", "state")],
    "cframe_current": [("_PyCFrame", "current_frame")],
    "cframe_previous": [("_PyCFrame", "previous")],
    "frame_code": [("struct _PyInterpreterFrame", "f_executable"), ("struct _PyInterpreterFrame", "f_code"),
                   ("PyFrameObject", "f_code")],
    "frame_previous": [("struct _PyInterpreterFrame", "previous"), ("PyFrameObject", "f_back")],
    "frame_instr": [("struct _PyInterpreterFrame", "instr_ptr"), ("struct _PyInterpreterFrame", "prev_instr"),
                    ("PyFrameObject", "f_lasti")],
    "frame_owner": [("struct _PyInterpreterFrame", "owner")],
    "frame_is_entry": [("struct _PyInterpreterFrame", "is_entry")],
    "frame_tlbc_index": [("struct _PyInterpreterFrame", "tlbc_index")],
    "object_type": [("PyObject", "ob_type")],
    "code_first_line": [("PyCodeObject", "co_firstlineno")],
    "code_name": [("PyCodeObject", "co_name")],
    "code_qualname": [("PyCodeObject", "co_qualname")],
    "code_filename": [("PyCodeObject", "co_filename")],
    "code_lines": [("PyCodeObject", "co_linetable"), ("PyCodeObject", "co_lnotab")],
    "code_first_instr": [("PyCodeObject", "co_code_adaptive")],
    "code_tlbc": [("PyCodeObject", "co_tlbc")],
    "str_length": [("PyASCIIObject", "length")],
    "str_state": [("PyASCIIObject", "state")],
    "str_ascii": [("PyASCIIObject", None)],
    "str_compact": [("PyCompactUnicodeObject", None)],
    "bytes_size": [("PyBytesObject", "ob_base.ob_size"), ("PyStringObject", "ob_size")],
    "bytes_data": [("PyBytesObject", "ob_sval"), ("PyStringObject", "ob_sval")],
    # In _PyRuntime
    "interpreters": [("_PyRuntimeState", "interpreters.head")],
    "tss_key": [("_PyRuntimeState", "gilstate.autoTSSkey._key"), ("_PyRuntimeState", "autoTSSkey._key")],
    "current": [("_PyRuntimeState", "gilstate.tstate_current")],
    # Not in the plan
    "code_code": [("PyCodeObject", "co_code")],
    "interp_modules": [("struct _is", "imports.modules"), ("struct _is", "modules")],
    "ht_cached_keys": [("PyHeapTypeObject", "ht_cached_keys")],
    "co_size": [("PyCodeObject", None)],
}
BITS = {"str_kind_shift": "kind", "str_compact_shift": "compact", "str_ascii_shift": "ascii"}


def gdb(path, commands):
    args = ["gdb", "-nx", "-batch"]
    for command in commands:
        args += ["-ex", command]
    return subprocess.run(args + [path], capture_output=True, text=True, timeout=250).stdout


def structures(path):
    commands, keys = [], []
    for field, choices in FIELDS.items():
        for n, (kind, member) in enumerate(choices):
            commands.append(f"echo \\n{field}:{n}=")
            commands.append(f"print/d sizeof({kind})" if member is None else f"print/d (long)&(({kind}*)0)->{member}")
    commands += ["echo \\nbits\\n", "ptype/o PyASCIIObject", "echo \\nexecutable=", "whatis ((struct _PyInterpreterFrame*)0)->f_executable"]
    text = gdb(path, commands)
    found = {}
    for field, n, value in re.findall(r"^(\w+):(\d+)=\$\d+ = (\d+)", text, re.M):
        found.setdefault(field, int(value))
    for name in BITS.values():
        # /*     32: 2   |       4 */            unsigned int kind : 3;
        match = re.search(r"/\*\s+(\d+):\s*(\d+)\s+\|\s+\d+ \*/\s+[\w ]+\b%s : \d" % name, text)
        if match:
            byte, bit = int(match[1]), int(match[2])
            found["bit " + name] = (byte - found["str_state"]) * 8 + bit
    found["tagged"] = "_PyStackRef" in text.split("executable=")[-1]
    return found


def symbols(path):
    table = {}
    text = subprocess.run(["readelf", "-sW", path], capture_output=True, text=True).stdout
    for line in text.splitlines():
        part = line.split()
        if len(part) == 8 and re.match(r"\d+:$", part[0]) and part[6] != "UND":
            table.setdefault(part[7].split("@")[0], (int(part[1], 16), int(part[2], 0)))
    return table


def expected_eval(table, version):
    loop = "PyEval_EvalFrameEx" if version < 0x03060000 else "_PyEval_EvalFrameDefault"
    ranges = []
    for name, (start, size) in table.items():
        if name == loop or name.startswith(loop + ".") or (version >= 0x030E0000 and name.startswith("_TAIL_CALL_")):
            ranges.append((start, start + size))
    return sorted(ranges)


def expected_flags(found, version, free_threaded):
    old = version < 0x030B0000
    flags = [old, version >> 16 in (0x30B, 0x30C), version >> 16 == 0x30B, version >= 0x030C0000, found["tagged"],
             version >> 16 == 0x30A, not old, free_threaded, version < 0x03000000, version < 0x03070000]
    return sum(1 << bit for bit, is_set in enumerate(flags) if is_set)


def main():
    tool, path = sys.argv[1:3]
    types = sys.argv[3] if len(sys.argv) > 3 else path
    text = subprocess.run([tool, path], capture_output=True, text=True).stdout
    got, evals = {}, []
    for line in text.splitlines():
        key, value = line.split("=", 1)
        if key == "eval":
            evals.append(tuple(int(word, 16) for word in value.split("-")))
        got[key] = value
    if "version" not in got:
        print(f"{path}: {text or 'no CPython'}")
        return 1
    version = int(got["version"], 0)
    free_threaded = "free-threaded" in got["name"]
    found, table = structures(types), symbols(path)
    want = {field: found.get(field, 0) for field in FIELDS if field != "co_size"}
    if not 0x030B0000 <= version < 0x030D0000:
        want["cframe_current"] = want["cframe_previous"] = 0
    if not want["interp_gil"] or version < 0x030C0000:
        want["interp_gil"] = want["gil_holder"] = want["gil_locked"] = 0
    if free_threaded:
        want["interp_gil"] = 0
    else:
        want["ts_state"] = want["frame_tlbc_index"] = want["code_tlbc"] = 0
    if version < 0x030B0000:  # values lie nowhere but in dicts
        want["ht_cached_keys"] = 0
    for field, name in BITS.items():
        want[field] = found.get("bit " + name, 0)
    if version < 0x03000000:  # its names are PyStringObject
        for field in list(want):
            if field.startswith("str_"):
                want[field] = 0
    if version >= 0x03070000:
        runtime = table["_PyRuntime"][0]
        for field in ("interpreters", "tss_key", "current"):
            want[field] = want[field] and want[field] + runtime
        if version >= 0x030C0000:
            want["current"] = 0
    else:
        want["interpreters"] = table["interp_head"][0]
        want["current"] = table["_PyThreadState_Current"][0]
        want["tss_key"] = table["autoTLSkey"][0] if version >= 0x03000000 else 0
    want["code_type"] = table["PyCode_Type"][0]
    want["flags"] = expected_flags(found, version, free_threaded)
    wrong = [f"{field} is {got.get(field)}, want {value} (0x{value:x})" for field, value in want.items()
             if int(got.get(field, "-1"), 0) != value]
    if ".symtab" in subprocess.run(["readelf", "-SW", path], capture_output=True, text=True).stdout:
        ranges = expected_eval(table, version)
        if ranges != sorted(evals):
            wrong.append(f"eval is {evals}, want {ranges}")
    for line in wrong:
        print(f"{path}: {line}")
    print(f"{path}: {got['name']}: {len(want)} fields compared, {len(wrong)} differ")
    return 1 if wrong else 0


sys.exit(main())
