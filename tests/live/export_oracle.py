#!/usr/bin/env python3
"""Holds what other tools read in wperf's exports against `wperf report`.

speedscope REPORT READ FILE   self time of every function, total of every Python function of the program; READ is what
                              speedscope_import.mjs wrote, FILE the name of the export in it (of pprof's, where speedscope
                              leaves out what is inlined, totals alone)
gecko REPORT READ...          the same; READ is what profiler-cli says of a thread (thread functions --json)
pprof REPORT TOP LINES        the same, and of its lines; what pprof -top and -top -lines print
tables FILE                   the tables of a Firefox profile: lengths, and what refers to what
schema FILE SCHEMA            a JSON schema

Times are those of the report's first event, in ms, whose samples stand for one each."""
import collections, json, re, sys

PROGRAM = "py_mixed.py"
OWN = {"fib", "parse_rows", "parse_until", "drive"}  # whose names nothing else has


def report(path):
    event = json.load(open(path))["sampling"]["events"][0]
    samples = sum(row["count"] for row in event["samples"])
    selves = collections.Counter()
    for row in event["functions"]:
        selves[plain(row["symbol"])] += round(row["self"] * samples / 100)
    rows = [row for row in event["python_functions"] if row["function"] in OWN]
    lines = [row for row in event["python_lines"] if row["function"] in OWN]
    return {
        "samples": samples,
        "selves": +selves,
        "totals": {row["function"]: row["total_count"] for row in rows},
        "lines": {(row["function"], row["line"]): row["total_count"] for row in lines},
    }


def plain(symbol):
    """"spin:libx.so (inlined)", "fib (app.py:3)" -> the name alone."""
    symbol = re.sub(r" \((inlined|inline|[^()]*:\d+)\)$", "", symbol)
    return re.sub(r"(?<!:):[^:]+$", "", symbol)


def unnamed(name):
    """Places without a symbol, which a report has as one."""
    return "unknown" if re.search(r"\+0x[0-9a-f]+$", name) or name == "unknown" else name


def compare(known, selves, totals, lines=None, without_selves=False):
    seen = collections.Counter()
    for name, ms in selves.items():
        seen[unnamed(plain(name))] += ms
    seen = collections.Counter({name: round(ms, 3) for name, ms in seen.items() if round(ms, 3)})
    wrong = [] if without_selves else [f"self of {name}: {seen[name]}, want {known['selves'][name]}"
                                       for name in sorted(set(seen) | set(known["selves"]))
                                       if abs(seen[name] - known["selves"][name]) > 0.01]
    totals = {name: ms for name, ms in totals.items() if name in known["totals"]}
    wrong += [f"total of {name}: {totals.get(name)}, want {want}"
              for name, want in known["totals"].items() if abs(totals.get(name, 0) - want) > 0.01]
    if lines is not None:
        wrong += [f"total of line {where}: {lines.get(where)}, want {want}"
                  for where, want in known["lines"].items() if abs(lines.get(where, 0) - want) > 0.01]
    if abs(sum(seen.values()) - known["samples"]) > 0.01:
        wrong.append(f"all: {sum(seen.values())}, want {known['samples']}")
    print(f"  {known['samples']} samples, {len(seen)} functions with self time, {len(known['totals'])} Python functions, "
          f"{len(wrong)} wrong", *wrong[:8], sep="\n    ")
    return not wrong and set(known["totals"]) == OWN and known["samples"] > 100


def speedscope(path, read, name):
    selves, totals = collections.Counter(), collections.Counter()
    per_ms = {"nanoseconds": 1e6, "microseconds": 1e3}
    for profile in json.load(open(read))[name]["profiles"]:
        if profile["unit"] not in per_ms:
            continue  # another event
        for function in profile["functions"]:
            # speedscope shows the arguments of a trace's slices with their names
            title, _, place = function["name"].partition(" {")
            selves[title] += function["self"] / per_ms[profile["unit"]]
            if PROGRAM in (function.get("file") or place):
                totals[title] += function["total"] / per_ms[profile["unit"]]
    return compare(report(path), selves, totals, without_selves=name.endswith(".pb.gz"))


