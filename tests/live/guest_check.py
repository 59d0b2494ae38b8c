"""guest_check.py FOLDER CHECK: what tests/guest/count.sh left in FOLDER, against the program's own instruction counts.

One instruction takes one cycle in the guest (QEMU's icount), so counts and numbers of samples are known to the digit, but
for what the program's start costs (less than START instructions).
"""
import json
import os
import re
import sys

folder, check = sys.argv[1:3]
START = 300_000
TURNS = 30_000_000  # of 2 instructions each


def load(name):
    with open(os.path.join(folder, name + ".json")) as file:
        return json.load(file)


def rows(name):
    return load(name)["core"]["cores"][0]["Performance_counter"]


def counts(name):
    return {row["event_name"]: row["counter_value"] for row in rows(name)}


def metrics(name):
    table = load(name)["core"]["ts_metric"]["Telemetry_Solution_Metrics"]
    return {row["metric_name"]: row["value"] for row in table}


def expect(condition, *what):
    if not condition:
        print("guest_check:", check, "failed:", *what)
        sys.exit(1)


def test_row(name, row):
    return next(r["Result"] for r in load(name)["Test_Results"] if r["Test_Name"] == row)


def check_count():
    for name in "count", "again":
        got = counts(name)
        expect(got["cpu_cycles"] == got["inst_retired"], name, got)
        expect(2 * TURNS < got["inst_retired"] < 2 * TURNS + START, name, got)


def check_modes():
    got = counts("modes")
    user, kernel, both = got["cpu_cycles:u"], got["cpu_cycles:k"], got["cpu_cycles"]
    expect(2 * TURNS < user < 2 * TURNS + START, got)
    expect(kernel > 0 and abs(user + kernel - both) < both / 100, got)


def check_group():
    grouped = [row for row in rows("group") if row["event_note"] == "g0"]
    expect(len(grouped) == 3 and grouped[0]["counter_value"] == grouped[1]["counter_value"], grouped)
    expect("multiplexed" not in grouped[0], "with 6 counters nothing takes turns")


def check_turns():
    """The kernel takes turns as `wperf test` says, and scaled counts come near the truth."""
    for name in "turns", "turns16":
        expected = re.findall(r"\(([^:]*):([0-9.]*)%\)", test_row(name + "_test", "kernel.schedule[EVT_CORE].counted"))
        got = rows(name)
        expect([row["event_name"] for row in got] == [word for word, _ in expected], expected)
        for row, (word, share) in zip(got, expected):
            running, enabled = map(int, row["multiplexed"].split("/"))
            expect(abs(100 * running / enabled - float(share)) < 6, name, row, share)
            if word == "inst_retired":
                expect(0.9 < row["scaled_value"] / (8 * TURNS) < 1.1, name, row)


def check_rows():
    index = test_row("turns_test", "ioctl_events[EVT_CORE].index").split(",")
    note = test_row("turns_test", "ioctl_events[EVT_CORE].note")
    expect(index == [str(n) for n in (0x42, 0x43, 0x44, 8, 0x40, 0x41, 0x45, 0x46, 27, 27, 27, 27)], index)
    expect(note == "(g0),(g0),(g0),(e),(e),(e),(e),(e),(p),(p),(p),(p)", note)


def check_large():
    with open(os.path.join(folder, "large.err")) as file:
        text = file.read()
    expect("event group size(8) exceeds number of hardware PMU counters(6)" in text, text)


def check_sample():
    """A sample for each full period, in the two functions as their turns are."""
    event = load("sample")["sampling"]["events"][0]
    by_name = {row["symbol"]: row["count"] for row in event["samples"]}
    total = sum(by_name.values())
    cycles = counts("count")["cpu_cycles"]
    expect(total == cycles // 1_000_000, total, cycles)
    expect(abs(by_name["once"] - total / 3) <= 1 and abs(by_name["twice"] - 2 * total / 3) <= 1, by_name)


def check_stack():
    text = json.dumps(load("stack"))
    expect('"once"' in text and '"twice"' in text and '"main"' in text, "no call graph of main, once and twice")


def check_metric():
    got = metrics("metric")
    expect(abs(float(got["turns"]) - 30) < 0.2, got)
    expect(got["cpi"] == "1.000", got)
    expect(got["none"] in ("<division by zero>", "<not implemented>"), got)


def check_core():
    expect(counts("core")["cpu_cycles"] >= 2 * TURNS, counts("core"))


def check_timeline():
    with open(os.path.join(folder, "timeline.csv")) as file:
        lines = file.read().split("\n")
    at = lines.index("cycle,cpu_cycles,inst_retired,")
    expect(len(load("timeline")["timeline"]) == 3, "three periods")
    expect(all(re.fullmatch(r"(\d+,){3}", line) for line in lines[at + 1 : at + 4]), lines)


def check_describe():
    names = [row["Alias_Name"] for row in load("list")["Predefined_Events"]]
    expect("cpu_cycles" in names and "inst_retired" in names, names[:20])
    expect(any("cpu_cycles" in row["Result"] for row in load("man")["Manual_Results"]), load("man"))
    expect(test_row("turns_test", "PMU_CTL_QUERY_HW_CFG [gpc_num]") == "0x0006", "six counters")


def check_telemetry():
    expect(metrics("telemetry")["ipc"] == "1.000", metrics("telemetry"))
    tree = {row["metric"]: row["value"] for row in load("topdown")["core"]["topdown"]["Topdown"]}
    expect(set(tree) == {"frontend_stalled_cycles", "backend_stalled_cycles"}, tree)
    expect(metrics("telemetry")["load_percentage"] == "<not implemented>", metrics("telemetry"))


globals()["check_" + check]()
