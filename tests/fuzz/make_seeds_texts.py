#!/usr/bin/env python3
"""Writes the seeds of fuzz_demangle, fuzz_proc_status, fuzz_proc_task, fuzz_windows_teb, fuzz_python_source, fuzz_unwind_cache,
fuzz_ld_cache, fuzz_elf_usdt, fuzz_usdt_operand and fuzz_bpf_hit:
make_seeds_texts.py FOLDER (tests/fuzz/corpus).
"""
import os
import struct
import sys

BASE, PAGE = 0x7ffd0000, 4096

NAMES = {
    "plain": "main",
    "nested": "_ZN2ns5OuterINS_5InnerIiEEE6methodERKSt6vectorIS2_SaIS2_EE",
    "operator": "_ZNKSt8__detail9_HashtablemlIiEEvT_",
    "constructor": "_ZN3FooC2ERKS_",
    "lambda": "_ZZ4mainENKUlT_E_clIiEEDaS_",
    "clone": "_ZN1a1bEv.part.0.cold",
    "version": "_ZNSt6thread4joinEv@@GLIBCXX_3.4.11",
    "plt": "_ZdlPv@plt",
    "guard": "_ZGVZN1a1bEvE1c",
    "pack": "_Z1fIJidcEEvDpT_",
    "substitutions": "_Z1f" + "N1aIS_E" * 30 + "E" * 30,
    "pointers": "_Z1f" + "P" * 3000 + "i",
    "doubling": "_Z1fSt1aIS_S_ES0_" + "".join("St1aIS%X_S%X_E" % (i, i) for i in range(10)),
    "rust": "_RNvNtCs1234_7mycrate3foo3bar",
    "rust_generic": "_RINvNtC3std3mem8align_ofNtNtC3foo3bar3BazE",
    "rust_back": "_RNvXs_C7mycrateNtB4_3FooNtNtC3std3fmt7Display3fmt",
    "rust_old": "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE",
    "rust_empty": "_RINrNtC03std3ofo3b_ofNE",
    "rust_const": "_RINvC3foo3barKj1f_Kc41_Kb1_E",
    "microsoft": "?f@@YAHH@Z",
    "cut": "_ZN",
    "block": "___Z3foov_block_invoke",
    "decltype": "_Z1fIiEDTplfp_fp_ET_",
    "local": "_ZZN1a1bEvE1c_0",
    "fixed": "_Z1fDF16_DF32_DBi_",
    "requires": "_ZN1a1bIiQ1cIiEEEvT_",
}

TASKS = {
    "running": "running\n",
    "waits": "230 0x1 0x0 0x7fff396d91f0 0x0 0x0 0x0 0x7fff396d9198 0x7fab924ed545\n",
    "stands": "-1 0x7fff396d9198 0x7fab924ed545\n",
    "turns": "12345678 4321 99\n",
    "not_counted": "0 0 0\n",
    "short": "0 0x1 0x2 0x3",
    "long": "18446744073709551616 0x11111111111111111111111111111",
}

STATUS = """Name:\tpython3
State:\tS (sleeping)
Tgid:\t77
Uid:\t1000\t0\t1000\t1000
Gid:\t1000\t1000\t1000\t1000
Groups:\t4 24 27 1000\x20
NStgid:\t77\t5
NSpid:\t77\t5
"""
STATS = {
    "status": STATUS,
    "status_old": STATUS.split("NStgid")[0],
    "status_odd": "\nUid:\t1\t99999999999\t-1\t1\nGid:\t1 1 1 1\nGroups:\t" + "7 " * 70 + "\nNSpid:\t\t\n",
    "status_end": STATUS + "\nNSpid:\t4294967296",
    "stat": "77 (a) S) R 1 77 77 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 123456 8192 2 18446744073709551615 1 1 0\n",
    "stat_lines": "77 (a\nb) S 1 77 77 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 18446744073709551616\n",
    "stat_short": "77 (a) Z",
    "owners": "1000:1000:4,24,27 0:0: 65534:65534:65534",
}


def teb(at, base=0x110000, limit=0x100000, peb=BASE, process=32):
    return struct.pack("<13Q", 0, base, limit, 0, 0, 0, at, 0, process, 36, 0, 0, peb).ljust(PAGE, b"\0")


MAPS = """00010000-00020000 r--p 00000000 00:00 0
7ffd0000-7ffd3000 rw-p 00000000 00:00 0                                  [anon]
7ffe0000-7ffe1000 r--s 00000000 00:01 5                                  /dev/shm/x
80000000-80001000 rw-p 00000000 00:00 0
"""
TEBS = {
    "found": MAPS + "\0", "none": MAPS + "\0", "no_end": MAPS.rstrip(), "backwards": "7ffd3000-7ffd0000 rw-p \n0-1 rw-p\n\0",
    "large": "7fe00000-7fffffff rw-p \n\0",
}
MEMORY = {"found": bytes(PAGE) + teb(BASE + PAGE) + teb(BASE), "none": teb(BASE, peb=1) + teb(BASE + PAGE, process=0)}

SOURCES = {
    "ordinary": b"import os\n\n\nclass A:\n\tdef f(self):\t# tab\r\n\t    return 1  \n",
    "no_newline": b"x = 1",
    "bytes": b"\xef\xbb\xbfs = '\xff\xfe'\n\0\n\x1b[31m\n\xe2\x80\xae\n\x9b1m",
    "blank": b" \t\f\n\r\n\r\r\n   ",
    "long": b"    " + b"y" * 3000 + b"\n" + b"\t" * 2000 + b"z",
}


def rows(*pcs, base=0x400000, magic=0x57554657, version=7, n=None):
    body = b"".join(struct.pack("<IBBhhh", pc, 2, 1, 8, -1, 0) for pc in pcs)
    return struct.pack("<IIQQQQ", magic, version, 5, base, len(pcs) if n is None else n, 0) + body


CACHES = {
    "sound": b"\1" + rows(0, 16, 32, 64),
    "empty": b"\1" + rows(),
    "wrong_digest": b"\0" + rows(0, 16),
    "not_sorted": b"\1" + rows(16, 16, 0),
    "too_many": b"\1" + rows(0, n=1 << 60),
    "version": b"\1" + rows(0, version=1),
    "short": b"\1" + rows(0, 16)[:-1],
    "header": b"\1" + rows()[:20],
}

def note(owner, texts, location=0x2000, size=None):
    body = struct.pack("<QQQ", location, 0x1000, 0x3002) + texts
    head = struct.pack("<III", len(owner), len(body) if size is None else size, 3)
    return head + owner + body + bytes(-len(body) % 4)


NOTE = note(b"stapsdt\0", b"python\0gc__start\0-4@%edi\0")
NOTES = {
    "two": NOTE + note(b"stapsdt\0", b"p\0q\0\0"),
    "others": note(b"GNU\0", b"x") + NOTE,
    "cut": NOTE[:-8],
    "no_end": note(b"stapsdt\0", b"python\0gc"),
    "too_long": note(b"stapsdt\0", b"p\0q\0\0", size=0xfffffff0),
}


def ld_cache(n=2, key=48 + 2 * 24):
    head = b"glibc-ld.so.cache1.1" + struct.pack("<II", n, 42) + bytes(20)
    entries = struct.pack("<IIIIQ", 1, key, key + 10, 0, 0) + struct.pack("<IIIIQ", 0x303, key, key + 27, 0, 0)
    return head + entries + b"liba.so.1\0/other/liba.so.1\0/lib/liba.so.1\0"


LD_CACHES = {
    "sound": ld_cache(),
    "behind": b"ld.so-1.7.0\0" + struct.pack("<I", 1) + bytes(12 + 4) + ld_cache(),
    "too_many": ld_cache(n=0xffffffff),
    "outside": ld_cache(key=0xffff0000),
    "cut": ld_cache()[:80],
    "old_alone": b"ld.so-1.7.0\0" + struct.pack("<I", 0xffffffff),
}

OPERANDS = {
    "x86_64": b"\0" b"8@%rdi -4@-20(%rbp) 8@$5 -1@%ah 8@(%rax,%rcx,8) 4@sym+8(%rip) 8f@%xmm0",
    "arm64": b"\1" b"8@x0 -4@w12 8@[sp, 8] 4@[x29,#-20] -4@7 8@xzr 8@[x1, x2, lsl 3]",
}


def hit(texts=b"/etc/passwd\0r\0", lengths=(12, 2)):
    raw = struct.pack("<IIQII16Q", 0, 0, 0x401000, 3, 0, 5, *lengths, *(0,) * 13) + texts
    body = struct.pack("<QQIIQIIQI", 9, 0x401000, 7, 7, 1, 0, 0, 1, len(raw)) + raw
    return struct.pack("<IHH", 9, 2, 8 + len(body)) + body


HITS = {"sound": hit(), "short": hit(b"", (0, 0)), "outside": hit(b"a\0", (2, 9)), "cut": hit()[:90]}

seeds = {("demangle", name): text.encode() for name, text in NAMES.items()}
seeds |= {("proc_status", name): text.encode() for name, text in STATS.items()}
seeds |= {("proc_task", name): text.encode() for name, text in TASKS.items()}
seeds |= {("windows_teb", name): text.encode() + MEMORY.get(name, b"") for name, text in TEBS.items()}
seeds |= {("python_source", name): data for name, data in SOURCES.items()}
seeds |= {("elf_usdt", name): data for name, data in NOTES.items()}
seeds |= {("usdt_operand", name): data for name, data in OPERANDS.items()}
seeds |= {("bpf_hit", name): data for name, data in HITS.items()}
seeds |= {("ld_cache", name): data for name, data in LD_CACHES.items()}
seeds |= {("unwind_cache", name): data for name, data in CACHES.items()}
for (harness, name), data in seeds.items():
    path = os.path.join(sys.argv[1], "fuzz_" + harness, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
