#!/bin/bash
# What bash, zsh and fish offer at the cursor of a command line of wperf, by the files that are installed.
. "$(dirname "$0")/lib.sh"
completion=$TOP/tools/completion
cd "$scratch" || exit 2
mkdir here
touch a.data b.txt
ln -s "$WPERF" wperf
PATH=$scratch:$PATH

in_bash() { # LINE: what bash offers, one a line
	bash --norc -c '. "$0/wperf.bash"; COMP_LINE=$1 COMP_POINT=${#1}; _wperf; printf "%s\n" "${COMPREPLY[@]}"' "$completion" "$1"
}

in_fish() {
	HOME=$scratch fish --no-config -c 'source $argv[1]/wperf.fish; complete -C $argv[2]' "$completion" "$1" | cut -f 1
}

# A zsh on a terminal of its own, that prints what it would add.
in_zsh() {
	zsh -f "$scratch/in_zsh" "$completion" "$1"
}
cat >in_zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT= fpath=($scratch/functions \$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' list-colors ''
compadd() { local -a got; [[ \$* == *-[OAD]* ]] && { builtin compadd \"\$@\"; return }
	builtin compadd -O got \"\$@\"; print -l -- \"<<<\" \$got \">>>\"; builtin compadd \"\$@\" }
complete_and_tell() { zle complete-word; print -r -- the''end }; zle -N complete_and_tell
bindkey '^I' complete_and_tell; setopt NO_AUTO_LIST NO_BEEP; print ready''now"
zpty -r z line '*readynow*'
zpty -n -w z "$2"$'\t'
zpty -r z line '*theend*'
zpty -d z
print -r -- "$line" | tr -d '\r' | sed -n '/<<</,/>>>/p' | grep -v '<<<\|>>>'
END
export scratch
mkdir functions
cp "$completion/wperf.zsh" functions/_wperf

offers() { # SHELL LINE WORD...: all of them are among what it offers
	local shell=$1 line=$2 word
	shift 2
	"in_$shell" "$line" >got
	for word in "$@"; do grep -qx -- "$word" got || { echo "no $word in:"; head -20 got; return 1; }; done
}

# One whose name no shell quotes.
mount=$(awk '$3 == "cgroup" && $4 ~ /perf_event/ { print $2; exit }' /proc/mounts)
[ -n "$mount" ] || mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -z "$mount" ] || cgroup=$(cd "$mount" && find . -mindepth 1 -maxdepth 2 -type d -printf '%P\n' | grep -m 1 -x '[a-z./]*')
if [ -z "${cgroup:=}" ]; then
	[ -n "$mount" ] && mkdir "$mount/wperfcompletes" 2>/dev/null && cgroup=wperfcompletes
	trap 'rmdir "$mount/wperfcompletes" 2>/dev/null; rm -rf "$scratch"' EXIT
fi
[ -n "$cgroup" ] || part_skipped "there is no cgroup, and none can be made"

for shell in bash zsh fish; do
	command -v $shell >/dev/null || { part_skipped "$shell is not installed"; continue; }
	check "$shell: verbs" offers $shell "wperf re" record report
	check "$shell: options of a verb" offers $shell "wperf record --py" --python
	check "$shell: values of an option" offers $shell "wperf record --python " auto bpf pinned off
	check "$shell: events" offers $shell "wperf stat -e page-f" page-faults
	check "$shell: a list goes on" offers $shell "wperf stat -e task-clock,page-f" task-clock,page-faults
	check "$shell: sort keys" offers $shell "wperf report --sort python-" python-function python-line
	check "$shell: a field as a key" offers $shell "wperf report --sort field" field:NAME
	check "$shell: formats" offers $shell "wperf export --format fl" flame
	check "$shell: folders" offers $shell "wperf report --symfs h" here/\\?
	check "$shell: recordings" offers $shell "wperf report -i " a.data
	check "$shell: a recording as the plain word" offers $shell "wperf script " a.data
	check "$shell: commands" offers $shell "wperf record -F 99 -- setpri" setpriv
	check "$shell: users" offers $shell "wperf stat -u roo" root
	check "$shell: programs that run" offers $shell "wperf sample --image_name ba" bash
	check "$shell: fields" offers $shell "wperf script -F thr" thread
	check "$shell: the separator" offers $shell "wperf stat -x " ,
	if [ -n "$cgroup" ]; then
		check "$shell: cgroups" offers $shell "wperf stat -G " "$cgroup"
		check "$shell: a list of cgroups" offers $shell "wperf stat --for-each-cgroup $cgroup," "$cgroup,$cgroup"
	fi
	check "$shell: a process" offers $shell "wperf sample -p $$" $$
done
if command -v bash >/dev/null; then
	check "bash: behind an equals sign only the value" offers bash "wperf record --python=pi" pinned
	check "bash: recordings and nothing else" sh -c "! grep -q b.txt got"
fi
finish
