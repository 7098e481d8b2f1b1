//! Stages that stand beside the one that is tested, made from its words: one that writes what it reads, one that reads
//! what it writes. Written as SPIR-V text.
//!
//! Made from the words, not from the interface that the translator reports: the pipeline is to show what the module
//! declares, and another test compares the two.

use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass, Word};
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Control points of a patch's inputs in a tessellation stage, as SPIR-V modules declare them whatever their number.
const PATCH_POINTS: u32 = 32;

/// A type of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    /// Of a built-in that no stage gives.
    Bool,
    Float(u32),
    Int(u32, u32),
    Vector(Box<Type>, u32),
    Array(Box<Type>, u32),
}

/// Where an input or output stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Location { location: u32, component: u32 },
    BuiltIn(BuiltIn),
}

/// An input or output.
#[derive(Clone, Debug)]
struct Variable {
    place: Place,
    ty: Type,
    patch: bool,
    stream: u32,
}

impl Variable {
    /// Whether a stage before this one must write it: the rest of the built-ins come from Vulkan.
    fn comes_from_a_stage(&self) -> bool {
        match self.place {
            Place::Location { .. } => true,
            Place::BuiltIn(of) => {
                matches!(of, BuiltIn::Position | BuiltIn::PointSize | BuiltIn::ClipDistance | BuiltIn::CullDistance)
            }
        }
    }

    /// The type without the array over a primitive's vertices.
    fn of_one_vertex(&self) -> Type {
        match &self.ty {
            Type::Array(element, _) => (**element).clone(),
            other => panic!("{:?} is no array over vertices: {other:?}", self.place),
        }
    }
}

/// What a module's entry point reads or writes.
pub struct Variables(Vec<Variable>);

impl Variables {
    /// Its inputs.
    pub fn inputs(module: &Module) -> Variables {
        Variables(variables(module, StorageClass::Input))
    }

    /// Its outputs.
    pub fn outputs(module: &Module) -> Variables {
        Variables(variables(module, StorageClass::Output))
    }

    /// A vertex shader that writes them. `over_vertices`: the reader sees each as an array over a primitive's vertices.
    pub fn vertex_giver(&self, over_vertices: bool) -> Vec<u32> {
        let mut text = Text::default();
        let mut position = false;
        for variable in self.0.iter().filter(|v| v.comes_from_a_stage()) {
            let ty = if over_vertices { variable.of_one_vertex() } else { variable.ty.clone() };
            position |= variable.place == Place::BuiltIn(BuiltIn::Position);
            let id = text.variable("Output", variable.place, &ty, &[]);
            text.store_zero(&id, &ty);
        }
        if !position {
            text.position();
        }
        text.module("Shader", "Vertex", "")
    }

    /// A hull shader that writes them and every tessellation factor.
    pub fn hull_giver(&self, control_points: u32) -> Vec<u32> {
        let mut text = Text::default();
        for variable in self.0.iter().filter(|v| v.comes_from_a_stage()) {
            if variable.patch {
                let id = text.variable("Output", variable.place, &variable.ty, &["Patch"]);
                text.store_zero(&id, &variable.ty);
            } else {
                let ty = variable.of_one_vertex();
                let all = Type::Array(Box::new(ty.clone()), control_points);
                let id = text.variable("Output", variable.place, &all, &[]);
                text.store_zero_at_invocation(&id, &ty);
            }
        }
        for (factor, count) in [(BuiltIn::TessLevelOuter, 4), (BuiltIn::TessLevelInner, 2)] {
            let ty = Type::Array(Box::new(Type::Float(32)), count);
            let id = text.variable("Output", Place::BuiltIn(factor), &ty, &["Patch"]);
            text.store_zero(&id, &ty);
        }
        text.module(
            "Tessellation",
            "TessellationControl",
            &format!("OpExecutionMode %main OutputVertices {control_points}\n"),
        )
    }

    /// A domain shader that reads them.
    pub fn domain_taker(&self, domain: &str) -> Vec<u32> {
        let mut text = Text::default();
        for variable in self.0.iter().filter(|v| v.comes_from_a_stage()) {
            let (ty, decorations) = match variable.patch {
                true => (variable.ty.clone(), &["Patch"][..]),
                false => (Type::Array(Box::new(variable.of_one_vertex()), PATCH_POINTS), &[][..]),
            };
            let id = text.variable("Input", variable.place, &ty, decorations);
            text.load(&id, &ty);
        }
        text.position();
        let domain = match domain {
            "isoline" => "Isolines",
            "quad" => "Quads",
            _ => "Triangles",
        };
        text.module("Tessellation", "TessellationEvaluation", &format!("OpExecutionMode %main {domain}\n"))
    }

