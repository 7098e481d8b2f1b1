//! Types of GLSL, and what they are of the results of operators and built-in functions.

/// Kind of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scalar {
    Bool,
    Int,
    Uint,
    Float,
    Double,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ty {
    Void,
    Scalar(Scalar),
    Vector(Scalar, u8),
    /// Columns and rows.
    Matrix(Scalar, u8, u8),
    /// Elements and how many; 0: not known here.
    Array(Box<Ty>, u32),
    Struct(String),
    /// Images, textures, samplers.
    Opaque(String),
}

pub(super) const BOOL: Ty = Ty::Scalar(Scalar::Bool);
pub(super) const INT: Ty = Ty::Scalar(Scalar::Int);
pub(super) const UINT: Ty = Ty::Scalar(Scalar::Uint);
pub(super) const FLOAT: Ty = Ty::Scalar(Scalar::Float);

impl Scalar {
    fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    fn prefix(self) -> &'static str {
        match self {
            Scalar::Bool => "b",
            Scalar::Int => "i",
            Scalar::Uint => "u",
            Scalar::Float => "",
            Scalar::Double => "d",
        }
    }
}

impl Ty {
    /// The built-in type of a name; samplers and such are opaque.
    pub(super) fn named(name: &str) -> Option<Ty> {
        use Scalar::{Bool, Double, Float, Int, Uint};
        let scalars = [("bool", Bool), ("int", Int), ("uint", Uint), ("float", Float), ("double", Double)];
        if name == "void" {
            return Some(Ty::Void);
        }
        if let Some((_, scalar)) = scalars.iter().find(|(known, _)| *known == name) {
            return Some(Ty::Scalar(*scalar));
        }
        for (prefix, scalar) in [("b", Bool), ("i", Int), ("u", Uint), ("d", Double), ("", Float)] {
            let Some(rest) = name.strip_prefix(prefix) else { continue };
            if let Some(size) = rest.strip_prefix("vec").and_then(size) {
                return Some(Ty::Vector(scalar, size));
            }
            let Some(sizes) = rest.strip_prefix("mat").filter(|_| matches!(scalar, Float | Double)) else { continue };
            if let Some(size) = size(sizes) {
                return Some(Ty::Matrix(scalar, size, size));
            }
            if let Some((columns, rows)) = sizes.split_once('x') {
                return Some(Ty::Matrix(scalar, size(columns)?, size(rows)?));
            }
        }
        is_opaque(name).then(|| Ty::Opaque(String::from(name)))
    }

    /// How the type is written.
    pub(super) fn text(&self) -> String {
        match self {
            Ty::Void => String::from("void"),
            Ty::Scalar(scalar) => String::from(scalar.name()),
            Ty::Vector(scalar, size) => format!("{}vec{size}", scalar.prefix()),
            Ty::Matrix(scalar, columns, rows) => format!("{}mat{columns}x{rows}", scalar.prefix()),
            // naga takes dimensions the wrong way round: the innermost first.
            Ty::Array(element, 0) => format!("{}[]", element.text()),
            Ty::Array(element, count) => format!("{}[{count}]", element.text()),
            Ty::Struct(name) | Ty::Opaque(name) => name.clone(),
        }
    }

    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(scalar) | Ty::Vector(scalar, _) | Ty::Matrix(scalar, ..) => Some(*scalar),
            _ => None,
        }
    }

    /// The type of `self[i]`.
    pub(super) fn element(&self) -> Option<Ty> {
        match self {
            Ty::Vector(scalar, _) => Some(Ty::Scalar(*scalar)),
            Ty::Matrix(scalar, _, rows) => Some(Ty::Vector(*scalar, *rows)),
            Ty::Array(element, _) => Some((**element).clone()),
            _ => None,
        }
    }

    /// The same shape of another scalar.
    fn with(&self, scalar: Scalar) -> Option<Ty> {
        match self {
            Ty::Scalar(_) => Some(Ty::Scalar(scalar)),
            Ty::Vector(_, size) => Some(Ty::Vector(scalar, *size)),
            Ty::Matrix(_, columns, rows) => Some(Ty::Matrix(scalar, *columns, *rows)),
            _ => None,
        }
    }

    /// The type of a swizzle, where the type is a vector and the letters are one.
    pub(super) fn swizzle(&self, letters: &str) -> Option<Ty> {
        let Ty::Vector(scalar, _) = self else { return None };
        let sets = ["xyzw", "rgba", "stpq"];
        if !sets.iter().any(|set| letters.chars().all(|letter| set.contains(letter))) {
            return None;
        }
        match letters.len() {
            1 => Some(Ty::Scalar(*scalar)),
            n @ 2..=4 => Some(Ty::Vector(*scalar, n as u8)),
            _ => None,
        }
    }
}

