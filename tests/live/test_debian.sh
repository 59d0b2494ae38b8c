#!/bin/bash
# test_debian.sh SUITE: what the README tells to type, in a bare root of a Debian suite: as a user without root, as root; with the newest
# clang, and with the oldest where this system's is another (house/test_clang has that); as a user whose sudo asks for a password.
. "$TOP/tests/live/lib.sh"
suite=$1 debian=$TOP/tests/tools/debian_root
"$debian" make "$suite" >"$scratch/make.log" 2>&1 || skip "$(tail -n 1 "$scratch/make.log")"

cat >"$scratch/inside" <<'INSIDE'
say() { echo "== $*"; }
clean() { # LOG: the build has no warnings
	! grep -A 5 'warning:' "$1"
}
useradd -m reader && cp -r /src /home/reader/wperf && chown -R reader: /home/reader/wperf
as_reader() { su reader -c "cd ~/wperf && $*"; }

say "a user is told what to install"
as_reader make >/keep/told 2>&1 && exit 1
grep '^missing packages' /keep/told || exit 1
say "make demo"
make demo >/keep/demo 2>&1 && clean /keep/demo || { tail -n 30 /keep/demo; exit 1; }
grep '^python:' /keep/demo || exit 1
say "make install"
make install >/keep/install 2>&1 && wperf --version && wperf stat -e task-clock -- true >/keep/stat || exit 1
if [ "$1" = bookworm ]; then # a minute and more for each compiler
	say "a user builds what root installed"
	as_reader make >/keep/user 2>&1 && clean /keep/user || { tail -n 30 /keep/user; exit 1; }
fi
if [ "$1" = sid ] || [ "$1-$2" = bookworm-other ]; then
	say "make with clang"
	git clone -q /src /clang && make -C /clang CC=clang >/keep/clang 2>&1 && clean /keep/clang && /clang/build/release/wperf record -g -- true >/keep/true ||
		{ tail -n 30 /keep/clang; exit 1; }
fi
say "sudo asks a user for a password"
apt-get install -y -qq --no-install-recommends sudo >/keep/sudo 2>&1 && apt-get remove -y -qq libiberty-dev >>/keep/sudo 2>&1 || exit 1
usermod -a -G sudo reader && echo reader:secret | chpasswd && mkfifo /keep/keys || exit 1
as_reader 'script -qefc "tools/install_deps build" /dev/null' </keep/keys >/keep/asked 2>&1 &
exec 9>/keep/keys
for _ in {1..100}; do grep -q 'password for' /keep/asked && break; sleep 0.1; done
sleep 0.5 # sudo forgets what was typed before it asked
echo secret >&9
wait $! && dpkg -s libiberty-dev | grep '^Status: install ok installed' || { cat /keep/asked; exit 1; }
INSIDE
WPERF_KEEP=$scratch
export WPERF_KEEP
host=other
! grep -q "VERSION_CODENAME=$suite" /etc/os-release || host=same
check "$suite: build, demo, install" "$debian" run "$suite" bash /keep/inside "$suite" $host
# The whole suite runs where this machine's own is another one: what it prints is its own summary.
if [ "$suite" = trixie ] && [ $host = other ]; then
	check "$suite: make test" "$debian" run "$suite" make test
fi
finish
