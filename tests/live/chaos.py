"""chaos.py SEED SECONDS: profiles programs to which bad things happen at random moments, until the time is up.

Of every round: the profiler ends in time and by itself, by no signal but the one it was sent; what it prints as JSON is JSON;
its recording is readable afterwards, or one line says why it is not. What happens in a round follows from the seed alone, not
when it happens in the life of a program: a failure is printed with its seed, its round and its command.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

WPERF, TOP, WORKLOADS = os.environ["WPERF"], os.environ["TOP"], os.environ["WORKLOADS"]
SCRATCH = os.environ["SCRATCH"]
LIMIT = 1.0  # seconds of a run
PATIENCE = 6.0 * float(os.environ.get("WPERF_SLOW", "1"))  # beyond that
PYTHONS = os.environ["PYTHONS"].split()
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
PARANOID = "/proc/sys/kernel/perf_event_paranoid"
UNPRIVILEGED = "/proc/sys/kernel/unprivileged_bpf_disabled"


def write(path, value):
    with open(path, "w") as file:
        file.write(str(value))


def read(path):
    with open(path) as file:
        return file.read().strip()


def works(*command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def that_work(*prefixes):
    return [list(prefix) for prefix in prefixes if works(*prefix, "true")]


# Clocks are never set: what else runs here has them, too. In a time namespace they are others, before and behind.
TIMES = that_work(
    ("unshare", "--time", "--monotonic", "100000", "--boottime", "100000", "--fork", "--kill-child"),
    ("unshare", "--time", "--monotonic", "-5", "--boottime", "-5", "--fork", "--kill-child"),
)
# Where the profiler is root, with no right over what is outside.
USERS = that_work(("unshare", "--user", "--map-root-user"))
PIDS = that_work(("unshare", "--pid", "--fork", "--mount-proc", "--kill-child"))
SPACES = TIMES + PIDS + that_work(("unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"))
# In a PID namespace of its own: all children get the same few numbers, one after another.
REUSE = "while :; do echo 300 >/proc/sys/kernel/ns_last_pid; %s -c 'sum(range(100000))' & %s & wait; done >/dev/null 2>&1 & exec \"$@\""


def waited_ns(pid):
    """How long its threads would have run, had the machine had room."""
    delay = 0
    try:
        for thread in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/schedstat" % (pid, thread)) as file:
                delay = max(delay, int(file.read().split()[1]))
    except (OSError, IndexError):
        pass
    return delay


def stolen_s():
    """Time of all CPUs that the host has given to others."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")


