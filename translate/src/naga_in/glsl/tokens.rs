//! A GLSL text behind its preprocessor: tokens, and the directives that remain.

use super::{Failure, refused};
use crate::ledger;
use pp_rs::pp::Preprocessor;
use pp_rs::token::{PreprocessorError, Punct, Token as Raw, TokenValue};

/// A token with the byte where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub at: u32,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Word(String),
    Int(u32, bool),
    Float(f32),
    Punct(&'static str),
    /// `#version` with what follows.
    Version(String),
}

/// Extensions that change nothing in what naga is given, or whose constructs are judged where they are used.
const EXTENSIONS: &[&str] = &[
    "GL_ARB_separate_shader_objects",
    "GL_ARB_shading_language_420pack",
    "GL_ARB_shader_bit_encoding",
    "GL_ARB_conservative_depth",
    "GL_ARB_enhanced_layouts",
    "GL_ARB_explicit_attrib_location",
    "GL_ARB_arrays_of_arrays",
    "GL_ARB_shading_language_packing",
    "GL_ARB_texture_cube_map_array",
    "GL_ARB_gpu_shader5",
    "GL_ARB_shader_draw_parameters",
    "GL_ARB_compute_shader",
    "GL_ARB_shader_storage_buffer_object",
    "GL_ARB_shader_image_load_store",
    "GL_EXT_samplerless_texture_functions",
    "GL_EXT_nonuniform_qualifier",
    "GL_EXT_scalar_block_layout",
    "GL_GOOGLE_include_directive",
    "GL_GOOGLE_cpp_style_line_directive",
    "GL_KHR_vulkan_glsl",
];

/// Runs the preprocessor. `VULKAN`, `__VERSION__` and the profile's macro are defined, as GL_KHR_vulkan_glsl asks.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Failure> {
    let mut pp = Preprocessor::new(text);
    let version = version(text);
    for (name, value) in [("VULKAN", "100"), ("__VERSION__", version.as_str()), ("GL_core_profile", "1")] {
        // Plain numbers always lex.
        let _ = pp.add_define(name, value);
    }
    let mut tokens = Vec::new();
    for item in pp {
        let raw = item.map_err(|(error, location)| preprocessor(text, &error, location.start))?;
        if let Some(value) = value(&raw)? {
            tokens.push(Token { at: raw.location.start, value });
        }
    }
    Ok(tokens)
}

/// The number after the first `#version`; 110 without one, as the language has it.
fn version(text: &str) -> String {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let mut versions = lines.filter_map(|line| line.trim_start().strip_prefix("version"));
    let number = versions.next().and_then(|rest| rest.split_whitespace().next()).unwrap_or("110");
    number.chars().filter(char::is_ascii_digit).collect()
}

fn preprocessor(text: &str, error: &PreprocessorError, at: u32) -> Failure {
    let rest = text.get(at as usize..).unwrap_or("");
    if *error == PreprocessorError::UnknownDirective && rest.starts_with("include") {
        return refused(ledger::GLSL_INCLUDE, at, "`#include` in a text whose includes were not expanded");
    }
    if let (PreprocessorError::ErrorDirective, Some(what)) = (error, rest.strip_prefix("error rx-include: ")) {
        return refused(ledger::GLSL_INCLUDE, at, what.lines().next().unwrap_or(""));
    }
    Failure::Syntax(at, format!("preprocessor: {error:?}"))
}

fn value(raw: &Raw) -> Result<Option<Value>, Failure> {
    let at = raw.location.start;
    Ok(Some(match &raw.value {
        TokenValue::Ident(word) => Value::Word(word.clone()),
        TokenValue::Integer(integer) if integer.width == 32 => {
            let value = u32::try_from(integer.value)
                .map_err(|_| Failure::Syntax(at, String::from("an integer that 32 bits do not hold")))?;
            Value::Int(value, !integer.signed)
        }
        TokenValue::Float(float) if float.width == 32 => Value::Float(float.value),
        TokenValue::Integer(_) => {
            return Err(refused(ledger::GLSL_TYPE, at, "an integer literal that is not of 32 bits"));
        }
        TokenValue::Float(_) => return Err(refused(ledger::GLSL_TYPE, at, "a float literal that is not of 32 bits")),
        TokenValue::Punct(punct) => Value::Punct(text_of(punct)),
        TokenValue::Version(version) => {
            let words: Vec<String> = version.tokens.iter().filter_map(plain).collect();
            Value::Version(words.join(" "))
        }
        TokenValue::Extension(extension) => {
            check_extension(&extension.tokens, at)?;
            return Ok(None);
        }
        TokenValue::Pragma(_) => return Ok(None),
    }))
}

fn check_extension(tokens: &[Raw], at: u32) -> Result<(), Failure> {
    let words: Vec<String> = tokens.iter().filter_map(plain).collect();
    match words.as_slice() {
        [name, colon, behavior] if colon == ":" => {
            if behavior == "require" && !EXTENSIONS.contains(&name.as_str()) {
                return Err(refused(ledger::GLSL_EXTENSION, at, format!("`{name}` is required")));
            }
            Ok(())
        }
        _ => Err(Failure::Syntax(at, String::from("`#extension` takes a name, a colon and a behavior"))),
    }
}

fn plain(raw: &Raw) -> Option<String> {
    match &raw.value {
        TokenValue::Ident(word) => Some(word.clone()),
        TokenValue::Integer(integer) => Some(integer.value.to_string()),
        TokenValue::Punct(punct) => Some(String::from(text_of(punct))),
        _ => None,
    }
}

fn text_of(punct: &Punct) -> &'static str {
    match punct {
        Punct::AddAssign => "+=",
        Punct::SubAssign => "-=",
        Punct::MulAssign => "*=",
        Punct::DivAssign => "/=",
        Punct::ModAssign => "%=",
        Punct::LeftShiftAssign => "<<=",
        Punct::RightShiftAssign => ">>=",
        Punct::AndAssign => "&=",
        Punct::XorAssign => "^=",
        Punct::OrAssign => "|=",
        Punct::Increment => "++",
        Punct::Decrement => "--",
        Punct::LogicalAnd => "&&",
        Punct::LogicalOr => "||",
        Punct::LogicalXor => "^^",
        Punct::LessEqual => "<=",
        Punct::GreaterEqual => ">=",
        Punct::EqualEqual => "==",
        Punct::NotEqual => "!=",
        Punct::LeftShift => "<<",
        Punct::RightShift => ">>",
        Punct::LeftBrace => "{",
        Punct::RightBrace => "}",
        Punct::LeftParen => "(",
        Punct::RightParen => ")",
        Punct::LeftBracket => "[",
        Punct::RightBracket => "]",
        Punct::LeftAngle => "<",
        Punct::RightAngle => ">",
        Punct::Semicolon => ";",
        Punct::Comma => ",",
        Punct::Colon => ":",
        Punct::Dot => ".",
        Punct::Equal => "=",
        Punct::Bang => "!",
        Punct::Minus => "-",
        Punct::Tilde => "~",
        Punct::Plus => "+",
        Punct::Star => "*",
        Punct::Slash => "/",
        Punct::Percent => "%",
        Punct::Pipe => "|",
        Punct::Caret => "^",
        Punct::Ampersand => "&",
        Punct::Question => "?",
    }
}
