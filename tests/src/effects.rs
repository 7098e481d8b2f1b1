//! A writer of effects for tests, from the format's description alone: header, heap, tables.
//!
//! Uses nothing but the standard library, so that tests of other crates can include the file.

/// Version words.
pub const FX_4_0: u32 = 0xfeff_1001;
/// `fx_4_1`.
pub const FX_4_1: u32 = 0xfeff_1011;
/// `fx_5_0`.
pub const FX_5_0: u32 = 0xfeff_2001;

/// Stages by the number of their state in a pass.
pub mod state {
    #![allow(missing_docs)]
    pub const BLEND: u32 = 2;
    pub const VERTEX: u32 = 6;
    pub const PIXEL: u32 = 7;
    pub const GEOMETRY: u32 = 8;
    pub const HULL: u32 = 56;
    pub const DOMAIN: u32 = 57;
    pub const COMPUTE: u32 = 58;
}

/// What a pass assigns to a state.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// `NULL`.
    Null,
    /// `CompileShader(…)`, with a stream output declaration or an empty text.
    Shader(&'a [u8], &'a str),
    /// A variable.
    Variable(&'a str),
    /// An element of an array.
    Element(&'a str, u32),
    /// An element that another variable chooses.
    Chosen(&'a str, &'a str),
}

/// An object variable.
#[derive(Clone, Debug)]
pub enum Object<'a> {
    /// A shader: the state's number, a name, and the elements, of which `None` is `NULL`. An array unless there is
    /// exactly one element.
    Shader(u32, &'a str, Vec<Option<&'a [u8]>>),
    /// A geometry shader of `fx_4_0` with a stream output declaration.
    GeometryWithOutput(&'a str, &'a [u8], &'a str),
    /// A sampler with some assignments.
    Sampler(&'a str, u32),
    /// A texture array.
    Texture(&'a str, u32),
    /// A string.
    Text(&'a str, &'a str),
}

/// A pass: name and assignments.
pub type Pass<'a> = (&'a str, Vec<(u32, Value<'a>)>);
/// A technique: name and passes.
pub type Technique<'a> = (&'a str, Vec<Pass<'a>>);

/// An effect to write.
#[derive(Clone, Debug, Default)]
pub struct Effect<'a> {
    /// Version word.
    pub version: u32,
    /// Constant buffers, each with its variables' names.
    pub buffers: Vec<(&'a str, Vec<&'a str>)>,
    /// Object variables.
    pub objects: Vec<Object<'a>>,
    /// Buffers of a pool, each with its variables' names; and shaders of a pool.
    pub pool: (Vec<(&'a str, Vec<&'a str>)>, Vec<&'a str>),
    /// Interface variables (`fx_5_0`).
    pub interfaces: Vec<&'a str>,
    /// Groups of techniques; of `fx_4_0` and `fx_4_1` the techniques of all.
    pub groups: Vec<(&'a str, Vec<Technique<'a>>)>,
    /// Every buffer, variable, group, technique and pass gets a number and two strings as annotations.
    pub annotated: bool,
}

/// The heap and the tables.
struct Writer {
    heap: Vec<u8>,
    tables: Vec<u8>,
    is_5: bool,
    annotated: bool,
    shaders: u32,
    inline: u32,
}

impl Writer {
    fn table(&mut self, words: &[u32]) {
        self.tables.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    fn data(&mut self, words: &[u32]) -> u32 {
        let at = self.heap.len() as u32;
        self.heap.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        at
    }

    /// A name; the empty one is the heap's first byte.
    fn name(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let at = self.heap.len() as u32;
        self.heap.extend(name.as_bytes());
        self.heap.push(0);
        at
    }

    fn block(&mut self, bytes: &[u8]) -> u32 {
        self.shaders += 1;
        let at = self.data(&[bytes.len() as u32]);
        self.heap.extend(bytes);
        at
    }

    /// A type of an object, with so many elements; 0 for no array.
    fn object_type(&mut self, object: u32, elements: u32) -> u32 {
        let name = self.name("object");
        self.data(&[name, 2, elements, 0, 0, 0, object])
    }

    /// `float4`.
    fn float4(&mut self) -> u32 {
        let name = self.name("float4");
        // Vector of floats, one row of four columns.
        self.data(&[name, 1, 0, 16, 16, 16, 2 | 1 << 3 | 1 << 8 | 4 << 11])
    }

    fn annotations(&mut self) {
        if !self.annotated {
            return self.table(&[0]);
        }
        let (number, texts) = (self.float4(), self.object_type(1, 2));
        let name = self.name("note");
        let value = self.data(&[0; 4]);
        self.table(&[2, name, number, value, name, texts, name, name]);
    }

    fn shader_5(&mut self, bytes: &[u8], output: &str) -> [u32; 9] {
        let (shader, declaration) = (self.block(bytes), self.name(output));
        [shader, declaration, 0, 0, 0, u32::from(declaration != 0), 0, 0, 0]
    }

    fn object(&mut self, object: &Object<'_>) {
        match object {
            Object::Shader(state, name, elements) => {
                let count = if elements.len() == 1 { 0 } else { elements.len() as u32 };
                let (ty, name) = (self.object_type(shader_type(*state, self.is_5), count), self.name(name));
                self.table(&[name, ty, 0, u32::MAX]);
                for element in elements {
                    let bytes = element.unwrap_or_default();
                    if self.is_5 {
                        let words = self.shader_5(bytes, "");
                        self.table(&words);
                    } else {
                        let block = self.block(bytes);
                        self.table(&[block]);
                    }
                }
            }
            Object::GeometryWithOutput(name, bytes, output) => {
                let (ty, name) = (self.object_type(8, 0), self.name(name));
                let (block, output) = (self.block(bytes), self.name(output));
                self.table(&[name, ty, 0, u32::MAX, block, output]);
            }
            Object::Sampler(name, assignments) => {
                let (ty, name) = (self.object_type(21, 0), self.name(name));
                self.table(&[name, ty, 0, u32::MAX, *assignments]);
                let value = self.data(&[1, 3, 1]);
                for _ in 0..*assignments {
                    self.table(&[45, 0, 1, value]);
                }
            }
            Object::Texture(name, elements) => {
                let (ty, name) = (self.object_type(12, *elements), self.name(name));
                self.table(&[name, ty, 0, 3]);
            }
            Object::Text(name, text) => {
                let (ty, name) = (self.object_type(1, 0), self.name(name));
                let text = self.name(text);
                self.table(&[name, ty, 0, u32::MAX, text]);
            }
        }
        self.annotations();
    }

    fn buffer(&mut self, (name, variables): &(&str, Vec<&str>), pool: bool) {
        let name = self.name(name);
        self.table(&[name, 64, 0, variables.len() as u32, u32::MAX]);
        if !pool {
            self.annotations();
        }
        for variable in variables {
            let (ty, name) = (self.float4(), self.name(variable));
            // Of a variable with a packoffset: flag 4.
            self.table(&[name, ty, 0, 0, 0, 4]);
            if !pool {
                self.annotations();
            }
        }
    }

    fn technique(&mut self, (name, passes): &Technique<'_>) {
        let name = self.name(name);
        self.table(&[name, passes.len() as u32]);
        self.annotations();
        for (name, values) in passes {
            let name = self.name(name);
            self.table(&[name, values.len() as u32]);
            self.annotations();
            for (state, value) in values {
                let (form, value) = self.value(value);
                self.table(&[*state, 0, form, value]);
            }
        }
    }

    fn value(&mut self, value: &Value<'_>) -> (u32, u32) {
        match value {
            Value::Null => (1, self.data(&[1, 2, 0])),
            Value::Shader(bytes, output) if self.is_5 => {
                self.inline += 1;
                let words = self.shader_5(bytes, output);
                (8, self.data(&words))
            }
            Value::Shader(bytes, output) => {
                self.inline += 1;
                let words = [self.block(bytes), self.name(output)];
                (7, self.data(&words))
            }
            Value::Variable(name) => (2, self.name(name)),
            Value::Element(name, index) => {
                let name = self.name(name);
                (3, self.data(&[name, *index]))
            }
            Value::Chosen(name, index) => {
                let words = [self.name(name), self.name(index)];
                (4, self.data(&words))
            }
        }
    }
}

fn shader_type(of: u32, is_5: bool) -> u32 {
    match (of, is_5) {
        (state::PIXEL, false) => 5,
        (state::VERTEX, false) => 6,
        (state::GEOMETRY, false) => 7,
        (state::PIXEL, true) => 25,
        (state::VERTEX, true) => 26,
        (state::GEOMETRY, true) => 27,
        (state::COMPUTE, _) => 28,
        (state::HULL, _) => 29,
        _ => 30,
    }
}

impl Effect<'_> {
    /// The effect's bytes, without a container.
    pub fn write(&self) -> Vec<u8> {
        let is_5 = self.version == FX_5_0;
        let mut writer =
            Writer { heap: vec![0; 4], tables: Vec::new(), is_5, annotated: self.annotated, shaders: 0, inline: 0 };
        self.buffers.iter().for_each(|buffer| writer.buffer(buffer, false));
        self.objects.iter().for_each(|object| writer.object(object));
        self.pool.0.iter().for_each(|buffer| writer.buffer(buffer, true));
        for name in &self.pool.1 {
            let (ty, name) = (writer.object_type(6, 0), writer.name(name));
            writer.table(&[name, ty, 0, u32::MAX]);
        }
        for name in &self.interfaces {
            let name = writer.name(name);
            let ty = writer.data(&[name, 4, 0, 0, 0, 0]);
            writer.table(&[name, ty, 0, 0]);
            writer.annotations();
        }
        for (name, techniques) in &self.groups {
            if is_5 {
                let name = writer.name(name);
                writer.table(&[name, techniques.len() as u32]);
                writer.annotations();
            }
            techniques.iter().for_each(|technique| writer.technique(technique));
        }
        let count = |all: &[(&str, Vec<&str>)]| all.iter().map(|(_, names)| names.len() as u32).sum::<u32>();
        let techniques = self.groups.iter().map(|(_, techniques)| techniques.len() as u32).sum();
        let mut header = vec![self.version, self.buffers.len() as u32, count(&self.buffers), self.objects.len() as u32];
        header.extend([self.pool.0.len() as u32, count(&self.pool.0), self.pool.1.len() as u32, techniques]);
        header.push(writer.heap.len() as u32);
        // Counts of states and views, which only a runtime needs.
        header.extend([0; 8]);
        header.extend([writer.shaders, writer.inline]);
        if is_5 {
            header.extend([self.groups.len() as u32, 0, self.interfaces.len() as u32, 0, 0]);
        }
        let header = header.iter().flat_map(|word| word.to_le_bytes());
        header.chain(writer.heap).chain(writer.tables).collect()
    }
}
