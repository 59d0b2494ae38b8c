#!/bin/bash
# Names of a recording whose programs are stripped, moved or gone: from /usr/lib/debug's layout below --symfs, perf's cache, a debuginfod server.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
for tool in objcopy readelf; do
	command -v $tool >/dev/null || skip "no $tool"
done
unset DEBUGINFOD_URLS
export HOME=$scratch/home DEBUGINFOD_CACHE_PATH=$scratch/fetched
mkdir -p "$HOME" "$scratch/bin" "$scratch/served"

cp "$WORKLOADS/calls" "$scratch/served/calls"
objcopy --strip-all "$scratch/served/calls" "$scratch/bin/calls"
objcopy --only-keep-debug "$scratch/served/calls" "$scratch/calls.debug"
id=$(readelf -n "$scratch/bin/calls" | sed -n 's/.*Build ID: //p')
[ -n "$id" ] || skip "this compiler makes no build-ids"
"$WPERF" record -e cpu-clock -F 1000 --data "$scratch/x.data" -- "$scratch/bin/calls" shares 0.5 >/dev/null 2>&1

named() { # OPTIONS...: the report names the function that is only in the debug file
	"$WPERF" report -i "$scratch/x.data" "$@" >"$scratch/text" 2>"$scratch/notes"
	grep -q ' leaf ' "$scratch/text"
}

unnamed() {
	! named "$@"
}

place() { # FILE WHERE: build-id folder below WHERE, as NAME
	mkdir -p "$(dirname "$2/.build-id/${id:0:2}/$3")"
	cp "$1" "$2/.build-id/${id:0:2}/$3"
}

check "stripped: no names" unnamed
place "$scratch/calls.debug" "$HOME/.debug" "${id:2}/debug"
check "perf's cache has the debug file" named
mv "$scratch/bin" "$scratch/moved"
check "the program gone, its debug file in perf's cache" named
rm -r "$HOME/.debug"
place "$scratch/served/calls" "$HOME/.debug" "${id:2}/elf"
check "the program itself there" named
rm -r "$HOME/.debug"
check "gone for good: no names" unnamed
check "  and a line that says so" grep -q "no symbols of .*/bin/calls: the file is gone" "$scratch/notes"

root=$scratch/root
mkdir -p "$root$scratch" && cp -r "$scratch/moved" "$root$scratch/bin"
check "--symfs without the debug file: no names" unnamed --symfs "$root"
place "$scratch/calls.debug" "$root/usr/lib/debug" "${id:2}.debug"
check "--symfs with it" named --symfs "$root"
cp "$(type -P true)" "$root$scratch/bin/calls" && rm -r "$root/usr"
check "another program of the same name there is not believed" unnamed --symfs "$root"

# Of another machine and architecture: symbols by build-id, stacks from the copies.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	cat >"$scratch/board.c" <<-'C'
	__attribute__((noinline)) long inner(long x) { return x * 3; }
	__attribute__((noinline)) long outer(long x) { return inner(x) + 1; }
	int main(int n, char **v) { return (int)(outer(n) + v[0][0]); }
	C
	aarch64-linux-gnu-gcc -O1 -g -Wl,--build-id -nostartfiles -Wl,-emain -o "$scratch/board" "$scratch/board.c" 2>/dev/null
	id=$(readelf -n "$scratch/board" | sed -n 's/.*Build ID: //p')
	python3 "$TOP/tests/live/arm64_recording.py" "$scratch/board" "$scratch/board.data"
	place "$scratch/board" "$HOME/.debug" "${id:2}/elf"
	"$WPERF" report -g -i "$scratch/board.data" >"$scratch/text" 2>"$scratch/notes"
	check "an arm64 recording has names" grep -Eq "100.00 +10  inner" "$scratch/text"
	check "and stacks" test "$(grep -cE "^ +100.00 +0.00 +10? *[0-9]* +(main|outer) *$" "$scratch/text")" = 2
	check "and lines" grep -q "board.c:1" <("$WPERF" report --sort line -i "$scratch/board.data" 2>&1)
	rm -r "$HOME/.debug"
else
	part_skipped "no cross compiler for arm64"
fi

command -v debuginfod >/dev/null || { part_skipped "no debuginfod to ask"; finish; }
port=$((20000 + $$ % 10000)) # below those that the kernel gives away
(cd "$scratch" && exec debuginfod -p $port -d "$scratch/index" -F "$scratch/served" >"$scratch/server.log" 2>&1) &
server=$!
export DEBUGINFOD_URLS=http://127.0.0.1:$port
for _ in $(seq 60); do
	named && break
	rm -rf "$DEBUGINFOD_CACHE_PATH" # it remembers what was not there
	sleep 0.3
done
check "a server has the program and its names" named
check "  without a word" test ! -s "$scratch/notes"
kill $server
wait $server 2>/dev/null
rm -rf "$DEBUGINFOD_CACHE_PATH"
check "no server there: no names" unnamed
check "  one line about it" test "$(grep -c "no debug files from DEBUGINFOD_URLS" "$scratch/notes")" = 1
finish
