#!/bin/bash
# record --as-user: the command has the user, the group and the groups of who called sudo, and nothing of root's.
. "$TOP/tests/live/lib.sh"
[ "$(id -u)" = 0 ] || skip "needs root"
can_sample || skip "this user may not sample"
chmod 711 "$scratch"
export SUDO_UID=65534 SUDO_GID=65534 SUDO_USER=nobody
as_user() { "$WPERF" record -q --as-user --no-data -- sh -c "$1" 2>&1; }
check "the user is nobody" test "$(as_user 'id -u >&2' | grep -c '^65534$')" = 1
check "its groups are nobody's" test "$(as_user 'id -G >&2' | grep -cx "$(id -G nobody)")" = 1
check "no capability is left" test "$(as_user 'grep CapEff /proc/self/status >&2' | grep -c '0000000000000000')" = 1
check "root's files are closed" test "$(as_user 'test -r /etc/shadow && echo open >&2 || echo closed >&2' | grep -cx closed)" = 1
SUDO_USER=root
check "another user's name gives no groups" test "$(as_user 'id -G >&2' | grep -cx 65534)" = 1
unset SUDO_UID
check "without sudo it is refused" grep -q "who called sudo" <<<"$(as_user true)"
finish
