//! Arithmetic, comparisons, conversions and moves: any row of the table by its shapes.

use super::operand::letters;
use super::{Generator, Pool, temps};
use rx_translate::dxbc::opcodes::{Class, Flags, Kind, OPCODES, Opcode, OpcodeInfo, Role};

/// Rows whose result the specification leaves open within a bound.
const OPEN: &[Opcode] = &[
    Opcode::Div,
    Opcode::Dp2,
    Opcode::Dp3,
    Opcode::Dp4,
    Opcode::Exp,
    Opcode::Log,
    Opcode::Mad,
    Opcode::Rcp,
    Opcode::Rsq,
    Opcode::Sqrt,
    Opcode::Sincos,
];

/// Rows that the compiler may reorder or contract where they are not precise.
const REORDERED: &[Opcode] = &[
    Opcode::Add,
    Opcode::Mul,
    Opcode::Frc,
    Opcode::Min,
    Opcode::Max,
    Opcode::RoundNe,
    Opcode::RoundNi,
    Opcode::RoundPi,
    Opcode::RoundZ,
];

/// Rows that are weighted up: they move bits between registers, and much depends on them.
const MOVERS: &[Opcode] = &[Opcode::Mov, Opcode::Movc, Opcode::Swapc, Opcode::Add, Opcode::Iadd, Opcode::Imad];

impl Generator {
    /// An instruction of any row that the stage and model have.
    pub(super) fn arithmetic(&mut self) {
        let info = if self.numbers.chance(20) {
            self.numbers.pick(MOVERS).info()
        } else {
            let number = self.numbers.below(OPCODES.len() as u32);
            &OPCODES[number as usize]
        };
        if !self.has(info) {
            return self.arithmetic();
        }
        if is_double(info) { self.double(info) } else { self.single(info) }
    }

    fn has(&mut self, info: &OpcodeInfo) -> bool {
        let attribute = info.operands.iter().any(|shape| shape.role == Role::Attribute);
        info.kind == Kind::Alu
            && info.model <= self.plan.model
            && !info.flags.has(Flags::DERIVATIVE)
            && !attribute
            && info.op != Opcode::CheckAccessFullyMapped
            && (self.plan.doubles || !is_double(info))
    }

    /// A row of 32-bit operands.
    fn single(&mut self, info: &OpcodeInfo) {
        let mask = self.mask();
        let (precise, open) = self.precision(info);
        // A move carries whatever it is given: all its operands are of one pool.
        let moved = [Pool::Bits, Pool::Float, Pool::Sink][self.numbers.weighted(&[5, 4, 1])];
        let saturate = info.flags.has(Flags::SAT) && self.numbers.chance(15);
        let moved = if saturate && moved == Pool::Bits { Pool::Float } else { moved };
        let result = |class: Class| match class {
            Class::Bits => moved,
            Class::Float if open => Pool::Sink,
            Class::Float => Pool::Float,
            _ => Pool::Bits,
        };
        let mut operands = self.destinations(info, mask, result);
        for shape in &info.operands[info.destinations()..] {
            operands.push(match shape.class {
                Class::Float if open && self.numbers.chance(25) => self.source(Pool::Sink, Class::Float),
                Class::Float => self.source(Pool::Float, Class::Float),
                Class::Bits if saturate => self.source(moved, Class::Float),
                Class::Bits => self.moved(moved),
                class => self.source(Pool::Bits, class),
            });
        }
        if self.numbers.chance(25) {
            self.alias(info, &mut operands);
        }
        let saturated = if saturate { "_sat" } else { "" };
        self.emit(format!("{}{saturated}{precise} {}", info.mnemonic, operands.join(", ")));
    }

    /// The operand of a move: on bits no modifiers, since they are a float's.
    fn moved(&mut self, pool: Pool) -> String {
        let class = if pool == Pool::Bits { Class::Bits } else { Class::Float };
        self.source(pool, class)
    }

    /// How an instruction says that it is precise, and whether its result is open.
    fn precision(&mut self, info: &OpcodeInfo) -> (String, bool) {
        let open = OPEN.contains(&info.op);
        let reordered = REORDERED.contains(&info.op);
        let float = info.operands.iter().all(|shape| shape.class == Class::Float);
        if self.plan.model.0 == 5 && float && self.numbers.chance(if self.plan.refactoring { 40 } else { 8 }) {
            return (" [precise]".to_owned(), open);
        }
        (String::new(), open || (reordered && self.plan.refactoring))
    }

