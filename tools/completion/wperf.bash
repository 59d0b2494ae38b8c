# Bash completion for wperf: `wperf --list-words` says what may stand at the cursor; files and commands are the shell's.
_wperf() {
	local line=${COMP_LINE:0:COMP_POINT} words word head kind
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	word=${words[-1]} head=""
	[[ $word == *[:=]* ]] && head=${word%"${word##*[:=]}"} # bash takes the word behind it for the whole
	mapfile -t COMPREPLY < <("${words[0]}" --list-words "${words[@]:1}" 2>/dev/null)
	kind=${COMPREPLY[0]:-}
	case $kind in
	"<"*) word=${word#"$head"} COMPREPLY=() head="" ;;&
	"<command>") mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
	"<dir>") mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
	"<data>") mapfile -t COMPREPLY < <(compgen -f -X '!*.data' -- "$word") ;;&
	"<data>" | "<file>") [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	esac
	COMPREPLY=("${COMPREPLY[@]#"$head"}")
	case $kind in "<file>" | "<data>" | "<dir>") compopt -o filenames 2>/dev/null ;; esac
}
complete -F _wperf wperf
