# py_bare PROGRAM ARGUMENT...: runs a Python program without any extension module. Those of CPython 3.7 and older bring a libpython,
# which is a second interpreter in a static program: it ends with "no current thread".
import os
import sys

for folder in sys.path:
    if folder.endswith("lib-dynload"):
        for file in os.listdir(folder):
            sys.modules.setdefault(file.split(".")[0], None)
import runpy  # which would import some

del sys.argv[0]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
