#!/bin/bash
# Symbol servers: one that never answers does not keep wperf from ending with all that it has; root keeps what they send
# only where nobody else could change it, whatever HOME says, and needs no right to pass over permissions for it.
. "$TOP/tests/live/lib.sh"
can_sample || skip "this user may not sample"
[ "$(uname -m)" = x86_64 ] || skip "the Windows program is one for x64"
cd "$scratch" || exit 1
chmod 755 .
unset DEBUGINFOD_URLS _NT_SYMBOL_PATH
export XDG_CACHE_HOME= HOME=$scratch/home
mkdir home

# Takes connections, and says nothing.
cat >silent.py <<'PY'
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
kept = []
while True:
    kept.append(server.accept())
    print("asked", flush=True)
PY
python3 silent.py >>silent.out &
silent=$!
wait_until test -s silent.out
url=http://127.0.0.1:$(head -n 1 silent.out)
asked() { [ "$(grep -c asked silent.out)" -gt "$before" ]; }

ends_at() { # SIGNAL COMMAND...: within a second of it, once the server was asked
	local signal=$1 wperf begin took
	shift
	before=$(grep -c asked silent.out)
	"$@" >out 2>err &
	wperf=$!
	wait_until asked || return 1
	begin=$(date +%s%N)
	kill -"$signal" $wperf
	wait $wperf
	took=$((($(date +%s%N) - begin) / 1000000))
	[ $took -lt $((1000 * ${WPERF_SLOW:-1})) ] || { echo "  $took ms after SIG$signal"; return 1; }
}

python3 "$TOP/tests/live/pe_target.py" 'C:\build\app.pdb' &
program=$!
wait_until is_mapped $program /evil.exe
export _NT_SYMBOL_PATH="srv*$url"
for signal in INT TERM; do
	check "a silent server of PDBs: SIG$signal ends it" ends_at $signal "$WPERF" sample -e cpu-clock -F 500 -p $program --json
	check "  and all is told" [ "$(total out)" -gt 0 ]
	check "  nothing of the download is left" [ -z "$(find "$HOME" -type f)" ]
done

# A recording of a program that has no symbols any more.
cp "$WORKLOADS/calls" calls
"$WPERF" record -e cpu-clock -F 500 --data gone.data -- ./calls shares 3 >/dev/null 2>&1
rm calls
export DEBUGINFOD_URLS=$url DEBUGINFOD_CACHE_PATH=$scratch/debuginfod
if ! ldconfig -p | grep -q libdebuginfod; then
	part_skipped "no libdebuginfod"
else
	for signal in INT TERM; do
		rm -rf "$DEBUGINFOD_CACHE_PATH" # it remembers what was not there
		check "a silent debuginfod: SIG$signal ends it" ends_at $signal "$WPERF" report -i gone.data --json
	done
fi
unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
kill $silent
wait $silent 2>/dev/null

# ---- whose folder ----
if ! can_be_nobody || ! unshare -m true 2>/dev/null; then
	part_skipped "whose folder: not root, or no mount namespaces"
	kill $program
	finish
fi
kill $program
wait $program 2>/dev/null
python3 "$TOP/tests/live/pe_target.py" 'C:\build\app.pdb' 2 &
program=$!
wait_until is_mapped $program /evil.exe
id=030201000504070608090A0B0C0D0E0F2
mkdir -p store/app.pdb/$id
python3 - "$TOP/tests/fuzz/corpus/fuzz_pdb/plain" store/app.pdb/$id/app.pdb <<'PY'
import sys
pdb = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(pdb.replace(bytes(range(16, 32)), bytes(range(16))))
PY
python3 -u -m http.server -b 127.0.0.1 -d store 0 >server.out 2>server.log &
server=$!
wait_until grep -q port server.out
url=http://127.0.0.1:$(sed -n 's/.*port \([0-9]*\).*/\1/p' server.out)

