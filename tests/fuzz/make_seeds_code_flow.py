#!/usr/bin/python3
"""make_seeds_code_flow FOLDER: seeds of fuzz_code_flow: the functions of tests/unit/test_code_flow.c, whose bytes stand there."""
import os
import re
import sys

folder = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "../unit/test_code_flow.c"), encoding="ascii") as file:
    text = file.read()
for name, literal in re.findall(r'static const char code_(\w+)\[\] =\s*((?:"[^"]*"\s*)+);', text):
    code = bytes(int(byte, 16) for byte in re.findall(r"\\x([0-9a-f]{2})", literal))
    size = re.search(r'FLOW\("(\w+)", code_%s, (\w+),' % name, text)
    function = int(size[2], 0) or len(code)
    share = next(i for i in range(128) if len(code) * (1 + i) // 128 >= function)
    with open(os.path.join(folder, name), "wb") as out:
        out.write(bytes([share << 1 | (size[1] == "aarch64")]) + code)
