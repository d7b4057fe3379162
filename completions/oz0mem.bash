_oz0mem_completion() {
    local IFS=$'
'
    COMPREPLY=( $( env COMP_WORDS="${COMP_WORDS[*]}" \
                   COMP_CWORD=$COMP_CWORD \
                   _OZ0MEM_COMPLETE=complete_bash $1 ) )
    return 0
}

complete -o default -F _oz0mem_completion oz0mem
