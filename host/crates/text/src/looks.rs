//! What names look like, so that no name is taken for another one.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;

/// The text as readers see it, for comparisons: two texts that differ only in the case of letters, in their width or in how letters with
/// marks are written have the same one.
///
/// ```
/// use arena_text::looked_at;
///
/// for text in ["ANN\u{c9}", "anne\u{301}", "\u{ff21}nn\u{e9}"] {
///     assert_eq!(looked_at(text), "ann\u{e9}");
/// }
/// assert_ne!(looked_at("ann"), looked_at("anna"));
/// ```
pub fn looked_at(text: &str) -> String {
    let normalizer = ComposingNormalizerBorrowed::new_nfkc();
    // A small letter may have another form than the large one had.
    normalizer.normalize(&normalizer.normalize(text).to_lowercase()).into_owned()
}

/// True for a word with letters of more than one of the Latin, Greek and Cyrillic alphabets, which have letters that look the same.
///
/// ```
/// use arena_text::mixes_alphabets;
///
/// assert!(mixes_alphabets("\u{430}nn"), "with a Cyrillic a");
/// assert!(!["ann", "\u{430}\u{43d}\u{43d}\u{430}", "\u{6771}\u{4eac}tokyo"].into_iter().any(mixes_alphabets));
/// ```
pub fn mixes_alphabets(word: &str) -> bool {
    let scripts = CodePointMapData::<Script>::new();
    let alphabets = [Script::Latin, Script::Greek, Script::Cyrillic];
    alphabets.iter().filter(|alphabet| word.chars().any(|c| scripts.get(c) == **alphabet)).count() > 1
}
