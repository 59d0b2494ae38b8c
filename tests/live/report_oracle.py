#!/usr/bin/env python3
"""Compares `wperf report` with what is known by other means.

same LIVE.json REPORT.json: a live report and that of its recording; enough REPORT.json: it has some Python functions;
python FILE REPORT.json [lines]: Python names and totals, and lines, in `perf script`, which takes its time for lines of deep
stacks; children WPERF FILE...: totals of functions with `perf report --children`; counts WPERF FILE...: samples per event and symbol with `perf script`, where names of one address are one."""
import collections, json, os, re, subprocess, sys

# Differs by nature: how stacks were taken is not told again.
PASSED = {"/stacks/mode"}


def differences(x, y, path=""):
    if path in PASSED:
        return
    if type(x) is not type(y):
        yield f"{path}: {x!r} and {y!r}"
    elif isinstance(x, dict):
        for key in sorted(set(x) | set(y)):
            if key in x and key in y:
                yield from differences(x[key], y[key], f"{path}/{key}")
            else:
                yield f"{path}/{key}: only in {'the live report' if key in x else 'that of the file'}"
    elif isinstance(x, list):
        if len(x) != len(y):
            yield f"{path}: {len(x)} and {len(y)} entries"
        for i, (a, b) in enumerate(zip(x, y)):
            yield from differences(a, b, f"{path}/{i}")
    elif x != y:
        yield f"{path}: {x!r} and {y!r}"


def load(path):
    return json.load(open(path))["sampling"]


def script(path, fields, *options):
    command = ["perf", "script", "-i", path, "--no-inline", "--no-demangle", "-F", fields, *options]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120).stdout


def functions(report):
    return sum(len(e.get("python_functions", [])) for e in load(report)["events"])


def enough(report):
    return functions(report) > 5


def same(live, report):
    found = list(differences(load(live), load(report)))
    print(f"  {functions(report)} Python functions, {len(found)} differences", *found[:5], sep="\n  ")
    return not found and enough(report)


def python(path, report, lines=""):
    """Every Python frame that perf prints is one of ours, each function counted once per sample."""
    totals, names = collections.Counter(), set()
    for sample in script(path, "comm,ip,sym,dso" + lines.replace("lines", ",srcline"), "--max-stack", "2000").split("\n\n"):
        printed = sample.splitlines()
        seen = set()
        for frame, source in zip(printed, printed[1:] + [""]):
            match = re.match(r"\s+[0-9a-f]+ (.*) \(.*\.python\)$", frame)
            if match:
                seen.add(match[1])
                if lines:
                    names.add((match[1], source.strip()))
        totals.update(seen)
    ours, known = collections.defaultdict(int), set()
    for event in load(report)["events"]:
        for row in event["python_functions"]:
            ours[row["function"]] = max(ours[row["function"]], row["total_count"])
        for row in event["python_lines"]:
            known.add((row["function"], f"{os.path.basename(row['file'])}:{row['line'] or 0}"))
    wrong = [f"{name}: perf {totals[name]}, ours {ours[name]}" for name in totals if totals[name] < ours[name]]
    strange = [pair for pair in names if pair not in known]
    print(f"  perf names {len(totals)} functions and {len(names)} lines; {len(wrong)} with other totals, {len(strange)} not ours",
          *wrong[:5], *strange[:5], sep="\n  ")
    return len(totals) > 3 and not wrong and not strange


def debug_file(path):
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True).stdout
    found = re.search(r"Build ID: ([0-9a-f]{2})([0-9a-f]+)", notes)
    return f"/usr/lib/debug/.build-id/{found[1]}/{found[2]}.debug" if found else path


def aliases(path, known):
    """Name -> the first of its address's names, from the file's symbol tables."""
    if path not in known:
        by_value = collections.defaultdict(set)
        for command in (["nm", path], ["nm", "-D", path], ["nm", debug_file(path)]):
            out = subprocess.run(command, capture_output=True, text=True).stdout
            for line in out.splitlines():
                parts = line.split()
                if len(parts) == 3 and parts[1] in "TtWwiI":
                    by_value[parts[0]].add(parts[2].split("@")[0])
        known[path] = {name: min(names) for names in by_value.values() for name in names}
    return known[path]