def children_of(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


class Round:
    def __init__(self, seed, number):
        self.random = random.Random("%s %s" % (seed, number))
        self.folder = os.path.join(SCRATCH, "round")
        self.target = self.profiler = None
        self.sent = set()
        self.happened = []
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        os.chmod(self.folder, 0o777)

    # ---- what is profiled ----

    def copy(self, name):
        """A program whose file may be cut while it is read."""
        path = os.path.join(self.folder, name)
        shutil.copy(os.path.join(WORKLOADS, name), path)
        self.victim = path
        return path

    def choose_target(self):
        self.victim = None
        python = self.random.choice(PYTHONS)
        script = os.path.join(TOP, "tests/workloads/chaos_target.py")
        command = self.random.choice(
            [
                [python, "-B", script, str(self.random.randrange(1 << 30))],
                [python, "-B", script, str(self.random.randrange(1 << 30))],
                [self.copy("headless"), "5"],
                [self.copy("calls"), self.random.choice(["shares", "recursion", "callback", "thread", "inlined"]), "5"],
                ["sh", "-c", "while :; do %s -c pass; /bin/true; done" % python],
            ]
        )
        if SPACES and self.random.random() < 0.25:
            command = self.random.choice(SPACES) + command
        return command

    # ---- who profiles ----

    def choose_options(self, attached):
        verb = self.random.choice(["sample", "stat"] if attached else ["record", "record", "stat"])
        options = [verb, "--timeout", str(LIMIT), "--json"]
        if verb == "stat":
            return options + ["-e", "task-clock,page-faults,context-switches", "-I", "0.1"][: self.random.choice([2, 4])]
        options += ["-e", "cpu-clock", "-F", self.random.choice(["99", "999", "4000"])]
        options += self.random.choice([[], ["-g"], ["--call-graph", "dwarf"], ["-g", "--annotate"], ["-g", "--async"]])
        options += self.random.choice([[], ["--python", "bpf"], ["--python", "pinned"], ["--gil"], ["--threads"]])
        if verb == "record":
            options += ["--data", os.path.join(self.folder, "data")] + self.random.choice([[], ["-z"]])
        return options

    def choose_user(self):
        """Now and then without rights, whatever the system allows then."""
        if self.random.random() < 0.75:
            return []
        write(PARANOID, self.random.choice([-1, 0, 1, 2, 3, 4]))
        if read(UNPRIVILEGED) != "1":  # which is for ever
            write(UNPRIVILEGED, self.random.choice([0, 2]))
        return NOBODY

    # ---- what happens ----

    def send(self, process, name):
        number = getattr(signal, name)
        if process is self.profiler and name != "SIGSTOP" and name != "SIGCONT":
            self.sent.add(number)
        try:
            if process is self.profiler:
                os.kill(process.pid, number)
            elif process:
                os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            pass

    def stop_a_while(self, process):
        self.send(process, "SIGSTOP")
        time.sleep(0.3)
        self.send(process, "SIGCONT")

    def cut(self):
        if self.victim:
            os.truncate(self.victim, self.random.choice([0, 64, 4096]))

    def replace(self):
        if self.victim:
            shutil.copy("/bin/true", self.victim + ".new")
            os.rename(self.victim + ".new", self.victim)

    def remove(self):
        if self.victim:
            os.unlink(self.victim)

    def take_away_cpu(self):
        """Which alone takes some seconds on a busy machine, in which nothing runs on it."""
        if os.environ.get("WPERF_HOTPLUG") == "1":
            write("/sys/devices/system/cpu/cpu1/online", 0)
            time.sleep(0.3)
            write("/sys/devices/system/cpu/cpu1/online", 1)

    def choose_events(self):
        everything = [
            ("the target stands still", lambda: self.stop_a_while(self.target)),
            ("the target is killed", lambda: self.send(self.target, "SIGKILL")),
            ("the profiler stands still", lambda: self.stop_a_while(self.profiler)),
            ("SIGINT", lambda: self.send(self.profiler, "SIGINT")),
            ("SIGTERM", lambda: self.send(self.profiler, "SIGTERM")),
            ("SIGHUP", lambda: self.send(self.profiler, "SIGHUP")),
            ("SIGKILL", lambda: self.send(self.profiler, "SIGKILL")),
            ("the program's file is cut", self.cut),
            ("the program's file is replaced", self.replace),
            ("the program's file is removed", self.remove),
            ("a CPU is taken away", self.take_away_cpu),
        ]
        chosen = self.random.sample(everything, self.random.choice([0, 1, 1, 2]))
        return sorted((self.random.uniform(0, 1.2 * LIMIT), name, action) for name, action in chosen)

    def happen(self, events, begin):
        for when, name, action in events:
            time.sleep(max(0, begin + when - time.monotonic()))
            self.happened.append("%.3f s: %s" % (when, name))
            try:
                action()
            except OSError as error:
                self.happened.append(str(error))

    # ---- one round ----

    def begin(self):
        attached = self.random.random() < 0.5
        command, options = self.choose_target(), self.choose_options(attached)
        self.of = command
        user, self.events = self.choose_user(), self.choose_events()
        if attached:
            self.target = subprocess.Popen(
                user + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            )
            everywhere = not user and self.random.random() < 0.3
        else:
            options += ["--"] + command
        space = self.choose_space(user, attached)
        if attached:
            options += ["-a"] if everywhere or "--pid" in space else ["-p", str(self.target.pid)]
        self.command = user + space + [WPERF] + options

    def choose_space(self, user, attached):
        """The profiler among processes that get each other's numbers, where clocks are others, or as in a container."""
        kind = self.random.choice(["", "", "", "time", "pids", "user"])
        if kind == "user" and USERS and not user:
            return USERS[0]
        if user or not attached:
            return []
        if kind == "time" and TIMES:
            return self.random.choice(TIMES)
        if kind == "pids" and PIDS:
            python = self.random.choice(PYTHONS)
            return PIDS[0] + ["sh", "-c", REUSE % (python, os.path.join(WORKLOADS, "calls") + " shares 0.05"), "sh"]
        return []

    def run(self):
        """What was wrong, or None."""
        self.begin()
        begin = time.monotonic()
        out, err = os.path.join(self.folder, "out"), os.path.join(self.folder, "err")
        with open(out, "wb") as out_file, open(err, "wb") as err_file:
            self.profiler = subprocess.Popen(
                self.command, stdout=out_file, stderr=err_file, stdin=subprocess.DEVNULL, cwd=self.folder, start_new_session=True
            )
        happening = threading.Thread(target=self.happen, args=(self.events, begin))
        happening.start()
        took = self.wait()
        wrong = "did not end within %.1f s" % took if self.profiler.returncode is None else None
        wrong = wrong or self.judge(self.profiler.returncode, out, err)
        happening.join()
        self.end()
        return wrong or self.read_recording()

    def wait(self):
        """For the profiler, for so long as is its own; how long that was."""
        patience = PATIENCE + (30 if any(name == "a CPU is taken away" for _, name, _ in self.events) else 0)
        stolen, begin = stolen_s(), time.monotonic()
        while True:
            try:
                self.profiler.wait(0.5)
            except subprocess.TimeoutExpired:
                pass
            took = time.monotonic() - begin
            waited = max(waited_ns(pid) for pid in [self.profiler.pid] + children_of(self.profiler.pid)) / 1e9
            if self.profiler.returncode is not None or took - waited - (stolen_s() - stolen) > LIMIT + patience:
                return took

    def end(self):
        for process in (self.profiler, self.target):
            if process:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()

    def judge(self, code, out, err):
        with open(err, errors="replace") as file:
            said = file.read()
        if "Sanitizer" in said or "runtime error" in said:
            return said[:4000]
        if code < 0 and -code not in self.sent:
            return "ended by signal %d: %s" % (-code, said[-400:])
        # It says what it has until then. A command that does not mind the signal is ended by the profiler, as a command that
        # got none would be: SIGTERM, then SIGKILL.
        ended_by_us = self.sent and code - 128 in self.sent | {signal.SIGTERM, signal.SIGKILL}
        if code > 0 and not ended_by_us and not said.strip():
            return "exit code %d without a word" % code
        if code == 0 or (ended_by_us and os.path.getsize(out)):
            try:
                with open(out) as file:
                    for document in file.readlines() if "-I" in self.command else [file.read()]:
                        json.loads(document)
            except ValueError as error:
                return "no JSON: %s" % error
        return None

    def read_recording(self):
        data = os.path.join(self.folder, "data")
        if not os.path.exists(data):
            return None
        try:
            done = subprocess.run(
                [WPERF, "report", "--json", "-f", "-i", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60 + PATIENCE
            )
        except subprocess.TimeoutExpired:
            return "report does not end"
        said = done.stderr.decode(errors="replace")
        if done.returncode < 0 or "Sanitizer" in said or "runtime error" in said:
            return "report: %d: %s" % (done.returncode, said[:4000])
        if done.returncode and not said.strip():
            return "report: exit code %d without a word" % done.returncode
        if done.returncode == 0:
            json.loads(done.stdout)
        return None


def main():
    seed, seconds = sys.argv[1], float(sys.argv[2])
    before = {path: read(path) for path in (PARANOID, UNPRIVILEGED)}
    end, number, failures = time.monotonic() + seconds, int((sys.argv[3:] or [0])[0]), 0
    while time.monotonic() < end:
        number += 1
        one = Round(seed, number)
        try:
            wrong = one.run()
        finally:
            for path, value in before.items():
                if read(path) != value:
                    write(path, value)
        if wrong:
            failures += 1
            print("  round %d of seed %s: %s\n    %s\n    of: %s\n    %s"
                % (number, seed, wrong, " ".join(one.command), " ".join(one.of), "; ".join(one.happened)))
            sys.stdout.flush()
    print("  seed %s: %d rounds, %d failed" % (seed, number, failures))
    sys.exit(failures > 0)


main()