def gecko(path, *reads):
    selves, totals = collections.Counter(), collections.Counter()
    for read in reads:
        thread = json.load(open(read))
        if thread["weightType"] != "tracing-ms":
            continue
        for function in thread["functions"]:
            selves[function["name"]] += function["selfSamples"]
            totals[function["name"]] += function["totalSamples"]
    return compare(report(path), selves, totals)


def rows(path):
    for line in open(path):
        match = re.match(r"\s*(\d+)(?:ns)?\s+[\d.]+%\s+[\d.]+%\s+(\d+)(?:ns)?\s+[\d.]+%\s+(.*?)(?: \((?:partial-)?inline\))?$", line)
        if match:
            yield int(match[1]) / 1e6, int(match[2]) / 1e6, match[3]


def pprof(path, top, by_line):
    selves, totals, lines = collections.Counter(), {}, {}
    for own, total, name in rows(top):
        selves[name] += own
        totals[name] = total
    for own, total, name in rows(by_line):
        match = re.match(rf"(.*) \S*{PROGRAM}:(\d+)$", name)
        if match:
            lines[match[1], int(match[2])] = total
    return compare(report(path), selves, totals, lines)


def tables(path):
    profile = json.load(open(path))
    shared, wrong = profile["shared"], []

    def columns(name, table):
        for column, cells in table.items():
            if isinstance(cells, list) and len(cells) != table["length"]:
                wrong.append(f"{name}.{column}: {len(cells)} of {table['length']}")

    def refers(what, cells, size, none=(None,)):
        wrong.extend(f"{what}[{i}] is {cell}" for i, cell in enumerate(cells) if cell not in none and not 0 <= cell < size)

    for name, table in shared.items():
        if isinstance(table, dict):
            columns(name, table)
    stacks, frames, functions = shared["stackTable"], shared["frameTable"], shared["funcTable"]
    strings = len(shared["stringArray"])
    refers("stack.frame", stacks["frame"], frames["length"])
    wrong += [f"prefix[{i}] is {at}" for i, at in enumerate(stacks["prefix"]) if at is not None and at >= i]
    refers("frame.func", frames["func"], functions["length"])
    refers("frame.category", frames["category"], len(profile["meta"]["categories"]))
    natives = shared["nativeSymbols"]
    refers("frame.nativeSymbol", frames["nativeSymbol"], natives["length"])
    refers("native.libIndex", natives["libIndex"], len(profile["libs"]))
    refers("native.name", natives["name"], strings)
    wrong += [f"frame {i} is not in its native symbol" for i, at in enumerate(frames["nativeSymbol"])
              if at is not None and not 0 <= frames["address"][i] - natives["address"][at] < natives["functionSize"][at]]
    refers("func.name", functions["name"], strings)
    refers("func.resource", functions["resource"], shared["resourceTable"]["length"], (-1,))
    refers("func.source", functions["source"], shared["sources"]["length"])
    refers("resource.lib", shared["resourceTable"]["lib"], len(profile["libs"]))
    refers("source.filename", shared["sources"]["filename"], strings)
    for thread in profile["threads"]:
        columns(thread["name"], thread["samples"])
        refers("sample.stack", thread["samples"]["stack"], stacks["length"])
        if thread["samples"]["time"] != sorted(thread["samples"]["time"]):
            wrong.append(f"times of {thread['name']}")
    wrong += [f"breakpad id {lib['breakpadId']}" for lib in profile["libs"] if not re.fullmatch("([0-9A-F]{33})?", lib["breakpadId"])]
    print(f"  {len(profile['threads'])} threads, {stacks['length']} stacks, {len(wrong)} wrong", *wrong[:8], sep="\n    ")
    return not wrong and stacks["length"] > 0 and natives["length"] > 0


def schema(path, wanted):
    import jsonschema

    jsonschema.validate(json.load(open(path)), json.load(open(wanted)))
    return True


if __name__ == "__main__":
    sys.exit(not globals()[sys.argv[1]](*sys.argv[2:]))
