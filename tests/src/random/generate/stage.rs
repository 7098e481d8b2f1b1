//! What surrounds a program's statements: declarations, the values that registers begin with, results, what is bound.

use super::operand::{ARRAYS, CONSTANTS};
use super::plan::Kind;
use super::{Generator, Pool, memory, temps, textures};
use crate::random::case::{Attribute, Launch, PIXELS, Resource, Varying, View};
use crate::random::numbers::Numbers;
use rx_translate::interface::{Component, ResourceClass};
use std::fmt::Write;

/// Numbers of the unordered access views, from the first that the stage has on.
pub(super) const RESULTS: u32 = 0;
pub(super) const OWN_RAW: u32 = 1;
pub(super) const OWN_RECORDS: u32 = 2;
pub(super) const OWN_TEXELS: u32 = 3;
pub(super) const ACCUMULATORS: u32 = 4;
pub(super) const APPENDED: u32 = 5;
pub(super) const CONSUMED: u32 = 6;

/// Bytes of a thread's record of first values: a register of integers and one of floats.
const FIRST_VALUES: u32 = 32;
/// Bytes that a thread which ends early stores before its other results.
const EARLY: u32 = 32;
/// Inputs `v1` and on: the first half are integers, the second floats.
const INPUTS: u32 = 4;

/// What the instructions name, so that it is declared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    /// Constant buffers, a bit each.
    pub constant_buffers: u32,
    /// Shader resources.
    pub resources: u32,
    /// Unordered access views, by their number here.
    pub views: u32,
}

/// An output register.
struct Output {
    register: u32,
    component: Component,
    /// The temporary that it gets at the end; without one, instructions write it.
    temp: Option<u32>,
}

impl Generator {
    fn ranges(&self) -> bool {
        self.plan.model == (5, 1)
    }

    /// `cb0[element]`.
    pub(super) fn constant_name(&self, buffer: u32, element: &str) -> String {
        if self.ranges() { format!("CB{buffer}[{buffer}][{element}]") } else { format!("cb{buffer}[{element}]") }
    }

    /// `t0`.
    pub(super) fn resource_name(&mut self, number: u32) -> String {
        self.used.resources |= 1 << number;
        if self.ranges() { format!("T{number}[{number}]") } else { format!("t{number}") }
    }

    /// `u0`: the register of a view.
    pub(super) fn view_name(&mut self, view: u32) -> String {
        self.used.views |= 1 << view;
        let number = self.view_register(view);
        if self.ranges() { format!("U{number}[{number}]") } else { format!("u{number}") }
    }

    /// Render targets come before the views.
    fn view_register(&self, view: u32) -> u32 {
        view + if self.plan.kind == Kind::Pixel { self.plan.outputs } else { 0 }
    }

    /// An input of a pool, where the stage has any.
    pub(super) fn input(&mut self, pool: Pool) -> Option<String> {
        if self.plan.kind == Kind::Compute || pool == Pool::Double || !self.numbers.chance(15) {
            return None;
        }
        let half = INPUTS / 2;
        let first = if pool == Pool::Bits { 1 } else { 1 + half };
        if self.numbers.chance(30) {
            let index = self.scratch();
            self.emit(format!("and {index}, r{}.x, l({})", temps::THREAD, half - 1));
            return Some(format!("v[{index} + {first}]"));
        }
        Some(format!("v{}", first + self.numbers.below(half)))
    }

    /// The thread's numbers.
    pub(super) fn identity(&mut self, swizzle: &str) -> String {
        let registers = ["vThreadID", "vThreadIDInGroup", "vThreadGroupID"];
        if self.plan.kind != Kind::Compute || self.numbers.chance(50) {
            return format!("r{}.{swizzle}", temps::THREAD);
        }
        format!("{}.{}", self.numbers.pick(&registers), swizzle.replace('w', "z"))
    }