fn size(text: &str) -> Option<u8> {
    match text {
        "2" => Some(2),
        "3" => Some(3),
        "4" => Some(4),
        _ => None,
    }
}

fn is_opaque(name: &str) -> bool {
    let families = ["texture", "image", "sampler", "subpassInput"];
    families.iter().any(|family| unsigned_core(name).strip_prefix(family).is_some_and(is_dimension))
        || matches!(name, "samplerShadow" | "atomic_uint" | "accelerationStructureEXT" | "rayQueryEXT")
}

/// The name of an opaque type without the letter of its component.
pub(super) fn unsigned_core(name: &str) -> &str {
    let families = ["texture", "image", "sampler", "subpassInput"];
    let stripped = name.strip_prefix(['i', 'u']).unwrap_or(name);
    if families.iter().any(|family| stripped.starts_with(family)) { stripped } else { name }
}

fn is_dimension(rest: &str) -> bool {
    let rest = rest.strip_suffix("Shadow").unwrap_or(rest);
    let dimensions = ["", "1D", "2D", "3D", "Cube", "Buffer", "2DRect", "2DMS", "MS"];
    dimensions.contains(&rest.strip_suffix("Array").unwrap_or(rest))
}

/// Types that are words of the language and that naga lacks altogether.
pub(super) fn is_lacking(name: &str) -> bool {
    let sized = ["int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"];
    let floats = ["float16_t", "float32_t", "float64_t", "bfloat16_t"];
    let vectors = ["i8vec", "i16vec", "i32vec", "i64vec", "u8vec", "u16vec", "u32vec", "u64vec"];
    let more = ["f16vec", "f32vec", "f64vec", "f16mat", "f32mat", "f64mat"];
    let is_vector = |name: &str| vectors.iter().chain(&more).any(|stem| name.starts_with(stem));
    sized.contains(&name) || floats.contains(&name) || is_vector(name)
}

/// Whether a word is the name of a built-in type.
pub(super) fn is_type(word: &str) -> bool {
    is_lacking(word) || Ty::named(word).is_some()
}

/// The type of an operator's result, with GLSL's implicit conversions.
pub(super) fn binary(op: &str, left: &Ty, right: &Ty) -> Option<Ty> {
    if matches!(op, "&&" | "||" | "^^" | "==" | "!=" | "<" | ">" | "<=" | ">=") {
        return Some(BOOL);
    }
    if matches!(op, "<<" | ">>") {
        return Some(left.clone());
    }
    let scalar = left.scalar()?.max(right.scalar()?);
    let shape = match (left, right) {
        (Ty::Matrix(_, _, rows), Ty::Vector(..)) if op == "*" => Ty::Vector(scalar, *rows),
        (Ty::Vector(..), Ty::Matrix(_, columns, _)) if op == "*" => Ty::Vector(scalar, *columns),
        (Ty::Matrix(_, _, rows), Ty::Matrix(_, columns, _)) if op == "*" => Ty::Matrix(scalar, *columns, *rows),
        (Ty::Scalar(_), other) => other.clone(),
        (other, _) => other.clone(),
    };
    shape.with(scalar)
}