# sampled LOOK: with an empty /var/cache, as root; LOOK runs there afterwards
sampled() {
	unshare -m sh -c 'mount -t tmpfs none /var/cache && "$0" sample -e cpu-clock -F 500 -p "$1" --timeout 0.5 >out 2>err; eval "$2"' "$WPERF" $program "$1"
}
roots=/var/cache/wperf/symbols/app.pdb/$id/app.pdb
said() { [ "$(grep -c "downloads go to /var/cache/wperf/symbols: root keeps none in $1" err)" = 1 ]; }

export _NT_SYMBOL_PATH="srv*$url"
chmod 755 home
check "root's own HOME has the file" sampled "[ -s home/.cache/wperf/symbols/app.pdb/$id/app.pdb ]"
check "  without a word" eval '! grep -q "downloads go" err'
# HOME as sudo keeps it; what its owner put there is not believed.
mkdir -p theirs/.cache/wperf/symbols/app.pdb/$id
cp store/app.pdb/$id/app.pdb theirs/.cache/wperf/symbols/app.pdb/$id/
chown -R 65534:65534 theirs
touch before
HOME=$scratch/theirs check "another user's HOME: root's cache has it" sampled "[ -s $roots ] && [ \$(stat -c %u:%a /var/cache/wperf) = 0:755 ]"
check "  which is said once" said "$scratch/theirs/.cache/wperf/symbols"
check "  and nothing is written there" [ -z "$(find theirs -newer before)" ]
XDG_CACHE_HOME=$scratch/theirs/.cache check "another user's XDG_CACHE_HOME is none" sampled "[ -s $roots ]"
if ldconfig -p | grep -q libdebuginfod; then
	unshare -m env HOME="$scratch/theirs" DEBUGINFOD_URLS="$url" sh -c 'mount -t tmpfs none /var/cache && "$0" report -i gone.data >out 2>err; ls /var/cache/wperf/debuginfod | grep -q .' "$WPERF"
	check "debuginfod keeps nothing in another user's HOME, either" eval '[ $? = 0 ] && [ ! -e theirs/.cache/debuginfod_client ] && grep -q "downloads go to /var/cache/wperf/debuginfod" err'
fi
# A link that leads out of a folder of theirs, and one of root's that leads into it.
mkdir open && chmod 777 open
ln -s "$scratch/victim" open/cache
mkdir victim
_NT_SYMBOL_PATH="srv*$scratch/open/new*$url" check "a folder that everybody may change is no cache" sampled "[ -s $roots ] && [ ! -e open/new ]"
ln -s theirs link
_NT_SYMBOL_PATH="cache*$scratch/link;$url" check "a link into another user's folder is none" sampled "[ -s $roots ] && [ ! -e theirs/app.pdb ]"
chmod 1777 open
_NT_SYMBOL_PATH="srv*$scratch/open/mine*$url" check "a folder with a sticky bit may be" sampled "[ -s open/mine/app.pdb/$id/app.pdb ]"
chown 65534 open/mine
rm -r open/mine/app.pdb
_NT_SYMBOL_PATH="srv*$scratch/open/mine*$url" check "  unless somebody was there first" sampled "[ -s $roots ] && [ ! -e open/mine/app.pdb ]"

# Without root a user's word counts.
HOME=$scratch/theirs XDG_CACHE_HOME= as_nobody "$WORK/tools/pdb_lookup" -f "$scratch/a.exe" 'C:\build\app.pdb' 000102030405060708090a0b0c0d0e0f 2 >out 2>err
check "another user has the cache at home" grep -qx "$scratch/theirs/.cache/wperf/symbols/app.pdb/$id/app.pdb" out

# The rights to pass over permissions are gone while it samples.
rights() { (( (0x$(awk '/^CapEff/ { print $2 }' "/proc/$1/status") & 0xa) == 0 )); }
"$WPERF" sample -e cpu-clock -p $program --timeout 3 >out 2>err &
wperf=$!
check "a symbol server needs no right to write anywhere" wait_until rights $wperf
check "  while it samples" eval '! is_gone $wperf'
kill -INT $wperf
wait $wperf
kill $server $program
finish