    fn outputs(&self) -> Vec<Output> {
        let (uint, float) = (Component::Uint, Component::Float);
        let output =
            |(n, (component, temp)): (usize, (Component, Option<u32>))| Output { register: n as u32, component, temp };
        let five = [(uint, None), (float, None)];
        let (float_temps, sink) = (temps::FLOATS.start, temps::SINKS.start);
        let temps = [
            (uint, Some(0)),
            (uint, Some(1)),
            (uint, Some(2)),
            (float, Some(float_temps)),
            (float, Some(float_temps + 1)),
            (float, Some(sink)),
            (uint, None),
            (float, None),
        ];
        let targets: Vec<(Component, Option<u32>)> = match self.plan.kind {
            Kind::Compute => Vec::new(),
            Kind::Pixel if self.plan.model.0 == 5 => five[..self.plan.outputs as usize].to_vec(),
            Kind::Pixel => temps.to_vec(),
            Kind::Vertex => [(float, None)].into_iter().chain(temps).collect(),
        };
        targets.into_iter().enumerate().map(output).collect()
    }

    /// An output that instructions may write with what is in a pool.
    pub(super) fn free_output(&mut self, pool: Pool) -> Option<u32> {
        let component = if pool == Pool::Bits { Component::Uint } else { Component::Float };
        // A vertex shader's first output is the position.
        let free = |o: &Output| {
            o.temp.is_none() && o.component == component && !(self.plan.kind == Kind::Vertex && o.register == 0)
        };
        self.outputs().iter().find(|o| free(o)).map(|o| o.register)
    }

    pub(super) fn prologue(&mut self) {
        let thread = temps::THREAD;
        // No register is read before it is written: what is in it then is undefined.
        let own = [temps::TRASH, temps::THREAD];
        for register in temps::SCRATCH.into_iter().chain(own).chain(temps::COUNTERS) {
            self.emit(format!("mov r{register}.xyzw, l(0, 0, 0, 0)"));
        }
        match self.plan.kind {
            Kind::Compute => {
                let axis = super::operand::LETTERS[self.plan.groups.0];
                let size = self.plan.group_size();
                self.emit(format!("mov r{thread}.y, vThreadIDInGroupFlattened.x"));
                self.emit(format!("mov r{thread}.w, vThreadGroupID.{axis}"));
                self.emit(format!("imad r{thread}.x, r{thread}.w, l({size}), r{thread}.y"));
            }
            Kind::Pixel => {
                self.emit(format!("ftou r{thread}.yw, v0.xxxy"));
                self.emit(format!("imad r{thread}.x, r{thread}.w, l({PIXELS}), r{thread}.y"));
            }
            Kind::Vertex => {
                self.emit(format!("mov r{thread}.xyw, v{}.xxxx", INPUTS + 1));
            }
        }
        self.emit(format!("imul null, r{thread}.z, r{thread}.x, l({})", memory::REGION));
        self.first_values();
        if self.plan.arrays {
            for (array, elements) in ARRAYS.into_iter().enumerate() {
                let pool = if array == 0 { temps::BITS } else { temps::FLOATS };
                for element in 0..elements {
                    let register = pool.start + element % pool.len() as u32;
                    self.emit(format!("mov x{array}[{element}].xyzw, r{register}.xyzw"));
                }
            }
        }
        for output in self.outputs() {
            self.emit(format!("mov o{}.xyzw, l(0, 0, 0, 0)", output.register));
        }
        if self.plan.kind == Kind::Vertex {
            self.emit("mov o0.xyzw, v0.xyzw");
        }
        self.constants = table(&mut self.numbers, self.plan.constants);
    }

