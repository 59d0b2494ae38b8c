# Fish completion for wperf: `wperf --list-words` says what may stand at the cursor; files and commands are the shell's.
function __wperf_words
    set -l words (commandline -opc) (commandline -ct)
    set -l current $words[-1]
    set -l found ($words[1] --list-words $words[2..-1] 2>/dev/null)
    switch "$found[1]"
        case '<command>'
            __fish_complete_command
        case '<dir>'
            __fish_complete_directories $current
        case '<data>'
            set -l data (__fish_complete_suffix .data)
            printf '%s\n' $data
        case '<file>'
            __fish_complete_path $current
        case '*'
            printf '%s\n' $found
    end
end
complete -c wperf -f -k -a '(__wperf_words)'