    /// A pixel shader that reads them.
    pub fn pixel_taker(&self) -> Vec<u32> {
        let mut text = Text::default();
        for variable in self.0.iter().filter(|v| matches!(v.place, Place::Location { .. }) && v.stream == 0) {
            let id = text.variable("Input", variable.place, &variable.ty, &["Flat"]);
            text.load(&id, &variable.ty);
        }
        text.module("Shader", "Fragment", "OpExecutionMode %main OriginUpperLeft\n")
    }
}

/// The variables of a storage class that the module declares.
fn variables(module: &Module, class: StorageClass) -> Vec<Variable> {
    let mut found = Vec::new();
    for variable in &module.types_global_values {
        let is_one = variable.class.opcode == Op::Variable && variable.operands[0] == Operand::StorageClass(class);
        if !is_one {
            continue;
        }
        let id = variable.result_id.unwrap();
        let decoration = |wanted| decoration(module, id, wanted);
        let number = |wanted| decoration(wanted).map(|operands| operands[2].unwrap_literal_bit32());
        let place = match (number(Decoration::Location), decoration(Decoration::BuiltIn)) {
            (Some(location), _) => Place::Location { location, component: number(Decoration::Component).unwrap_or(0) },
            (None, Some(operands)) => Place::BuiltIn(operands[2].unwrap_built_in()),
            (None, None) => panic!("%{id} has neither a location nor is it a built-in"),
        };
        let pointer = definition(module, variable.result_type.unwrap());
        found.push(Variable {
            place,
            ty: type_of(module, pointer.operands[1].unwrap_id_ref()),
            patch: decoration(Decoration::Patch).is_some(),
            stream: number(Decoration::Stream).unwrap_or(0),
        });
    }
    found
}

fn decoration(module: &Module, id: Word, wanted: Decoration) -> Option<&[Operand]> {
    let is_it = |i: &&Instruction| {
        i.class.opcode == Op::Decorate && i.operands[..2] == [Operand::IdRef(id), Operand::Decoration(wanted)]
    };
    module.annotations.iter().find(is_it).map(|i| &i.operands[..])
}

fn definition(module: &Module, id: Word) -> &Instruction {
    let found = module.types_global_values.iter().find(|i| i.result_id == Some(id));
    found.unwrap_or_else(|| panic!("%{id} is not defined"))
}

fn type_of(module: &Module, id: Word) -> Type {
    let ty = definition(module, id);
    let number = |n: usize| ty.operands[n].unwrap_literal_bit32();
    let element = || Box::new(type_of(module, ty.operands[0].unwrap_id_ref()));
    match ty.class.opcode {
        Op::TypeBool => Type::Bool,
        Op::TypeFloat => Type::Float(number(0)),
        Op::TypeInt => Type::Int(number(0), number(1)),
        Op::TypeVector => Type::Vector(element(), number(1)),
        Op::TypeArray => {
            let length = definition(module, ty.operands[1].unwrap_id_ref());
            Type::Array(element(), length.operands[0].unwrap_literal_bit32())
        }
        other => panic!("an input or output of {other:?}"),
    }
}

/// A module that is being written. A type's name says what it is, so that each is declared once.
#[derive(Default)]
struct Text {
    declared: BTreeMap<String, ()>,
    types: String,
    decorations: String,
    interface: String,
    capabilities: String,
    code: String,
    ids: u32,
}

impl Text {
    fn declare(&mut self, name: String, definition: &str) -> String {
        if self.declared.insert(name.clone(), ()).is_none() {
            let _ = writeln!(self.types, "{name} = {definition}");
        }
        name
    }

    fn ty(&mut self, ty: &Type) -> String {
        match ty {
            Type::Bool => panic!("no stage gives a boolean"),
            Type::Float(width) => {
                if *width == 64 {
                    self.capability("Float64");
                }
                self.declare(format!("%f{width}"), &format!("OpTypeFloat {width}"))
            }
            Type::Int(width, signed) => {
                self.declare(format!("%i{width}_{signed}"), &format!("OpTypeInt {width} {signed}"))
            }
            Type::Vector(element, n) => {
                let element = self.ty(element);
                self.declare(format!("{element}v{n}"), &format!("OpTypeVector {element} {n}"))
            }
            Type::Array(element, n) => {
                let (element, length) = (self.ty(element), self.length(*n));
                self.declare(format!("{element}a{n}"), &format!("OpTypeArray {element} {length}"))
            }
        }
    }