    /// Each pool's registers, different in every thread. Loads from memory are few: a software driver takes long to
    /// compile one.
    fn first_values(&mut self) {
        let thread = temps::THREAD;
        self.used.constant_buffers |= 3;
        let [bits, more, last] = [0, 1, 2].map(|n| temps::BITS.start + n);
        let [floats, chosen, counted] = [0, 1, 2].map(|n| temps::FLOATS.start + n);
        let integer = |n: u32| self.constant_name(0, &n.to_string());
        let float = |n: u32| self.constant_name(1, &n.to_string());
        let (sink, trash) = (temps::SINKS.start, temps::TRASH);
        let mut lines = vec![
            format!("mov r{bits}.xyzw, {}.xyzw", integer(0)),
            format!("mov r{more}.xyzw, {}.xyzw", integer(1)),
            format!("mov r{last}.xyzw, r{thread}.yxzw"),
            format!("mov r{floats}.xyzw, {}.xyzw", float(0)),
            format!("mov r{chosen}.xyzw, {}.xyzw", float(1)),
            format!("mov r{counted}.xyzw, {}.xyzw", float(3)),
            format!("mov r{sink}.xyzw, {}.xyzw", float(4)),
            format!("mov r{}.xyzw, {}.xyzw", sink + 1, float(5)),
            format!("xor r{bits}.xyzw, r{bits}.xyzw, r{thread}.xyzx"),
            format!("imad r{last}.xyzw, r{last}.xyzw, {}.xyzw, {}.xyzw", integer(2), integer(3)),
            format!("and r{trash}.xy, r{thread}.xyxx, l(1, 1, 0, 0)"),
            format!("movc r{chosen}.xyzw, r{trash}.xyxy, r{chosen}.xyzw, {}.xyzw", float(2)),
            format!("utof r{counted}.yw, r{thread}.xyzw"),
        ];
        if self.plan.kind != Kind::Compute {
            lines.push(format!("mov r{more}.xyzw, v1.xyzw"));
            lines.push(format!("mov r{floats}.xyzw, v3.xyzw"));
        }
        if self.plan.doubles {
            self.used.constant_buffers |= 4;
            for (n, register) in temps::DOUBLES.enumerate() {
                lines.push(format!("mov r{register}.xyzw, {}.xyzw", self.constant_name(2, &n.to_string())));
            }
            lines.push(format!("utod r{}.xy, r{thread}.xyxx", temps::DOUBLES.start));
        }
        if self.plan.records {
            let name = self.resource_name(0);
            lines.push(format!("ld_structured r{more}.xyzw, r{thread}.x, l(0), {name}.xyzw"));
            lines.push(format!("ld_structured r{chosen}.xyzw, r{thread}.x, l(16), {name}.xyzw"));
        }
        lines.into_iter().for_each(|line| self.emit(line));
    }

    /// What a thread stores before it ends early.
    pub(super) fn early_results(&mut self) {
        if !self.plan.has_results_buffer() {
            return self.epilogue();
        }
        let name = self.view_name(RESULTS);
        for (n, pool) in [Pool::Bits, Pool::Float].into_iter().enumerate() {
            let register = self.temp(pool);
            let thread = temps::THREAD;
            self.emit(format!("store_structured {name}.xyzw, r{thread}.x, l({}), r{register}.xyzw", n * 16));
        }
    }

    /// Stores the registers of the pools: those of bits in a sum that every one of them changes, the others as they are.
    pub(super) fn epilogue(&mut self) {
        for output in self.outputs() {
            if let Some(temp) = output.temp {
                self.emit(format!("mov o{}.xyzw, r{temp}.xyzw", output.register));
            }
        }
        if !self.plan.has_results_buffer() {
            return;
        }
        let (name, thread, sum) = (self.view_name(RESULTS), temps::THREAD, temps::TRASH);
        let mut bits: Vec<String> = temps::BITS.map(|register| format!("r{register}")).collect();
        let mut floats: Vec<String> =
            temps::FLOATS.chain(temps::SINKS).map(|register| format!("r{register}")).collect();
        if self.plan.doubles {
            floats.extend(temps::DOUBLES.map(|register| format!("r{register}")));
        }
        if self.plan.arrays {
            bits.extend((0..ARRAYS[0]).map(|element| format!("x0[{element}]")));
            floats.extend((0..ARRAYS[1]).map(|element| format!("x1[{element}]")));
        }
        self.emit(format!("mov r{sum}.xyzw, l(0, 0, 0, 0)"));
        for from in bits {
            self.emit(format!("imad r{sum}.xyzw, r{sum}.yzwx, l(3, 5, 7, 9), {from}.xyzw"));
        }
        let all = std::iter::once(format!("r{sum}")).chain(floats);
        for (n, from) in all.enumerate() {
            let offset = EARLY + n as u32 * 16;
            self.emit(format!("store_structured {name}.xyzw, r{thread}.x, l({offset}), {from}.xyzw"));
        }
    }

    fn results_stride(&self) -> u32 {
        let floats = (temps::FLOATS.len() + temps::SINKS.len()) as u32;
        let doubles = if self.plan.doubles { temps::DOUBLES.len() as u32 } else { 0 };
        let array = if self.plan.arrays { ARRAYS[1] } else { 0 };
        EARLY + 16 * (1 + floats + doubles + array)
    }

