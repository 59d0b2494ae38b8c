#!/bin/bash
# Packages that cpack makes of a build folder: looked into, unpacked and run. What `make install` puts there, `make uninstall` takes away.
. "$TOP/tests/live/lib.sh"
for tool in cpack dpkg-deb; do
	command -v $tool >/dev/null || skip "no $tool"
done
build=$(dirname "$WPERF")
[ -e "$build/CPackConfig.cmake" ] || skip "$build is no build folder"
pack() { # GENERATORS
	cpack --config "$build/CPackConfig.cmake" -G "$1" -B "$scratch" >"$scratch/log" 2>&1 || { tail "$scratch/log"; check "cpack" false; finish; }
}
pack "TGZ;DEB"
deb=$(echo "$scratch"/wperf_*.deb)
field() { dpkg-deb -f "$deb" "$1"; }
nothing() { [ -z "$1" ] || { echo "$1"; return 1; }; }

check "it is for this architecture" test "$(field Architecture)" = "$(dpkg --print-architecture)"
if [ "$(objdump -p "$WPERF" | grep -c 'NEEDED.*libdw')" = 1 ]; then
	for library in libdw1 libelf1 libcapstone[45] libc6; do
		check "it depends on $library" grep -qE "(^|, )$library( |,|$)" <<<"$(field Depends)"
	done
fi
check "it does not depend on libcurl" test "$(field Depends | grep -c curl)" = 0
dpkg-deb -x "$deb" "$scratch/root"
check "the program in it runs" "$scratch/root/usr/bin/wperf" --version
for page in "$TOP"/docs/man/*.1; do
	check "$(basename "$page") is in it" cmp -s "$page" <(zcat "$scratch/root/usr/share/man/man1/$(basename "$page").gz")
done
for page in "$TOP"/docs/schema/*.json; do
	check "$(basename "$page") is in it" cmp -s "$page" "$scratch/root/usr/share/wperf/schema/$(basename "$page")"
done
for file in bash-completion/completions/wperf zsh/site-functions/_wperf zsh/vendor-completions/_wperf fish/vendor_completions.d/wperf.fish; do
	check "$file is in it" test -s "$scratch/root/usr/share/$file"
done
check "no folder is empty" nothing "$(find "$scratch/root" -type d -empty)"
lost() { # links of the documentation to files that are not there
	local file
	find "$scratch/root/usr/share/doc" -name '*.md' | while read -r file; do
		grep -o '](\([^)#:]*\))' "$file" | sed 's/^](//; s/)$//' | (cd "$(dirname "$file")" && while read -r link; do
			[ -e "$link" ] || echo "$file: $link"
		done)
	done
}
check "links in its documentation lead somewhere" nothing "$(lost)"
for file in README.md SECURITY.md copyright changelog.gz changelog.Debian.gz docs/events.md docs/security.md; do
	check "$file is in it" test -s "$scratch/root/usr/share/doc/wperf/$file"
done
mkdir "$scratch/archive"
tar -xzf "$scratch"/wperf-*.tar.gz -C "$scratch/archive" --strip-components=1
check "the archive has the same program" cmp "$scratch/archive/bin/wperf" "$scratch/root/usr/bin/wperf"
if command -v lintian >/dev/null; then
	check "lintian finds nothing" nothing "$(lintian --allow-root "$deb" 2>&1 | grep '^[EW]:')"
else
	part_skipped "no lintian"
fi
if command -v rpmbuild >/dev/null; then
	pack RPM
	rpm=$(echo "$scratch"/wperf-*.rpm)
	check "the RPM is whole" rpm -K "$rpm"
	for file in /usr/bin/wperf /usr/share/man/man1/wperf.1 /usr/share/doc/wperf/copyright /usr/share/wperf/schema/wperf-stat.json \
		/usr/share/bash-completion/completions/wperf; do
		check "$file is in it" grep -qxF $file <<<"$(rpm -qpl "$rpm")"
	done
else
	part_skipped "no rpmbuild (rpm)"
fi

put() { # install|uninstall [COMMAND]
	DESTDIR=$scratch/dest ${2:-} "$TOP/tools/install_files" "$1" "$build" /opt 2>&1
}
mkdir "$scratch/dest" && chmod 755 "$scratch"
check "what was not installed is not uninstalled" grep -q "did not install to /opt" <<<"$(put uninstall)"
check "install" test -n "$(put install)" -a -x "$scratch/dest/opt/bin/wperf"
check "uninstall" test -n "$(put uninstall)" -a "$(find "$scratch/dest" -type f | wc -l)" = 0
if can_be_nobody; then
	check "no right to install is one line" test "$(put install as_nobody)" = \
		"make install: no right to write to $scratch/dest/opt; take another place (make install PREFIX=\$HOME/.local) or use sudo"
fi
finish
