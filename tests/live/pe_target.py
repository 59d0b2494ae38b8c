"""pe_target.py PDB [AGE]: runs, at most a minute, in a PE image ./evil.exe whose debug directory names that PDB."""
import ctypes, mmap, os, signal, struct as s, sys
path = sys.argv[1].encode()
directories = b"".join(s.pack("<II", 0x2000, 28) if i == 6 else bytes(8) for i in range(16))
optional = s.pack("<HBBIIIIIQIIHHHHHHIIIIHHQQQQII", 0x20b, 14, 0, 512, 1024, 0, 4096, 4096, 0x140000000, 4096, 512,
                  6, 0, 0, 0, 6, 0, 0, 0x3000, 1024, 0, 3, 0, 1 << 20, 4096, 1 << 20, 4096, 0, 16) + directories


def section(name, rva, offset, flags):
    return s.pack("<8sIIIIIIHHI", name, 512, rva, 512, offset, 0, 0, 0, 0, flags)


head = (b"MZ".ljust(60, b"\0") + s.pack("<I", 128)).ljust(128, b"\0") + b"PE\0\0"
head += s.pack("<HHIIIHH", 0x8664, 2, 0, 0, 0, 240, 0x22) + optional
head += section(b".text", 4096, 1024, 0x60000020) + section(b".rdata", 8192, 1536, 0x40000040)
record = b"RSDS" + bytes(range(16)) + s.pack("<I", int((sys.argv[2:] or [1])[0])) + path + b"\0"
data = s.pack("<IIHHIIII", 0, 0, 0, 0, 2, len(record), 0x2040, 0x640).ljust(64, b"\0") + record
open("evil.exe", "wb").write(head.ljust(1024, b"\0") + b"\xeb\xfe".ljust(512, b"\x90") + data.ljust(512, b"\0"))
memory = mmap.mmap(os.open("evil.exe", os.O_RDWR), 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
signal.alarm(60)
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)) + 1024)()
