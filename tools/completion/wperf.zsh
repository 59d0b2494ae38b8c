#compdef wperf
# Zsh completion for wperf: `wperf --list-words` says what may stand at the cursor; files and commands are the shell's.
local -a found
found=("${(@f)$(${words[1]} --list-words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
case $found[1] in
"<command>") _command_names -e ;;
"<dir>") _files -/ ;;
"<data>") _files -g '*.data' || _files ;;
"<file>") _files ;;
"") return 1 ;;
*) compadd -Q -a found ;;
esac
