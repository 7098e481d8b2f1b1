//! stub
mod encode;
#[doc(hidden)]
pub fn reencode(program: &super::program::Program) -> Option<(Vec<u32>, Vec<(u32, u32)>)> {
    encode::encode(program).ok().map(|e| (e.words, e.starts))
}