/// Built-in functions that naga has, with the type of their results.
pub(super) fn function(name: &str, args: &[Option<Ty>]) -> Option<Ty> {
    let first = || args.first().cloned().flatten();
    let scalar = |scalar| first()?.with(scalar);
    // Of several operands the widest shape, as floats.
    let widest = || {
        let shapes = args.iter().flatten().filter(|ty| matches!(ty, Ty::Scalar(_) | Ty::Vector(..)));
        shapes.max_by_key(|ty| if let Ty::Vector(_, size) = ty { *size } else { 1 }).cloned()
    };
    match name {
        "length" | "distance" | "dot" | "determinant" => float_of(first()?.scalar()?),
        "floatBitsToInt" | "bitCount" | "findLSB" | "findMSB" => scalar(Scalar::Int),
        "floatBitsToUint" => scalar(Scalar::Uint),
        "intBitsToFloat" | "uintBitsToFloat" => scalar(Scalar::Float),
        "isnan" | "isinf" | "lessThan" | "lessThanEqual" | "greaterThan" | "greaterThanEqual" | "equal"
        | "notEqual" | "not" => scalar(Scalar::Bool),
        "any" | "all" => Some(BOOL),
        "packSnorm4x8" | "packUnorm4x8" | "packSnorm2x16" | "packUnorm2x16" | "packHalf2x16" => Some(UINT),
        "unpackSnorm4x8" | "unpackUnorm4x8" => Some(Ty::Vector(Scalar::Float, 4)),
        "unpackSnorm2x16" | "unpackUnorm2x16" | "unpackHalf2x16" => Some(Ty::Vector(Scalar::Float, 2)),
        "transpose" => match first()? {
            Ty::Matrix(scalar, columns, rows) => Some(Ty::Matrix(scalar, rows, columns)),
            _ => None,
        },
        "outerProduct" => match (first()?, args.get(1).cloned().flatten()?) {
            (Ty::Vector(scalar, rows), Ty::Vector(_, columns)) => Some(Ty::Matrix(scalar, columns, rows)),
            _ => None,
        },
        "min" | "max" | "clamp" | "mix" | "mod" | "step" | "smoothstep" => {
            let own = args.iter().take(2).flatten().filter_map(Ty::scalar).max()?;
            let own = if matches!(name, "mod" | "step" | "smoothstep") { Scalar::Float } else { own };
            widest()?.with(own)
        }
        "abs" | "sign" | "bitfieldReverse" | "bitfieldExtract" | "bitfieldInsert" | "inverse" | "cross" => first(),
        "textureQueryLevels" => Some(INT),
        _ if name.starts_with("texture") || name.starts_with("texelFetch") || name == "imageLoad" => None,
        // The rest makes floats of floats.
        _ => scalar(Scalar::Float),
    }
}

fn float_of(scalar: Scalar) -> Option<Ty> {
    Some(if scalar == Scalar::Double { Ty::Scalar(Scalar::Double) } else { FLOAT })
}

/// Built-in functions that naga translates right.
pub(super) const FUNCTIONS: &[&str] = &[
    "radians",
    "degrees",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "pow",
    "exp",
    "log",
    "exp2",
    "log2",
    "sqrt",
    "inversesqrt",
    "abs",
    "sign",
    "floor",
    "trunc",
    "round",
    "roundEven",
    "ceil",
    "fract",
    "mod",
    "min",
    "max",
    "clamp",
    "mix",
    "step",
    "smoothstep",
    "isnan",
    "isinf",
    "floatBitsToInt",
    "floatBitsToUint",
    "intBitsToFloat",
    "uintBitsToFloat",
    "fma",
    "ldexp",
    "packUnorm2x16",
    "packSnorm2x16",
    "packUnorm4x8",
    "packSnorm4x8",
    "unpackUnorm2x16",
    "unpackSnorm2x16",
    "unpackUnorm4x8",
    "unpackSnorm4x8",
    "packHalf2x16",
    "unpackHalf2x16",
    "length",
    "distance",
    "dot",
    "cross",
    "normalize",
    "faceforward",
    "reflect",
    "refract",
    "outerProduct",
    "transpose",
    "determinant",
    "inverse",
    "lessThan",
    "lessThanEqual",
    "greaterThan",
    "greaterThanEqual",
    "equal",
    "notEqual",
    "any",
    "all",
    "not",
    "bitfieldExtract",
    "bitfieldInsert",
    "bitfieldReverse",
    "bitCount",
    "findLSB",
    "findMSB",
    "textureSize",
    "textureQueryLevels",
    "texture",
    "textureProj",
    "textureLod",
    "textureOffset",
    "texelFetch",
    "textureProjOffset",
    "textureLodOffset",
    "textureProjLod",
    "textureProjLodOffset",
    "textureGrad",
    "textureGradOffset",
    "textureProjGrad",
    "textureProjGradOffset",
    "imageSize",
    "imageLoad",
    "imageStore",
    "dFdx",
    "dFdy",
    "dFdxFine",
    "dFdyFine",
    "dFdxCoarse",
    "dFdyCoarse",
    "fwidth",
    "fwidthFine",
    "fwidthCoarse",
    "barrier",
];

