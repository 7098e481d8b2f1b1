//! Little-endian reads of untrusted bytes.
//!
//! Every function checks its bounds and its sums; none may panic or allocate.

/// The 32-bit word at a byte offset.
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let end = offset.checked_add(4)?;
    let word: [u8; 4] = bytes.get(offset..end)?.try_into().ok()?;
    Some(u32::from_le_bytes(word))
}

/// `size` bytes at an offset, both as the format has them.
pub(crate) fn slice_at(bytes: &[u8], offset: u32, size: usize) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    bytes.get(start..start.checked_add(size)?)
}

/// Longest name read. A table of names that all point at one long text would cost quadratic time otherwise.
pub(crate) const MAX_NAME: usize = 1024;

/// The NUL-terminated UTF-8 text at an offset, at most [`MAX_NAME`] bytes.
pub(crate) fn text_at(bytes: &[u8], offset: u32) -> Option<&str> {
    let rest = bytes.get(usize::try_from(offset).ok()?..)?;
    let window = &rest[..rest.len().min(MAX_NAME)];
    let end = window.iter().position(|&b| b == 0)?;
    std::str::from_utf8(&window[..end]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_stop_at_the_end() {
        let bytes = [1, 0, 0, 0, 2];
        assert_eq!(u32_at(&bytes, 0), Some(1));
        assert_eq!(u32_at(&bytes, 2), None);
        assert_eq!(u32_at(&bytes, usize::MAX), None);
        assert_eq!(slice_at(&bytes, 4, 1), Some(&[2u8][..]));
        assert_eq!(slice_at(&bytes, u32::MAX, usize::MAX), None);
    }

    #[test]
    fn texts_need_their_terminator() {
        assert_eq!(text_at(b"ab\0c", 0), Some("ab"));
        assert_eq!(text_at(b"ab\0c", 1), Some("b"));
        assert_eq!(text_at(b"ab\0c", 3), None);
        assert_eq!(text_at(b"ab\0c", 9), None);
        assert_eq!(text_at(b"\xff\0", 0), None);
        assert_eq!(text_at(&[b'a'; 2 * MAX_NAME], 0), None);
    }
}
