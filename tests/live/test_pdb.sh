#!/bin/bash
# PDBs against llvm-symbolizer, llvm-pdbutil and llvm-undname: of programs that clang and lld make here for x64, ARM64 and
# x86, and of those of Microsoft's compiler in the npm package node-pty (for x64 and ARM64, with link-time code generation).
. "$TOP/tests/live/lib.sh"
tool=$WORK/tools/pdb_lookup
version=
for v in 19 20 21 18 17 ""; do
	suffix=${v:+-$v}
	command -v llvm-symbolizer$suffix llvm-pdbutil$suffix llvm-readobj$suffix >/dev/null && { version=$suffix; break; }
	version=none
done
[ "$version" = none ] && skip "no llvm-symbolizer, llvm-pdbutil, llvm-readobj"
cd "$scratch" || exit 2
oracle() { # IMAGE PDB OPTIONS...
	python3 "$TOP/tests/live/pdb_oracle.py" "$tool" llvm-symbolizer$version llvm-readobj$version "$@"
}
printf '#!/bin/sh\nexec "%s" -u\n' "$tool" >undname; chmod +x undname

if command -v clang$version lld-link$version >/dev/null; then
	for target in x86_64:x64 aarch64:arm64 i686:x86; do
		for level in O0 O2; do
			name=${target#*:}-$level
			clang$version --target=${target%:*}-pc-windows-msvc -$level -g -gcodeview -ffreestanding -fno-stack-protector -fno-exceptions -fno-rtti \
				-fno-threadsafe-statics -c "$TOP/tests/workloads/windows.cc" -o $name.o &&
				lld-link$version /entry:entry /subsystem:console /nodefaultlib /debug /machine:${target#*:} /out:$name.exe /pdb:$name.pdb \
					/safeseh:no $name.o || { check "$name builds" false; continue; }
			check "$name: functions and lines" oracle $name.exe $name.pdb --count 400
			[ $level = O0 ] || check "$name: inlined calls" oracle $name.exe $name.pdb --count 400 --inlines
		done
		python3 "$TOP/tests/live/make_names.py" >names.cc
		clang$version --target=${target%:*}-pc-windows-msvc -std=c++20 -w -c names.cc -o names.o &&
			llvm-nm$version names.o | awk '{print $NF}' >names.txt
		check "${target#*:}: names" sh -c "python3 '$TOP/tests/live/undname_oracle.py' ./undname llvm-undname$version <names.txt"
	done
else
	part_skipped "programs of lld: no clang$version, lld-link$version"
fi

package=${WPERF_CACHE:-/var/cache/wperf-tests}/node-pty-1.1.0
if [ ! -d "$package" ] && command -v npm >/dev/null && mkdir -p "$package.new" 2>/dev/null; then
	(cd "$package.new" && timeout 60 npm pack --silent --fetch-retries=0 node-pty@1.1.0 >/dev/null 2>&1 && tar xzf *.tgz && rm -f -- *.tgz) &&
		mv "$package.new" "$package"
	rm -rf "$package.new"
fi
if [ -d "$package" ]; then
	for arch in x64 arm64; do
		for name in pty.node conpty.node conpty_console_list.node winpty.dll winpty-agent.exe; do
			image=$package/package/prebuilds/win32-$arch/$name
			check "$arch $name: functions and lines" oracle "$image" "${image%.*}.pdb" --count 500
			case $name in winpty*) check "$arch $name: inlined calls" oracle "$image" "${image%.*}.pdb" --count 1000 --inlines ;; esac
			llvm-pdbutil$version dump -publics "${image%.*}.pdb" | sed -n 's/.*`\(?.*\)`$/\1/p' >>publics.txt
		done
	done
	check "names" sh -c "python3 '$TOP/tests/live/undname_oracle.py' ./undname llvm-undname$version <publics.txt"
else
	part_skipped "PDBs of Microsoft's compiler: npm cannot fetch node-pty 1.1.0"
fi
finish
