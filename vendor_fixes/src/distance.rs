//! The nearest of some names to a misspelt one.

/// Edit distance (Levenshtein): the fewest letters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// The name nearest to `wanted` by edit distance; of equals the first. `None` only where there are no names.
///
/// Case does not count. `wanted` is cut at 128 letters, so that a hostile name costs no more than a long one.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: String = wanted.chars().take(128).collect::<String>().to_ascii_lowercase();
    names.into_iter().min_by_key(|name| distance(&wanted, &name.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        let cases = [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("kitten", "sitting", 3),
            ("abc", "", 3),
            ("abc", "abcd", 1),
            ("abcd", "abc", 1),
            ("abc", "xabc", 1),
            ("xabc", "abc", 1),
        ];
        for (a, b, want) in cases {
            assert_eq!(distance(a, b), want, "{a} to {b}");
        }
    }

    #[test]
    fn nearest_ignores_case_and_takes_the_first_of_equals() {
        assert_eq!(nearest("RADV", ["nvk", "radv"]), Some("radv"));
        assert_eq!(nearest("x", ["a", "b"]), Some("a"));
        assert_eq!(nearest("x", []), None);
    }
}