    /// The destinations, all of one mask: where there are two, one may be `null`, and they are not the same register.
    fn destinations(&mut self, info: &OpcodeInfo, mask: u8, pool: impl Fn(Class) -> Pool) -> Vec<String> {
        let pools: Vec<Pool> = info.operands[..info.destinations()].iter().map(|shape| pool(shape.class)).collect();
        if pools.len() < 2 {
            return pools.iter().map(|pool| self.destination(*pool, mask)).collect();
        }
        let null = [Some(0), Some(1), None][self.numbers.weighted(&[1, 1, 4])];
        loop {
            let all: Vec<String> = pools.iter().map(|pool| self.destination(*pool, mask)).collect();
            let register = |text: &str| text.split(['.', '[']).next().map(str::to_owned);
            if let Some(null) = null {
                let named = |(n, text): (usize, &String)| if n == null { "null".to_owned() } else { text.clone() };
                return all.iter().enumerate().map(named).collect();
            }
            if register(&all[0]) != register(&all[1]) {
                return all;
            }
        }
    }

    /// Makes a source read a temporary that the instruction writes.
    fn alias(&mut self, info: &OpcodeInfo, operands: &mut [String]) {
        let count = info.destinations();
        let from = self.numbers.below(count as u32) as usize;
        let register = operands[from].split('.').next().unwrap_or_default().to_owned();
        if !register.starts_with('r') || operands.len() == count {
            return;
        }
        let to = count + self.numbers.below((operands.len() - count) as u32) as usize;
        // Only a source of the same pool, so that what is open stays where it is.
        let pool = |text: &str| {
            let number = text.trim_start_matches(['-', '|']).strip_prefix('r')?.split('.').next()?.parse().ok()?;
            let pools = [temps::BITS, temps::FLOATS, temps::SINKS];
            pools.iter().position(|pool| pool.contains(&number))
        };
        if pool(&register).is_some() && pool(&operands[to]) == pool(&register) {
            operands[to] = format!("{register}.{}", self.swizzle());
        }
    }

    /// A row with doubles: pairs of words, so masks and swizzles are of pairs.
    fn double(&mut self, info: &OpcodeInfo) {
        let two = self.numbers.chance(50);
        let saturate = info.flags.has(Flags::SAT) && self.numbers.chance(10);
        let mut operands = Vec::new();
        for (n, shape) in info.operands.iter().enumerate() {
            let destination = n < info.destinations();
            operands.push(match (shape.class, destination) {
                (Class::Double, true) => {
                    let mask = if two { 15 } else { self.numbers.pick(&[3, 12]) };
                    format!("r{}.{}", self.temp(Pool::Double), letters(mask))
                }
                (Class::Double, false) => self.double_source(),
                (class, true) => {
                    let mask = if two { self.numbers.pick(&[3, 5, 6, 9, 10, 12]) } else { 1 << self.numbers.below(4) };
                    let pool = if class == Class::Float { Pool::Float } else { Pool::Bits };
                    self.destination(pool, mask)
                }
                (Class::Float, false) => self.source(Pool::Float, Class::Float),
                (class, false) => self.source(Pool::Bits, class),
            });
        }
        let saturated = if saturate { "_sat" } else { "" };
        self.emit(format!("{}{saturated} {}", info.mnemonic, operands.join(", ")));
    }

    fn double_source(&mut self) -> String {
        let swizzle = self.numbers.pick(&["xyzw", "zwxy", "xyxy", "zwzw"]);
        match self.numbers.weighted(&[8, 1, 1]) {
            1 => {
                self.used.constant_buffers |= 4;
                let element = self.numbers.below(super::operand::CONSTANTS).to_string();
                format!("{}.{swizzle}", self.constant_name(2, &element))
            }
            2 => self.source(Pool::Double, Class::None),
            _ => {
                let modifier = self.numbers.pick(&["", "", "", "-"]);
                format!("{modifier}r{}.{swizzle}", self.temp(Pool::Double))
            }
        }
    }
}

/// Whether a row has a double among its operands.
fn is_double(info: &OpcodeInfo) -> bool {
    info.operands.iter().any(|shape| shape.class == Class::Double)
}
