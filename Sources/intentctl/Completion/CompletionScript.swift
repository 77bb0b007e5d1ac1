/// What a shell reads to complete `intentctl`: it asks `intentctl completion candidates` at each key.
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
                local lines
                mapfile -t lines < <(intentctl completion candidates -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                COMPREPLY=("${lines[@]%%$'\\t'*}")
            }
            # File names where there is nothing else to say.
            complete -o default -F _intentctl intentctl
            """
        case .zsh:
            """
            #compdef intentctl
            # Completes intentctl in zsh; made by 'intentctl completion zsh'.
            _intentctl() {
                local line
                local -a lines candidates
                lines=("${(@f)$(intentctl completion candidates -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                for line in $lines; do
                    candidates+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
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
            # Completes intentctl in fish; made by 'intentctl completion fish'.
            function __intentctl_candidates
                set -l words (commandline -opc)
                intentctl completion candidates -- $words[2..] (commandline -ct) 2>/dev/null
            end
            complete -c intentctl -a '(__intentctl_candidates)'
            """
        }
    }
}
