/// The script with which a shell completes `intentctl`. It calls `intentctl completion candidates`.
package enum CompletionScript {
    package enum Shell: String, CaseIterable, Sendable {
        case bash
        case zsh
        case fish
    }

    package static func text(for shell: Shell) -> String {
        switch shell {
        case .bash:
            """
            # Completes intentctl in bash; made by 'intentctl completion bash'.
            _intentctl() {
                local lines line word
                COMPREPLY=()
                # Candidates are quoted for a word without quotes of its own.
                [[ ${COMP_WORDS[COMP_CWORD]} == *[\\'\\"\\\\\\$\\`]* ]] && return
                mapfile -t lines < <(intentctl completion candidates -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                for line in "${lines[@]}"; do
                    # bash inserts what stands here as it is.
                    printf -v word %q "${line%%$'\\t'*}"
                    COMPREPLY+=("$word")
                done
            }
            # File names where there is nothing else to say.
            complete -o default -F _intentctl intentctl
            """
        case .zsh:
            """
            #compdef intentctl
            # Completes intentctl in zsh; made by 'intentctl completion zsh'.
            _intentctl() {
                local line word
                local -a lines candidates
                lines=("${(@f)$(intentctl completion candidates -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                for line in $lines; do
                    # _describe takes a backslash off what follows it; zsh quotes what it inserts.
                    word=${line%%$'\\t'*}
                    word=${word//\\\\/\\\\\\\\}
                    candidates+=("${word//:/\\\\:}:${line#*$'\\t'}")
                done
                if ((${#candidates})); then
                    _describe intentctl candidates
                else
                    _files
                fi
            }
            if [ "$funcstack[1]" = _intentctl ]; then
                _intentctl "$@"
            else
                compdef _intentctl intentctl
            fi
            """
        case .fish:
            """
            # Completes intentctl in fish; made by 'intentctl completion fish'. fish quotes what it inserts,
            # but for a tilde at its beginning.
            function __intentctl_candidates
                set -l words (commandline -opc)
                intentctl completion candidates -- $words[2..] (commandline -ct) 2>/dev/null |
                    string match -rv '^~'
            end
            complete -c intentctl -a '(__intentctl_candidates)'
            """
        }
    }
}
