#!/bin/bash
# Where the PDB of an image is looked for: beside it, where the linker wrote it, in folders and symbol stores, in Wine's
# drives, on a symbol server; what is of another build or not usable is never taken, and the reason is told.
. "$TOP/tests/live/lib.sh"
tool=$WORK/tools/pdb_lookup
seeds=$TOP/tests/fuzz/corpus/fuzz_pdb
guid=101112131415161718191a1b1c1d1e1f
id=131211101514171618191A1B1C1D1E1F2 # the first parts of a GUID are numbers; then the age
cd "$scratch" || exit 2
unset _NT_SYMBOL_PATH
export HOME=$scratch/home XDG_CACHE_HOME= WINEPREFIX=$scratch/wine

is() { [ "$1" = "$2" ] || { echo "  got '$1', want '$2'"; return 1; }; }
has() { case $1 in *"$2"*) ;; *) echo "  '$1' has no '$2'"; return 1 ;; esac; }
find() { # RSDS [AGE]
	timeout 60 "$tool" -f "$scratch/app/a.exe" "$1" $guid "${2:-2}" 2>find.err
}
mkdir -p app folder "store/app.pdb/$id" "shelves/ap/App.pdb/$id" wine/dosdevices/d:/build odd
touch shelves/index2.txt

check "nothing anywhere" has "$(find 'D:\build\app.pdb')" "no app.pdb with the id $id; put it beside the image"
cp "$seeds/plain" app/APP.pdb
check "beside the image, in another case" is "$(find 'D:\build\app.pdb')" "$scratch/app/APP.pdb"
check "another age" has "$(find 'D:\build\app.pdb' 3)" "APP.pdb is of another build ($id, the image wants ${id%2}3)"
cp "$seeds/fastlink" app/APP.pdb
check "fastlink" has "$(find 'D:\build\app.pdb')" "link with /DEBUG:FULL"
cp "$seeds/plain" wine/dosdevices/d:/build/app.pdb
check "the linker's path, on a drive of Wine" is "$(find 'D:\build\app.pdb')" "$scratch/wine/dosdevices/d:/build/app.pdb"
check "the linker's path, a Unix one" is "$(find "$scratch/wine/dosdevices/d:/build/app.pdb")" "$scratch/wine/dosdevices/d:/build/app.pdb"
rm -r app wine; mkdir app
cp "$seeds/plain" folder/app.pdb
check "a folder" is "$(_NT_SYMBOL_PATH="odd;$scratch/folder" find 'x:\app.pdb')" "$scratch/folder/app.pdb"
cp "$seeds/plain" "store/app.pdb/$id/app.pdb"
check "a store" is "$(_NT_SYMBOL_PATH="SRV*$scratch/odd*$scratch/store" find 'x:\app.pdb')" "$scratch/store/app.pdb/$id/app.pdb"
cp "$seeds/plain" "shelves/ap/App.pdb/$id/app.pdb"
check "a store with shelves" is "$(_NT_SYMBOL_PATH="symsrv*symsrv.dll*$scratch/shelves" find 'x:\app.pdb')" "$scratch/shelves/ap/App.pdb/$id/app.pdb"
mv "store/app.pdb/$id/app.pdb" "store/app.pdb/$id/app.pd_"
check "a compressed copy" has "$(_NT_SYMBOL_PATH="srv*$scratch/store" find 'x:\app.pdb')" "app.pd_ is compressed; unpack it with cabextract"
for name in 'x:\..' '/etc/..' 'a*b' ''; do
	check "a name that is none: '$name'" is "$(_NT_SYMBOL_PATH="srv*$scratch/store" find "$name")" "the image names no PDB"
done

mv "store/app.pdb/$id/app.pd_" "store/app.pdb/$id/app.pdb"
mkdir -p "store/my app.pdb/$id" "store/wrong.pdb/$id"
cp "$seeds/plain" "store/my app.pdb/$id/my app.pdb"
echo "<html>sign in</html>" >"store/wrong.pdb/$id/wrong.pdb"
python3 -u -m http.server -b 127.0.0.1 -d store 0 >server.out 2>server.log &
server=$!
for _ in $(seq 100); do grep -q port server.out && break; sleep 0.1; done
url=http://127.0.0.1:$(sed -n 's/.*port \([0-9]*\).*/\1/p' server.out)
got=$(_NT_SYMBOL_PATH="srv*$scratch/cache*$url" find 'x:\app.pdb')
case $got in
*"libcurl.so.4 is not here"*) part_skipped "symbol servers: $got" ;;
*)
	check "from a server into the cache" is "$got" "$scratch/cache/app.pdb/$id/app.pdb"
	check "the whole file, and nothing else" is "$(cmp "$seeds/plain" "cache/app.pdb/$id/app.pdb" && ls "cache/app.pdb/$id")" app.pdb
	check "a blank in its name" is "$(_NT_SYMBOL_PATH="cache*$scratch/c2;$url/" find 'x:\my app.pdb')" "$scratch/c2/my app.pdb/$id/my app.pdb"
	check "the usual cache" is "$(_NT_SYMBOL_PATH="srv*$url" find 'x:\app.pdb')" "$HOME/.cache/wperf/symbols/app.pdb/$id/app.pdb"
	check "what the server does not have" has "$(_NT_SYMBOL_PATH="srv*$scratch/cache*$url" find 'x:\none.pdb')" "no none.pdb with the id"
	check "what is no PDB" has "$(_NT_SYMBOL_PATH="srv*$scratch/cache*$url" find 'x:\wrong.pdb')" "not a PDB file"
	check "leaves nothing behind" is "$(ls -A "cache/wrong.pdb/$id")" ""
	# An image with that id, whose record begins with RSDS, GUID and age.
	python3 - "$TOP/tests/fuzz/corpus/fuzz_pe/x64" small.dll $guid <<-'PY'
	import sys
	image = bytearray(open(sys.argv[1], "rb").read())
	at = image.index(b"RSDS") + 4
	image[at:at + 20] = bytes.fromhex(sys.argv[3]) + bytes([2, 0, 0, 0])
	open(sys.argv[2], "wb").write(image)
	PY
	mkdir -p "store/small.pdb/$id" && cp "$seeds/plain" "store/small.pdb/$id/small.pdb"
	_NT_SYMBOL_PATH="srv*$scratch/cache*$url" timeout 60 "$WORK/tools/resolve_addr" -f small.dll 180001000 >resolved 2>resolve.log
	check "what is fetched is announced" grep -qF "fetching symbols: $url/small.pdb/$id/small.pdb" resolve.log
	if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
		without=$(_NT_SYMBOL_PATH="srv*$scratch/c3*$url" unshare -m bash -c 'for library in $(ldconfig -p | sed -n "s/.*=> \(.*libcurl.*\)/\1/p"); do
			mount --bind /dev/null "$library"; done; exec "$@"' - "$tool" -f "$scratch/app/a.exe" 'x:\app.pdb' $guid 2)
		check "no libcurl is one line" has "$without" "$url: libcurl.so.4 is not here; install libcurl4"
	else
		part_skipped "no libcurl: not root, or no mount namespaces"
	fi
	kill $server; wait $server 2>/dev/null
	check "from the cache without the server" is "$(_NT_SYMBOL_PATH="srv*$scratch/cache*$url" find 'x:\app.pdb')" "$scratch/cache/app.pdb/$id/app.pdb"
	check "no server" has "$(_NT_SYMBOL_PATH="srv*$scratch/cache*$url" find 'x:\new.pdb')" "$url/new.pdb/$id/new.pdb: "
	;;
esac
finish
