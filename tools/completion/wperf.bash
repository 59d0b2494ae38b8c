# Bash completion for wperf: verbs, and the options of the verb's own table (`wperf VERB --list-opts`).
_wperf() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb w
	case $before in
	--python) COMPREPLY=($(compgen -W "auto bpf pinned off" -- "$word")); return ;;
	--format) COMPREPLY=($(compgen -W "$(wperf export --help 2>/dev/null | sed -n '/^formats:/,$s/^  \([a-z]*\) .*/\1/p')" -- "$word")); return ;;
	--call-graph) COMPREPLY=($(compgen -W "auto bpf dwarf fp" -- "$word")); return ;;
	esac
	for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $w in
		stat | sample | record | report | export | script | list | man | test | detect | --version | -V) verb=$w ;;
		--) return ;;
		help | -h | --help) ;;
		esac
	done
	if [ -z "$verb" ]; then
		COMPREPLY=($(compgen -W "stat sample record report export script list man test detect help --version --help" -- "$word"))
	else
		COMPREPLY=($(compgen -W "$(wperf "$verb" --list-opts 2>/dev/null) --help --" -- "$word"))
	fi
}
complete -o default -F _wperf wperf