    /// Version, declarations, instructions.
    pub(super) fn assemble_text(&self) -> String {
        let mut text = String::new();
        let (major, minor) = self.plan.model;
        let stage = match self.plan.kind {
            Kind::Compute => "cs",
            Kind::Pixel => "ps",
            Kind::Vertex => "vs",
        };
        let _ = writeln!(text, "{stage}_{major}_{minor}");
        self.signatures(&mut text);
        self.flags(&mut text);
        if !self.constants.is_empty() {
            let element = |e: &[u32; 4]| format!("{{ {:#x}, {:#x}, {:#x}, {:#x} }}", e[0], e[1], e[2], e[3]);
            let elements: Vec<String> = self.constants.iter().map(element).collect();
            let _ = writeln!(text, "dcl_immediateConstantBuffer {{ {} }}", elements.join(", "));
        }
        self.declare_resources(&mut text);
        self.declare_inputs(&mut text);
        let _ = writeln!(text, "dcl_temps {}", temps::COUNT);
        if self.plan.arrays {
            for (array, elements) in ARRAYS.into_iter().enumerate() {
                let _ = writeln!(text, "dcl_indexableTemp x{array}[{elements}], 4");
            }
        }
        if self.plan.memory.group_memory {
            let (threads, region) = (self.plan.group_size(), memory::REGION);
            let _ = writeln!(text, "dcl_tgsm_raw g0, {}", threads * region + memory::ACCUMULATORS * 4);
            let _ = writeln!(text, "dcl_tgsm_structured g1, {region}, {threads}");
        }
        if self.plan.kind == Kind::Compute {
            let [x, y, z] = self.plan.group;
            let _ = writeln!(text, "dcl_thread_group {x}, {y}, {z}");
        }
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    fn flags(&self, text: &mut String) {
        let mut flags = Vec::new();
        if self.plan.refactoring {
            flags.push("refactoringAllowed");
        }
        if self.plan.doubles {
            flags.extend(["enableDoublePrecisionFloatOps", "enable11_1DoubleExtensions"]);
        }
        if !flags.is_empty() {
            let _ = writeln!(text, "dcl_globalFlags {}", flags.join(" | "));
        }
    }

    fn signatures(&self, text: &mut String) {
        let name = |component: Component| if component == Component::Uint { "uint" } else { "float" };
        match self.plan.kind {
            Kind::Compute => return,
            Kind::Pixel => text.push_str(".input SV_Position 0 register=0 mask=xyzw\n"),
            Kind::Vertex => text.push_str(".input POSITION 0 register=0 mask=xyzw\n"),
        }
        for n in 0..INPUTS {
            let ty = name(input_component(n));
            let _ = writeln!(text, ".input TEXCOORD {n} register={} mask=xyzw type={ty}", n + 1);
        }
        if self.plan.kind == Kind::Vertex {
            let _ = writeln!(text, ".input SV_VertexID 0 register={} mask=x type=uint", INPUTS + 1);
        }
        for output in self.outputs() {
            let (n, ty) = (output.register, name(output.component));
            let _ = match (self.plan.kind, n) {
                (Kind::Vertex, 0) => writeln!(text, ".output SV_Position 0 register=0 mask=xyzw"),
                (Kind::Vertex, _) => writeln!(text, ".output TEXCOORD {} register={n} mask=xyzw type={ty}", n - 1),
                _ => writeln!(text, ".output SV_Target {n} register={n} mask=xyzw type={ty}"),
            };
        }
    }

    fn declare_resources(&self, text: &mut String) {
        let ranges = self.ranges();
        let space = if ranges { ", space=0" } else { "" };
        let name = |letter: char, n: u32| match ranges {
            true => format!("{}{n}[{n}:{n}]", letter.to_ascii_uppercase()),
            false => format!("{letter}{n}"),
        };
        for buffer in (0..3).filter(|n| self.used.constant_buffers & 1 << n != 0) {
            let range = if ranges { format!("CB{buffer}[{buffer}:{buffer}]") } else { format!("cb{buffer}") };
            let _ = writeln!(text, "dcl_constantbuffer {range}[{CONSTANTS}], dynamicIndexed{space}");
        }
        let returns = [self.plan.texel_format.returns; 4].join(",");
        for number in (0..8).filter(|n| self.used.resources & 1 << n != 0) {
            let name = name('t', number);
            let _ = match number {
                0 => writeln!(text, "dcl_resource_structured {name}, {FIRST_VALUES}{space}"),
                1 => writeln!(text, "dcl_resource_raw {name}{space}"),
                2 => writeln!(text, "dcl_resource_structured {name}, {}{space}", memory::RECORD),
                3 => writeln!(text, "dcl_resource_buffer ({returns}) {name}{space}"),
                _ if self.plan.layered => writeln!(text, "dcl_resource_texture2darray ({returns}) {name}{space}"),
                _ => writeln!(text, "dcl_resource_texture2d ({returns}) {name}{space}"),
            };
        }
        for view in (0..8).filter(|n| self.used.views & 1 << n != 0) {
            let name = name('u', self.view_register(view));
            let _ = match view {
                RESULTS => writeln!(text, "dcl_uav_structured {name}, {}{space}", self.results_stride()),
                OWN_RAW | ACCUMULATORS => writeln!(text, "dcl_uav_raw {name}{space}"),
                OWN_RECORDS => writeln!(text, "dcl_uav_structured {name}, {}{space}", memory::REGION),
                OWN_TEXELS => writeln!(text, "dcl_uav_typed_buffer (uint,uint,uint,uint) {name}{space}"),
                _ => writeln!(text, "dcl_uav_structured_opc {name}, 4{space}"),
            };
        }
    }

    fn declare_inputs(&self, text: &mut String) {
        match self.plan.kind {
            Kind::Compute => {
                for register in ["vThreadIDInGroupFlattened", "vThreadID.xyz", "vThreadIDInGroup.xyz"] {
                    let _ = writeln!(text, "dcl_input {register}");
                }
                let _ = writeln!(text, "dcl_input vThreadGroupID.xyz");
            }
            Kind::Pixel => {
                let _ = writeln!(text, "dcl_input_ps_siv linear noperspective v0.xy, position");
                for n in 1..=INPUTS {
                    let _ = writeln!(text, "dcl_input_ps constant v{n}.xyzw");
                }
            }
            Kind::Vertex => {
                for n in 0..=INPUTS {
                    let _ = writeln!(text, "dcl_input v{n}.xyzw");
                }
                let _ = writeln!(text, "dcl_input_sgv v{}.x, vertex_id", INPUTS + 1);
            }
        }
        if self.plan.kind != Kind::Compute {
            let half = INPUTS / 2;
            let _ = writeln!(text, "dcl_indexrange v1.xyzw {half}\ndcl_indexrange v{}.xyzw {half}", 1 + half);
        }
        for output in self.outputs() {
            let _ = match (self.plan.kind, output.register) {
                (Kind::Vertex, 0) => writeln!(text, "dcl_output_siv o0.xyzw, position"),
                (_, n) => writeln!(text, "dcl_output o{n}.xyzw"),
            };
        }
    }

    pub(super) fn launch(&mut self) -> Launch {
        let outputs: Vec<Component> = self.outputs().iter().map(|output| output.component).collect();
        let numbers = &mut self.numbers;
        match self.plan.kind {
            Kind::Compute => {
                let (axis, count) = self.plan.groups;
                let mut groups = [1; 3];
                groups[axis] = count;
                Launch::Compute { groups }
            }
            Kind::Pixel => {
                let varying = |n| {
                    let component = input_component(n);
                    Varying { component, value: value(numbers, component) }
                };
                Launch::Pixels { inputs: (0..INPUTS).map(varying).collect(), targets: outputs }
            }
            Kind::Vertex => {
                let attribute = |n| {
                    let component = input_component(n);
                    let values = (0..PIXELS).map(|_| value(numbers, component)).collect();
                    Attribute { component, values }
                };
                let attributes = (0..INPUTS).map(attribute).collect();
                Launch::Vertices { attributes, count: PIXELS, outputs: outputs[1..].to_vec() }
            }
        }
    }

    pub(super) fn resources(&mut self) -> Vec<Resource> {
        let threads = self.plan.threads();
        let used = self.used;
        let mut all = Vec::new();
        for buffer in (0..3).filter(|n| used.constant_buffers & 1 << n != 0) {
            let words = match buffer {
                0 => integers(&mut self.numbers, CONSTANTS * 4),
                1 => floats(&mut self.numbers, CONSTANTS * 4),
                _ => (0..CONSTANTS * 2).flat_map(|_| self.numbers.double()).collect(),
            };
            all.push(Resource { register: (ResourceClass::Cbv, 0, buffer), view: View::Constants, words });
        }
        for number in (0..8).filter(|n| used.resources & 1 << n != 0) {
            let (view, words) = self.resource(number, threads);
            all.push(Resource { register: (ResourceClass::Srv, 0, number), view, words });
        }
        for view in (0..8).filter(|n| used.views & 1 << n != 0) {
            let register = self.view_register(view);
            let (kind, words) = self.view(view, threads);
            all.push(Resource { register: (ResourceClass::Uav, 0, register), view: kind, words });
            if matches!(view, APPENDED | CONSUMED) {
                let first = if view == APPENDED { self.numbers.below(8) } else { 1000 };
                let register = (ResourceClass::UavCounter, 0, register);
                all.push(Resource { register, view: View::Counter, words: vec![first] });
            }
        }
        all
    }

    fn resource(&mut self, number: u32, threads: u32) -> (View, Vec<u32>) {
        let format = self.plan.texel_format;
        match number {
            0 => (View::Structured(FIRST_VALUES), self.values(threads)),
            1 => (View::Raw, integers(&mut self.numbers, memory::RAW_WORDS)),
            2 => (View::Structured(memory::RECORD), integers(&mut self.numbers, memory::RECORDS * memory::RECORD / 4)),
            3 => (View::Typed(format.dxgi), self.texels(memory::TEXELS)),
            _ => {
                let image = self.image();
                let texels = |level: u32| image.size.map(|n| (n >> level).max(1)).iter().product::<u32>();
                let texels: u32 = (0..image.levels).map(texels).sum();
                debug_assert_eq!(number, textures::TEXTURE);
                (View::Texture(image), self.texels(texels * image.layers))
            }
        }
    }

    fn texels(&mut self, count: u32) -> Vec<u32> {
        let format = self.plan.texel_format;
        let words = count * format.bytes / 4;
        match format.pool() {
            Pool::Float => floats(&mut self.numbers, words),
            _ => integers(&mut self.numbers, words),
        }
    }

    /// First values, a record a thread.
    fn values(&mut self, threads: u32) -> Vec<u32> {
        let numbers = &mut self.numbers;
        let mut words = Vec::new();
        for _ in 0..threads {
            words.extend(integers(numbers, 4));
            // Few floats are NaNs and denormals: what comes of those is open.
            let edge = |numbers: &mut Numbers| if numbers.chance(8) { numbers.edge_float() } else { numbers.float() };
            words.extend((0..4).map(|_| edge(numbers)));
        }
        words
    }

    fn view(&mut self, view: u32, threads: u32) -> (View, Vec<u32>) {
        match view {
            RESULTS => {
                let stride = self.results_stride();
                (View::Structured(stride), vec![0xeeee_eeee; (threads * stride / 4) as usize])
            }
            OWN_RAW => (View::Raw, integers(&mut self.numbers, threads * memory::REGION / 4)),
            OWN_RECORDS => {
                (View::Structured(memory::REGION), integers(&mut self.numbers, threads * memory::REGION / 4))
            }
            // R32_UINT.
            OWN_TEXELS => (View::Typed(42), integers(&mut self.numbers, threads * memory::OWN_TEXELS)),
            ACCUMULATORS => (View::Raw, integers(&mut self.numbers, memory::ACCUMULATORS)),
            _ => (View::Structured(4), vec![7; 4]),
        }
    }
}

/// The type of input `n`.
fn input_component(n: u32) -> Component {
    if n < INPUTS / 2 { Component::Uint } else { Component::Float }
}

fn value(numbers: &mut Numbers, component: Component) -> [u32; 4] {
    [0; 4].map(|_| if component == Component::Uint { numbers.integer() } else { numbers.float() })
}

fn integers(numbers: &mut Numbers, count: u32) -> Vec<u32> {
    (0..count).map(|_| numbers.integer()).collect()
}

fn floats(numbers: &mut Numbers, count: u32) -> Vec<u32> {
    (0..count).map(|_| numbers.float()).collect()
}

/// The immediate constant buffer: integers in the even elements, floats in the odd ones.
fn table(numbers: &mut Numbers, elements: u32) -> Vec<[u32; 4]> {
    (0..elements).map(|n| [0; 4].map(|_| if n % 2 == 0 { numbers.integer() } else { numbers.float() })).collect()
}
