
_arena_bots() {
    _alternative 'bots:bot inside the program:(BOTS)' 'files:file:_files'
}

_arena_rules() {
    _alternative 'rules:rules inside the program:(RULES)' 'files:file:_files'
}