def kernel_aliases(known):
    if "kernel" not in known:
        by_value = collections.defaultdict(set)
        for line in open("/proc/kallsyms"):
            parts = line.split()
            by_value[parts[0]].add(parts[2])
        known["kernel"] = {name: min(names) for names in by_value.values() if len(names) < 10 for name in names}
    return known["kernel"]


def plain(name, path, known):
    """Of several names of an address the first. Perf knows no name in the vdso on some machines."""
    name = "" if name.endswith("@plt") or path == "[vdso]" else name.split("@")[0]
    if path.startswith("[kernel"):
        return kernel_aliases(known).get(name, name)
    return aliases(path, known).get(name, name) if path.startswith("/") else name


def counts_of(path, wperf, known):
    perf, paths, ours = collections.Counter(), {}, collections.Counter()
    for line in script(path, "event,ip,sym,dso", "-G").splitlines():
        match = re.match(r"\s*(\S+?):?\s+[0-9a-f]+ (.*) \((.*)\)$", line)
        if match:
            event, name, dso = match.groups()
            paths[os.path.basename(dso)] = dso
            perf[event, plain(name, dso, known)] += 1
    command = [wperf, "report", "-i", path, "--json", "--sample-display-row", "100000", "--sample-display-long"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)["sampling"]
    main = report["pe_file"]
    for event in report["events"]:
        for row in event["samples"]:
            name, _, module = row["symbol"].rpartition(":")
            name, module = (name, paths.get(module, module)) if name else (module, main)
            ours[event["type"], plain(name, module, known)] += row["count"]
    # perf gives PLT entries without a name of their own, and those of stripped files, no name.
    nameless = {"", "[unknown]", "unknown"}
    wrong = [f"{key}: perf {perf[key]}, ours {ours[key]}" for key in sorted(set(perf) | set(ours))
             if perf[key] != ours[key] and key[1] not in nameless]
    total = sum(perf.values())
    print(f"  {os.path.basename(path)}: {total} samples of perf's, {sum(ours.values())} of ours, {len(perf)} symbols; {len(wrong)} differ", *wrong[:8], sep="\n  ")
    return total > 50 and total == sum(ours.values()) and len(wrong) <= len(perf) // 50


def counts(wperf, *paths):
    known = {}
    return all([counts_of(path, wperf, known) for path in paths])


def children_of(path, wperf, known):
    """(children, self) in percent, by module and name; where a name is there twice, the larger."""
    command = ["perf", "report", "-i", path, "--stdio", "--children", "--no-inline", "--no-demangle", "-g", "none", "-t", "\t",
               "-F", "overhead_children,overhead,dso,sym", "--percent-limit", "0", "--max-stack", "2000"]
    perf, ours, paths = {}, {}, {}
    printed = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120).stdout
    for line in printed.split("# Samples:")[1].splitlines():  # the first event
        match = re.match(r"\s*([\d.]+)%\s*\t\s*([\d.]+)%\s*\t(\S+)\s*\t\[.\] (.*?)\s*$", line)
        if match:
            total, own, module, name = match.groups()
            perf[module, name.split("@")[0]] = float(total), float(own)
    command = [wperf, "report", "-i", path, "--children", "--sort", "dso,sym", "--json", "--sample-display-row", "100000", "--sample-display-long"]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120).stdout)["sorted"]
    for row in report["events"][0]["rows"]:
        name = row["symbol"].removesuffix(":" + row["module"]).split("@")[0]
        ours[row["module"], re.sub(r" \(.*:\d+\)$", "", name)] = float(row["children"]), float(row["self"])
    both = [key for key in perf if key in ours]
    wrong = [f"{key}: perf {perf[key]}, ours {ours[key]}" for key in both
             if any(abs(a - b) > 0.02 for a, b in zip(perf[key], ours[key]))]
    print(f"  {os.path.basename(path)}: {len(perf)} rows of perf's, {len(ours)} of ours, {len(both)} in both; {len(wrong)} differ",
          *wrong[:8], sep="\n  ")
    return len(both) > 20 and len(wrong) <= len(both) // 50


def children(wperf, *paths):
    return all([children_of(path, wperf, {}) for path in paths])


sys.exit(not {"same": same, "enough": enough, "python": python, "children": children, "counts": counts}[sys.argv[1]](*sys.argv[2:]))
