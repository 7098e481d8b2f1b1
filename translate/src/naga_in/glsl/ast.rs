//! The syntax tree of a preprocessed GLSL text.
//!
//! Owns the form alone: no types are resolved here and nothing is judged. Every node that an error can point to knows the
//! byte of the text where it begins.

/// Byte offset in the text that was given.
pub(super) type At = u32;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub at: At,
    pub kind: Kind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// An integer, and whether it is unsigned.
    Int(u32, bool),
    /// A 32-bit float, by its bits.
    Float(u32),
    Bool(bool),
    Name(String),
    /// `+ - ! ~`.
    Unary(&'static str, Box<Expr>),
    /// `++` and `--` before their operand.
    Before(&'static str, Box<Expr>),
    /// `++` and `--` after their operand.
    After(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Choice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `=` or a compound assignment such as `+=`.
    Assign(&'static str, Box<Expr>, Box<Expr>),
    Comma(Vec<Expr>),
    /// A call of a function, or a structure's constructor.
    Call(String, Vec<Expr>),
    /// A constructor of a built-in type or an array.
    Construct(TypeSpec, Vec<Expr>),
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    /// `.length()`.
    Length(Box<Expr>),
}

/// A type as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TypeSpec {
    pub at: At,
    pub name: String,
    /// Dimensions, the outermost first.
    pub dims: Vec<Option<Expr>>,
    /// The members, where the structure is declared right here.
    pub members: Option<Vec<Decl>>,
}

/// Which storage a declaration names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    #[default]
    None,
    Const,
    In,
    Out,
    InOut,
    Uniform,
    Buffer,
    Shared,
}

/// The qualifiers of a declaration. Precision is dropped: Vulkan's GLSL computes with 32 bits in any case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Quals {
    pub at: At,
    pub any: bool,
    pub storage: Storage,
    pub layout: Vec<(At, String, Option<Expr>)>,
    /// `flat`, `smooth`, `noperspective`.
    pub interpolation: Option<&'static str>,
    /// `centroid`, `sample`.
    pub sampling: Option<&'static str>,
    pub invariant: bool,
    pub readonly: bool,
    pub writeonly: bool,
    /// Qualifiers that naga has nothing for.
    pub others: Vec<(At, String)>,
}

impl Quals {
    /// Whether the layout names an id.
    pub fn has(&self, id: &str) -> bool {
        self.layout.iter().any(|(_, name, _)| name == id)
    }
}

/// A declaration of variables, of a structure's members or of a structure alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Decl {
    pub quals: Quals,
    pub ty: TypeSpec,
    pub vars: Vec<Declarator>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declarator {
    pub at: At,
    pub name: String,
    pub dims: Vec<Option<Expr>>,
    pub init: Option<Init>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Init {
    Expr(Expr),
    List(At, Vec<Init>),
}

/// A condition of a loop.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cond {
    Expr(Expr),
    Decl(Box<Decl>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stmt {
    Decl(Decl),
    Expr(Expr),
    Block(Vec<Stmt>),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Cond, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For(Box<Stmt>, Option<Cond>, Option<Expr>, Box<Stmt>),
    /// Labels stand among the statements.
    Switch(Expr, Vec<Stmt>),
    Case(Expr),
    Default,
    Break(At),
    Continue(At),
    Return(At, Option<Expr>),
    Discard(At),
    Empty,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Param {
    pub at: At,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Function {
    pub at: At,
    pub ret: TypeSpec,
    pub name: String,
    pub params: Vec<Param>,
    /// None: a prototype.
    pub body: Option<Vec<Stmt>>,
}

/// A uniform, buffer, input or output block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Block {
    pub at: At,
    pub quals: Quals,
    pub name: String,
    pub members: Vec<Decl>,
    pub instance: Option<Declarator>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// `#version`, as it is written out.
    Version(String),
    Decl(Decl),
    Block(Block),
    Function(Function),
    /// `layout(…) in;` and such.
    Layout(Quals),
    /// `invariant gl_Position;` and such.
    Again(Quals, Vec<(At, String)>),
}
