//! Functions of the language that naga lacks, written in what it has.

/// Names of the language and the helper that does their work; its text is added where one is called.
pub(super) const HELPERS: &[(&str, &str)] = &[
    ("modf", "rx_modf"),
    ("frexp", "rx_frexp"),
    ("uaddCarry", "rx_uaddCarry"),
    ("usubBorrow", "rx_usubBorrow"),
    ("umulExtended", "rx_umulExtended"),
    ("imulExtended", "rx_imulExtended"),
    ("matrixCompMult", "rx_matrixCompMult"),
];

/// Vectors of a scalar helper: result, parameters (`*` stands for the vector type), and the calls of its components.
struct Family {
    name: &'static str,
    scalar: &'static str,
    /// Parameter types after their qualifiers; `f` floats, `i` ints, `u` uints.
    params: &'static [(&'static str, char)],
    result: Option<char>,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "rx_modf",
        // An infinity has no fraction; the fraction of the rest is exact.
        scalar: "float rx_modf(float x, out float i) { i = trunc(x); return isinf(x) ? 0.0 : x - i; }",
        params: &[("", 'f'), ("out ", 'f')],
        result: Some('f'),
    },
    Family {
        name: "rx_frexp",
        // Denormals are scaled first; zeros, infinities and NaN are their own significands.
        scalar: "float rx_frexp(float x, out int e) { float y = x; e = 0; uint b = floatBitsToUint(y);
            uint p = (b >> 23) & 255u;
            if (p == 0u && (b & 8388607u) != 0u) { y = x * 16777216.0; b = floatBitsToUint(y); p = (b >> 23) & 255u; e = -24; }
            if (p == 0u || p == 255u) { e = 0; return x; }
            e = e + int(p) - 126; return uintBitsToFloat((b & 2155872255u) | 1056964608u); }",
        params: &[("", 'f'), ("out ", 'i')],
        result: Some('f'),
    },
    Family {
        name: "rx_uaddCarry",
        scalar: "uint rx_uaddCarry(uint x, uint y, out uint c) { uint s = x + y; c = s < x ? 1u : 0u; return s; }",
        params: &[("", 'u'), ("", 'u'), ("out ", 'u')],
        result: Some('u'),
    },
    Family {
        name: "rx_usubBorrow",
        scalar: "uint rx_usubBorrow(uint x, uint y, out uint b) { b = x < y ? 1u : 0u; return x - y; }",
        params: &[("", 'u'), ("", 'u'), ("out ", 'u')],
        result: Some('u'),
    },
    Family {
        name: "rx_umulExtended",
        // Four products of halves; the middle ones meet with the carry of the lowest.
        scalar: "void rx_umulExtended(uint x, uint y, out uint h, out uint l) {
            uint a = x & 65535u; uint b = x >> 16; uint c = y & 65535u; uint d = y >> 16;
            uint m = b * c + ((a * c) >> 16); uint n = a * d + (m & 65535u);
            h = b * d + (m >> 16) + (n >> 16); l = x * y; }",
        params: &[("", 'u'), ("", 'u'), ("out ", 'u'), ("out ", 'u')],
        result: None,
    },
    Family {
        name: "rx_imulExtended",
        // The unsigned product, less each factor where the other is negative.
        scalar: "void rx_imulExtended(int x, int y, out int h, out int l) {
            uint p = uint(x); uint q = uint(y);
            uint a = p & 65535u; uint b = p >> 16; uint c = q & 65535u; uint d = q >> 16;
            uint m = b * c + ((a * c) >> 16); uint n = a * d + (m & 65535u);
            uint g = b * d + (m >> 16) + (n >> 16);
            if (x < 0) { g = g - q; } if (y < 0) { g = g - p; }
            h = int(g); l = int(p * q); }",
        params: &[("", 'i'), ("", 'i'), ("out ", 'i'), ("out ", 'i')],
        result: None,
    },
];

/// The coordinates of an array texture with the layer rounded as the language has it; naga cuts it.
const LAYERS: &str = "
vec2 rx_layer_y(vec2 p) { return vec2(p.x, roundEven(p.y)); }
vec3 rx_layer_y(vec3 p) { return vec3(p.x, roundEven(p.y), p.z); }
vec3 rx_layer_z(vec3 p) { return vec3(p.xy, roundEven(p.z)); }
vec4 rx_layer_z(vec4 p) { return vec4(p.xy, roundEven(p.z), p.w); }
vec4 rx_layer_w(vec4 p) { return vec4(p.xyz, roundEven(p.w)); }
";

/// The text of helpers, by the prefix of their names.
pub(super) fn text(used: &std::collections::BTreeSet<&'static str>) -> String {
    let mut text = String::new();
    for family in FAMILIES.iter().filter(|family| used.contains(family.name)) {
        text += family.scalar;
        (2..=4).for_each(|size| text += &of_vectors(family, size));
    }
    if used.contains("rx_layer") {
        text += LAYERS;
    }
    if used.contains("rx_matrixCompMult") {
        (2..=4).for_each(|columns| (2..=4).for_each(|rows| text += &of_matrices(columns, rows)));
    }
    text
}

fn of_vectors(family: &Family, size: u32) -> String {
    let vector = |kind: char| match kind {
        'f' => format!("vec{size}"),
        other => format!("{other}vec{size}"),
    };
    let scalar = |kind: char| match kind {
        'f' => "float",
        'i' => "int",
        _ => "uint",
    };
    let names = ["a", "b", "c", "d"];
    let params: Vec<String> = (family.params.iter().zip(names))
        .map(|((qualifier, kind), name)| format!("{qualifier}{} {name}", vector(*kind)))
        .collect();
    let mut body = String::new();
    // Components go through scalars: a component is no argument for naga.
    for ((qualifier, kind), name) in family.params.iter().zip(names) {
        if !qualifier.is_empty() {
            body += &format!("{} {name}0; ", scalar(*kind));
        }
    }
    if let Some(kind) = family.result {
        body += &format!("{} r; ", vector(kind));
    }
    for component in ["x", "y", "z", "w"].iter().take(size as usize) {
        let args: Vec<String> = (family.params.iter().zip(names))
            .map(
                |((qualifier, _), name)| {
                    if qualifier.is_empty() { format!("{name}.{component}") } else { format!("{name}0") }
                },
            )
            .collect();
        let result = if family.result.is_some() { format!("r.{component} = ") } else { String::new() };
        body += &format!("{result}{}({}); ", family.name, args.join(", "));
        for ((qualifier, _), name) in family.params.iter().zip(names) {
            if !qualifier.is_empty() {
                body += &format!("{name}.{component} = {name}0; ");
            }
        }
    }
    let (ret, end) = match family.result {
        Some(kind) => (vector(kind), "return r; "),
        None => (String::from("void"), ""),
    };
    format!("{ret} {}({}) {{ {body}{end}}}\n", family.name, params.join(", "))
}

fn of_matrices(columns: u32, rows: u32) -> String {
    let ty = format!("mat{columns}x{rows}");
    let parts: Vec<String> = (0..columns).map(|column| format!("a[{column}] * b[{column}]")).collect();
    format!("{ty} rx_matrixCompMult({ty} a, {ty} b) {{ return {ty}({}); }}\n", parts.join(", "))
}
