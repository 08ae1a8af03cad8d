# Completes the names of bots and rules inside the program, next to files, and leaves all other words to clap.
_arena_with_names() {
    _arena "$@"
    # Bash splits words at colons, as in `builtin:hunter`, so the words of the line are read again.
    local before="${COMP_LINE:0:COMP_POINT}" names="" name colon="" file
    local word="${before##*[[:space:]]}"
    local -a words
    read -ra words <<<"${before%"$word"}"
    case "${words[${#words[@]}-1]}" in
        --rules) names="RULES" ;;
        -*) ;;
        *) case "${words[1]}" in COMMANDS) [[ ${#words[@]} -gt 1 ]] && names="BOTS" ;; esac ;;
    esac
    [[ -z "$names" || "$word" == -* ]] && return 0
    [[ "$word" == *:* && "$COMP_WORDBREAKS" == *:* ]] && colon="${word%"${word##*:}"}"
    COMPREPLY=()
    for name in $(compgen -W "$names" -- "$word"); do
        COMPREPLY+=("${name#"$colon"}")
    done
    # Without a name, bash completes files itself.
    [[ -n "$colon" || ${#COMPREPLY[@]} -eq 0 ]] && return 0
    while IFS= read -r file; do
        COMPREPLY+=("$file")
    done < <(compgen -f -- "$word")
    return 0
}
complete -F _arena_with_names -o bashdefault -o default arena
