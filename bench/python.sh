# python.sh: what the benches of Python frames share: the interpreter, the peers, a scratch folder, medians.
set -u
[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 0; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-$(ls -d ~/.pyenv/versions/3.12.*/bin/python 2>/dev/null | head -n 1)}
python=${python:-$(command -v python3)} || { echo "skipped: no python3"; exit 0; }
version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
# Installed by bench/peers, or by the system.
PATH=${PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/wperf-peers}/bin:$PATH
work=$(mktemp -d)
bpf_stats=/proc/sys/kernel/bpf_stats_enabled
bpf_stats_before=$(cat $bpf_stats 2>/dev/null || echo 0)
trap 'kill $(jobs -p) 2>/dev/null; echo "$bpf_stats_before" >$bpf_stats; rm -rf "$work"' EXIT
echo 0 >$bpf_stats 2>/dev/null

has() { command -v "$1" >/dev/null; }
median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }
