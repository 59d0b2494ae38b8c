#!/usr/bin/env python3
"""wheel.py ARCHIVE PLATFORM OUT: a Python wheel, for pip, of the program in an archive that cpack made.

pip puts the program into the folder of its environment's programs. Nothing in it is Python, so it suits
any version: the tag is py3-none-PLATFORM. Archives are packed the same each time (SOURCE_DATE_EPOCH or 1980).
"""

import base64
import hashlib
import os
import sys
import tarfile
import time
import zipfile

METADATA = """Metadata-Version: 2.1
Name: wperf
Version: {version}
Summary: CPU profiler for native code and Python
License: BSD-3-Clause; see the licenses folder for the libraries that are linked statically
Requires-Python: >=3.6
Description-Content-Type: text/markdown

{readme}"""
# Where shells and man look beside the folder of programs.
SHARED = ("share/man/", "share/bash-completion/", "share/zsh/site-functions/", "share/fish/", "share/wperf/")
WHEEL = "Wheel-Version: 1.0\nGenerator: wperf wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n"


def contents(archive):
    """Name in the archive, without its first folder and its prefix, and bytes, of each file."""
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile():
                yield member.name.split("/", 1)[1], tar.extractfile(member).read()


def files_of(archive, version, tag):
    files = {}
    info = f"wperf-{version}.dist-info/"
    for name, data in contents(archive):
        doc, _, below = name.partition("share/doc/wperf/")
        if name == "bin/wperf":
            files[f"wperf-{version}.data/scripts/wperf"] = data
        elif name.startswith(SHARED):
            files[f"wperf-{version}.data/data/{name}"] = data
        elif below == "copyright" or below.startswith("licenses/"):
            files[info + "licenses/" + below.replace("licenses/", "")] = data
        elif below == "README.md":
            readme = data.decode()
    files[info + "METADATA"] = METADATA.format(version=version, readme=readme).encode()
    files[info + "WHEEL"] = WHEEL.format(tag=tag).encode()
    return files, info


def record(files, name):
    def digest(data):
        return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()

    lines = [f"{path},sha256={digest(data)},{len(data)}\n" for path, data in files.items()]
    return "".join(lines + [f"{name},,\n"]).encode()


def write(path, files):
    moment = max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800)  # zip begins with 1980
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, time.gmtime(moment)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            wheel.writestr(entry, data)


def main():
    archive, platform, out = sys.argv[1:]
    version = os.path.basename(archive).split("-")[1]
    tag = f"py3-none-{platform}"
    files, info = files_of(archive, version, tag)
    files[info + "RECORD"] = record(files, info + "RECORD")
    write(os.path.join(out, f"wperf-{version}-{tag}.whl"), files)


main()
