#!/bin/bash
# Tracepoints where tracefs is mounted nowhere, elsewhere, closed to the user, or may not be mounted: found, or refused with a remedy
# that is one. Each case has mounts of its own; the mode of tracefs is one for all of them, so it is put back.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
why=$(unshare -m true 2>&1) || skip "no mount namespaces here: $why"
can_be_nobody || skip "no setpriv"
cp "$WPERF" "$scratch/wperf" && chmod 755 "$scratch" "$scratch/wperf"
wperf=$scratch/wperf

inside() { # COMMAND...: in a mount namespace of its own, without tracefs
	# shellcheck disable=SC2016
	unshare -m bash -c '
		while read -r _ folder type _; do
			case $type in tracefs | debugfs) umount -l "$(printf %b "$folder")" ;; esac
		done <<<"$(tac /proc/self/mounts)"
		'"$(declare -f as_nobody without_rights works refused told)"'
		wperf=$0
		eval "$@"' "$wperf" "$@"
}

without_rights() { # COMMAND...: as root of a container
	setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$@"
}

works() { # COMMAND...: with it, wperf knows tracepoints
	"$@" "$wperf" test | grep -q 'doctor.tracefs *ok$' && "$@" "$wperf" list -q --json | grep -q '"sched:sched_switch"'
}

told() { # COMMAND...: the remedy, as the doctor has it
	"$@" "$wperf" test --json | sed -nE 's/.*"doctor.tracefs","Result":"limited: no tracepoints: [^"]*fix: ([^"]*)".*/\1/p'
}

refused() { # TEXT COMMAND...: an event is refused with it, and the doctor says the same
	local text=$1 said
	shift
	said=$("$@" "$wperf" stat -e sched:sched_switch -- true 2>&1) && return 1
	grep -qF "event 'sched:sched_switch' cannot be looked up: $text" <<<"$said" || { echo "$said"; return 1; }
	"$@" "$wperf" test --json | grep doctor.tracefs | grep -qF "limited: no tracepoints: $text"
}

without_mount="tracefs is not mounted, and mounting it is refused (Operation not permitted). fix: mount -t tracefs nodev /sys/kernel/tracing; in a container,"
unreached="tracefs is not mounted where this user can reach it. fix: run as root, or as root mount -t tracefs -o mode=750,gid=65534"
closed="this user may not read tracefs at /sys/kernel/tracing. fix: run as root, or as root mount -o remount,mode=750,gid=65534"
tracing=/sys/kernel/tracing debug=/sys/kernel/debug

if inside works env; then
	check "not mounted: root counts" inside '"$wperf" stat -e sched:sched_switch -- true >/dev/null 2>&1'
	check "not mounted: nothing is left behind" inside 'works env && ! grep -q tracefs /proc/self/mounts'
else
	part_skipped "tracefs cannot be mounted for oneself (Linux 5.2): $(inside told env)"
fi
check "not mounted: root of a container" inside "refused '$without_mount' without_rights"
check "not mounted: root of a user namespace" inside "refused '$without_mount' unshare -Urm"
check "not mounted: a user" inside "refused '$unreached' as_nobody"
if inside "mount -t tracefs nodev $tracing" 2>/dev/null; then
	mkdir "$scratch/else where"
	before=$(inside "mount -t tracefs nodev $tracing && stat -c mode=%a,gid=%g $tracing")
	reset="mount -o remount,$before $tracing"
	check "mounted elsewhere: root" inside "mount -t tracefs nodev '$scratch/else where' && works without_rights"
	check "mounted: root" inside "mount -t tracefs nodev $tracing && works without_rights"
	check "mounted: a user" inside "mount -t tracefs nodev $tracing && refused '$closed' as_nobody"
	check "mounted: the remedy is one" inside "mount -t tracefs nodev $tracing
		fix=\$(told as_nobody | sed -E 's/.*as root (mount .*tracing).*/\1/') && eval \"\$fix\" && works as_nobody
		worked=\$?; $reset; exit \$worked"
	check "not mounted: the remedy is one" inside "
		fix=\$(told as_nobody | sed -E 's/.*as root (mount .*tracing).*/\1/') && eval \"\$fix\" && works as_nobody
		worked=\$?; $reset; exit \$worked"
else
	part_skipped "tracefs cannot be mounted at $tracing"
fi
if inside "mount -t debugfs nodev $debug" 2>/dev/null; then
	check "in debugfs: root" inside "mount -t debugfs nodev $debug && works without_rights"
	check "in debugfs: a user" inside "mount -t debugfs nodev $debug && refused '$unreached' as_nobody"
else
	part_skipped "debugfs cannot be mounted at $debug"
fi
finish
