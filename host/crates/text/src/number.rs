//! Numbers for a reader.

/// A whole number with a comma before each three digits: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let mut text = number.to_string();
    let mut at = text.len();
    while at > 3 {
        at -= 3;
        text.insert(at, ',');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_three_digits_have_a_comma_before_them() {
        let numbers = [0, 999, 1_000, 65_535, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "65,535", "1,234,567"]);
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }
}
