// The generated code refers to this function. The build embeds the contract with `wasm-tools component embed` instead.
void __component_type_object_force_link_game(void);

void __component_type_object_force_link_game(void) {
}
