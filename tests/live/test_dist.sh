#!/bin/bash
# What `make dist` made: files that need what they may, run in bare roots and in an empty one; packages and wheels that are whole.
. "$TOP/tests/live/lib.sh"
dist=$TOP/build/dist
[ -e "$dist/SHA256SUMS" ] || skip "make dist was not run"
chmod 755 "$scratch"
cd "$scratch" || exit 2
cache=${WPERF_CACHE:-/var/cache/wperf-tests}
here=$(uname -m)

needed() { readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'; }
only_libc() { # FILE
	! needed "$1" | grep -vE '^(lib(c|m|dl|pthread)\.so\.|ld-linux)'
}
old_enough() { # FILE
	local newest
	newest=$(readelf -W --dyn-syms "$1" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
	[ "$newest" ] && [ "${newest#GLIBC_2.}" -le 28 ] || { echo "  it asks for $newest"; return 1; }
}
says_version() { # COMMAND...
	"$@" --version | grep -q 'wperf  *[0-9]'
}
emulated() { # FILE ARCH: as it is here, or by qemu
	if [ "$2" = "$here" ]; then
		says_version "$1"
	elif command -v "qemu-$2-static" >/dev/null; then
		says_version "qemu-$2-static" -L "$TOP/build/sysroot/$2/shared" "$1"
	else
		echo "  not run: no qemu-$2-static (qemu-user-static)"
	fi
}
nothing() { [ -z "$1" ] || { echo "$1"; return 1; }; }

check "the sums are right" sh -c "cd '$dist' && sha256sum --quiet -c SHA256SUMS"
for file in "$dist"/wperf-*-linux-*; do
	case $file in *.tar.gz) continue ;; esac
	name=$(basename "$file") arch=${file##*-linux-}
	case $file in
	*-static)
		arch=${arch%-static}
		check "$name needs nothing" nothing "$(needed "$file")"
		;;
	*)
		check "$name needs a C library only" only_libc "$file"
		check "$name: glibc 2.28 will do" old_enough "$file"
		;;
	esac
	check "$name is for $arch" grep -qi "Machine:.*${arch/_/.}" <<<"$(readelf -h "$file")"
	check "$name runs" emulated "$file" "$arch"
	check "$name.tar.gz has it" cmp "$file" <(tar -xzOf "$file.tar.gz" --wildcards '*/bin/wperf')
	for licence in libdw libcapstone LGPL-3 sources; do
		check "$name.tar.gz has the licence $licence" test -n "$(tar -xzOf "$file.tar.gz" --wildcards "*/licenses/$licence")"
	done
done

in_root() { # ROOT FILE COMMAND...: a copy-on-write copy of a root, in a mount namespace of its own
	unshare -m --propagation slave bash -c 'mount -t tmpfs none "$0/over" && mkdir "$0"/over/{up,work,root} &&
		mount -t overlay none -o "lowerdir=$1,upperdir=$0/over/up,workdir=$0/over/work" "$0/over/root" && cd "$0/over/root" &&
		mkdir -p proc sys dev tmp && mount -t proc none proc && mount -t sysfs none sys && mount --rbind /dev dev &&
		cp "$2" wperf && exec chroot . "${@:3}"' "$scratch" "$@"
}
counts() { # ROOT FILE
	in_root "$1" "$2" /wperf stat -e task-clock -- /wperf list 2>&1 | grep -q 'task-clock  *0x01'
}
samples() {
	in_root "$1" "$2" /wperf record -e cpu-clock -g -F 2000 -- /wperf list -v 2>&1 | grep -q '^stacks ('
}
mkdir over empty
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	program=$(echo "$dist"/wperf-*-linux-"$here") static=$(echo "$dist"/wperf-*-linux-"$here-static")
	for root in "$cache"/root-*/; do # their logs have such names, too
		root=${root%/}
		[ -x "$root/bin/true" ] || { part_skipped "no bare root in $cache (debootstrap --variant=minbase SUITE $cache/root-SUITE)"; break; }
		check "${root##*/}: version" says_version in_root "$root" "$program" /wperf
		check "${root##*/}: list, test" test -n "$(in_root "$root" "$program" /wperf list)" -a -n "$(in_root "$root" "$program" /wperf test)"
		check "${root##*/}: counts" counts "$root" "$program"
		check "${root##*/}: samples" samples "$root" "$program"
	done
	check "an empty root: version" says_version in_root "$scratch/empty" "$static" /wperf
	check "an empty root: counts" counts "$scratch/empty" "$static"
	check "an empty root: samples" samples "$scratch/empty" "$static"
	# Exactly the capabilities of tools/dist/Containerfile: 38 PERFMON, 39 BPF, 19 SYS_PTRACE.
	setpriv --reuid=65534 --regid=65534 --clear-groups sleep 100 & # no function: $! is another user's process
	other=$!
	cat >contained.py <<-'PY'
	import ctypes, os, sys
	os.chroot(sys.argv[1])
	for capability in set(range(41)) - {38, 39, 19}:
	    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
	os.execv("/wperf", ["wperf"] + sys.argv[2:])
	PY
	mkdir empty/proc empty/sys && cp "$static" empty/wperf
	check "a container's capabilities" grep -q 'task-clock' <<<"$(unshare -m -u -i -n sh -c 'mount -t proc none empty/proc && mount -t sysfs -o ro none empty/sys &&
		exec python3 contained.py empty stat -e task-clock -p "$0" --timeout 0.2' $other 2>&1)"
else
	part_skipped "bare roots: not root, or no mount namespaces"
fi

for deb in "$dist"/*.deb; do
	check "$(basename "$deb") depends on a C library only" grep -qxE 'libc6 \(>= 2\.[0-9]+\)' <<<"$(dpkg-deb -f "$deb" Depends)"
	! command -v lintian >/dev/null || check "lintian finds nothing" nothing "$(lintian --allow-root "$deb" 2>&1 | grep '^[EW]:')"
done
for rpm in "$dist"/*.rpm; do
	command -v rpm >/dev/null || { part_skipped "no rpm"; break; }
	check "$(basename "$rpm") is whole" rpm -K "$rpm"
	check "$(basename "$rpm") has the program" grep -qx /usr/bin/wperf <<<"$(rpm -qpl "$rpm")"
done
if python3 -m venv env >venv.log 2>&1; then
	check "pip installs the wheel" env/bin/pip install --quiet --no-index "$(echo "$dist"/wperf-*manylinux*_"$here".whl)"
	check "and wperf is there" says_version env/bin/wperf
	for file in man/man1/wperf.1 bash-completion/completions/wperf zsh/site-functions/_wperf fish/vendor_completions.d/wperf.fish wperf/schema/wperf-stat.json; do
		check "... with $file" test -s "env/share/$file"
	done
	check "and goes again" env/bin/pip uninstall --quiet --yes wperf
	for wheel in "$dist"/*.whl; do
		platform=${wheel##*-} && platform=${platform%.whl}
		check "$(basename "$wheel") is pip's for $platform" env/bin/pip install --quiet --no-index --target "on-$platform" \
			--platform "$platform" --only-binary=:all: "$wheel"
	done
else
	part_skipped "wheels: $(tail -n 1 venv.log)"
fi
finish