/// Functions of the language and its extensions that naga lacks and rx has no other way for.
pub(super) fn lacks_function(name: &str) -> bool {
    const LACKING: &[&str] = &[
        "textureGather",
        "textureGatherOffset",
        "textureGatherOffsets",
        "textureQueryLod",
        "textureSamples",
        "imageSamples",
        "interpolateAtCentroid",
        "interpolateAtSample",
        "interpolateAtOffset",
        "memoryBarrier",
        "memoryBarrierAtomicCounter",
        "memoryBarrierBuffer",
        "memoryBarrierShared",
        "memoryBarrierImage",
        "groupMemoryBarrier",
        "packDouble2x32",
        "unpackDouble2x32",
        "EmitVertex",
        "EndPrimitive",
        "EmitStreamVertex",
        "EndStreamPrimitive",
        "subpassLoad",
        "nonuniformEXT",
        "anyInvocation",
        "allInvocations",
        "allInvocationsEqual",
        "atomicCounter",
        "atomicCounterIncrement",
        "atomicCounterDecrement",
        "noise1",
        "noise2",
        "noise3",
        "noise4",
        "ftransform",
        "demote",
        "helperInvocationEXT",
        "readFirstInvocationARB",
        "ballotARB",
        "shadow1D",
        "shadow2D",
        "texture2D",
        "texture3D",
        "textureCube",
        "controlBarrier",
        "clockARB",
        "clock2x32ARB",
        "clockRealtimeEXT",
        "traceRayEXT",
        "debugPrintfEXT",
        "packHalf4x16",
        "dotEXT",
    ];
    let families = ["atomic", "imageAtomic", "subgroup", "sparseTexture", "sparseTexel", "rayQuery", "fragmentMask"];
    LACKING.contains(&name) || families.iter().any(|family| name.starts_with(family))
}

/// Built-in variables that naga has, and whether the language has them as `int` where naga has `uint`.
pub(super) fn variable(name: &str) -> Option<Ty> {
    Some(match name {
        "gl_VertexIndex" | "gl_InstanceIndex" | "gl_BaseVertex" | "gl_BaseVertexARB" | "gl_BaseInstance"
        | "gl_BaseInstanceARB" | "gl_DrawID" | "gl_DrawIDARB" | "gl_PrimitiveID" | "gl_SampleID" => INT,
        "gl_LocalInvocationIndex" => UINT,
        "gl_GlobalInvocationID"
        | "gl_NumWorkGroups"
        | "gl_WorkGroupSize"
        | "gl_WorkGroupID"
        | "gl_LocalInvocationID" => Ty::Vector(Scalar::Uint, 3),
        "gl_FrontFacing" => BOOL,
        "gl_PointSize" | "gl_FragDepth" => FLOAT,
        "gl_Position" | "gl_FragCoord" => Ty::Vector(Scalar::Float, 4),
        "gl_PointCoord" => Ty::Vector(Scalar::Float, 2),
        "gl_ClipDistance" | "gl_CullDistance" => Ty::Array(Box::new(FLOAT), 0),
        _ => return None,
    })
}