    fn length(&mut self, n: u32) -> String {
        let int = self.ty(&Type::Int(32, 0));
        self.declare(format!("%n{n}"), &format!("OpConstant {int} {n}"))
    }

    fn capability(&mut self, name: &str) {
        if self.declared.insert(name.to_owned(), ()).is_none() {
            let _ = writeln!(self.capabilities, "OpCapability {name}");
        }
    }

    fn id(&mut self) -> String {
        self.ids += 1;
        format!("%x{}", self.ids)
    }

    fn variable(&mut self, class: &str, place: Place, ty: &Type, decorations: &[&str]) -> String {
        let (ty, id) = (self.ty(ty), self.id());
        let pointer = self.declare(format!("{ty}_{class}"), &format!("OpTypePointer {class} {ty}"));
        let _ = writeln!(self.types, "{id} = OpVariable {pointer} {class}");
        let _ = write!(self.interface, " {id}");
        let _ = match place {
            Place::Location { location, component } => {
                writeln!(self.decorations, "OpDecorate {id} Location {location}\nOpDecorate {id} Component {component}")
            }
            Place::BuiltIn(of) => {
                match of {
                    BuiltIn::ClipDistance => self.capability("ClipDistance"),
                    BuiltIn::CullDistance => self.capability("CullDistance"),
                    _ => {}
                }
                writeln!(self.decorations, "OpDecorate {id} BuiltIn {of:?}")
            }
        };
        for decoration in decorations {
            let _ = writeln!(self.decorations, "OpDecorate {id} {decoration}");
        }
        id
    }

    fn zero(&mut self, ty: &Type) -> String {
        let ty = self.ty(ty);
        self.declare(format!("{ty}_zero"), &format!("OpConstantNull {ty}"))
    }

    fn store_zero(&mut self, id: &str, ty: &Type) {
        let zero = self.zero(ty);
        let _ = writeln!(self.code, "OpStore {id} {zero}");
    }

    /// Stores in the element of this invocation, which is all that a hull shader may write.
    fn store_zero_at_invocation(&mut self, id: &str, ty: &Type) {
        let int = Type::Int(32, 0);
        if !self.declared.contains_key("%invocation") {
            self.declared.insert("%invocation".to_owned(), ());
            let variable = self.variable("Input", Place::BuiltIn(BuiltIn::InvocationId), &int, &[]);
            let int = self.ty(&int);
            self.code = format!("%invocation = OpLoad {int} {variable}\n{}", self.code);
        }
        let (zero, element, at) = (self.zero(ty), self.ty(ty), self.id());
        let pointer = self.declare(format!("{element}_Output"), &format!("OpTypePointer Output {element}"));
        let _ = writeln!(self.code, "{at} = OpAccessChain {pointer} {id} %invocation\nOpStore {at} {zero}");
    }

    fn load(&mut self, id: &str, ty: &Type) {
        let (ty, value) = (self.ty(ty), self.id());
        let _ = writeln!(self.code, "{value} = OpLoad {ty} {id}");
    }

    fn position(&mut self) {
        let ty = Type::Vector(Box::new(Type::Float(32)), 4);
        let id = self.variable("Output", Place::BuiltIn(BuiltIn::Position), &ty, &[]);
        self.store_zero(&id, &ty);
    }

    fn module(self, capability: &str, model: &str, modes: &str) -> Vec<u32> {
        let Text { types, decorations, interface, capabilities, code, .. } = self;
        let text = format!(
            "OpCapability {capability}\n{capabilities}OpMemoryModel Logical GLSL450\n\
             OpEntryPoint {model} %main \"main\"{interface}\n{modes}{decorations}%void = OpTypeVoid\n\
             %entry = OpTypeFunction %void\n{types}%main = OpFunction %void None %entry\n%start = OpLabel\n{code}\
             OpReturn\nOpFunctionEnd\n"
        );
        let assembler = assembler::create(Some(TargetEnv::Vulkan_1_3));
        let binary = assembler.assemble(&text, assembler::AssemblerOptions::default());
        let binary = binary.unwrap_or_else(|e| panic!("{e}\n{text}"));
        AsRef::<[u32]>::as_ref(&binary).to_vec()
    }
}
