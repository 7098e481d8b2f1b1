//! Loads, stores, atomics, counters and barriers.
//!
//! A thread reads and writes a region of its own in each writable buffer, so that no two threads race. All threads
//! change the accumulators, each word by one kind of atomic that is commutative, and nothing reads what these return.
//! Group memory goes through phases: each thread writes its own words; a barrier; every thread reads any word; a barrier.

use super::operand::{LETTERS, letters};
use super::plan::Kind;
use super::{Generator, Pool, temps};
use rx_translate::dxbc::opcodes::Class;

/// Words of the raw buffer that is only read.
pub(super) const RAW_WORDS: u32 = 16;
/// Bytes of a record of the structured buffer that is only read, and its records.
pub(super) const RECORD: u32 = 20;
/// Records of it.
pub(super) const RECORDS: u32 = 7;
/// Elements of the typed buffer that is only read.
pub(super) const TEXELS: u32 = 6;
/// Bytes of each thread's region in raw memory and group memory, and of its record.
pub(super) const REGION: u32 = 32;
/// Texels of each thread in the typed buffer.
pub(super) const OWN_TEXELS: u32 = 2;
/// Words of the accumulators: two for each atomic.
pub(super) const ACCUMULATORS: u32 = 2 * COMMUTATIVE.len() as u32;

/// Atomics whose order does not matter, as long as a word has only one kind of them.
const COMMUTATIVE: [&str; 8] = ["iadd", "and", "or", "xor", "imax", "imin", "umax", "umin"];

impl Generator {
    /// How much of the program is memory.
    pub(super) fn memory_weight(&self) -> u32 {
        let memory = &self.plan.memory;
        let loads = [memory.raw, memory.structured, memory.typed, memory.textures, memory.counters];
        let stores = [memory.own_raw, memory.own_records, memory.own_texels, memory.accumulators];
        let count = |all: &[bool]| all.iter().filter(|has| **has).count() as u32;
        6 * count(&loads) + 8 * count(&stores) + if memory.group_memory { 8 } else { 0 }
    }

    pub(super) fn memory(&mut self) {
        let memory = self.plan.memory;
        let weight = |does: bool, weight: u32| if does { weight } else { 0 };
        match self.numbers.weighted(&[
            weight(memory.raw, 3),
            weight(memory.structured, 3),
            weight(memory.typed, 3),
            weight(memory.textures, 3),
            weight(memory.own_raw, 4),
            weight(memory.own_records, 4),
            weight(memory.own_texels, 4),
            weight(memory.accumulators, 4),
            weight(memory.counters, 2),
            weight(memory.group_memory, 4),
            1,
        ]) {
            0 => self.load_raw(),
            1 => self.load_structured(),
            2 => self.load_typed(),
            3 => self.texture(),
            4 => self.own_raw(),
            5 => self.own_record(),
            6 => self.own_texel(),
            7 => self.accumulate(),
            8 => self.count(),
            9 => self.group_memory(),
            _ if self.plan.has_results_buffer() && self.numbers.chance(40) => self.memory_barrier(),
            _ => self.buffer_size(),
        }
    }

    /// A byte address of whole words below `bytes`, with room for `words`; seldom anywhere.
    fn address(&mut self, bytes: u32, words: u32) -> String {
        if self.numbers.chance(30) {
            return format!("l({})", self.numbers.below(bytes / 4 - words + 1) * 4);
        }
        let from = self.scalar(Pool::Bits, Class::Uint);
        let address = self.scratch();
        let mask = if self.numbers.chance(12) {
            self.out_of_range = true;
            self.numbers.pick(&[0x7c_u32, 0xfffc, 0xffff_fffc])
        } else {
            // The largest power of two that leaves room.
            let words = (bytes / 4 - words + 1).max(1);
            ((1 << words.ilog2()) - 1) * 4
        };
        self.emit(format!("and {address}, {from}, l({mask:#x})"));
        address
    }

    /// A record's number, seldom out of range.
    fn record(&mut self, records: u32) -> String {
        if self.numbers.chance(30) {
            return format!("l({})", self.numbers.below(records));
        }
        let from = self.scalar(Pool::Bits, Class::Uint);
        if self.numbers.chance(12) {
            self.out_of_range = true;
            let (index, mask) = (self.scratch(), self.numbers.pick(&[15, 0xffff, u32::MAX]));
            self.emit(format!("and {index}, {from}, l({mask:#x})"));
            return index;
        }
        self.within(&from, records).0
    }

    /// A record's number, always in range.
    fn record_within(&mut self, records: u32) -> String {
        let from = self.scalar(Pool::Bits, Class::Uint);
        self.within(&from, records).0
    }

    /// A byte offset in a record, with room for the words that are accessed.
    fn offset(&mut self, bytes: u32, words: u32) -> String {
        let places = bytes / 4 - words + 1;
        if self.numbers.chance(65) || places < 2 {
            return format!("l({})", self.numbers.below(places) * 4);
        }
        let from = self.scalar(Pool::Bits, Class::Uint);
        let offset = self.scratch();
        self.emit(format!("and {offset}, {from}, l({})", ((1 << places.ilog2()) - 1) * 4));
        offset
    }

    /// The destination of a load, its swizzle, and how many words from its address it reaches.
    fn loaded(&mut self, pool: Pool) -> (String, String, u32) {
        let mask = self.mask();
        let destination = self.destination(pool, mask);
        let swizzle: String = if self.numbers.chance(60) {
            "xyzw".to_owned()
        } else {
            (0..4).map(|_| self.numbers.pick(&LETTERS)).collect()
        };
        let lane = |c: usize| LETTERS.iter().position(|l| swizzle.as_bytes()[c] == *l as u8).unwrap_or(0) as u32;
        let reach = (0..4).filter(|c| mask & 1 << c != 0).map(lane).max().unwrap_or(0) + 1;
        (destination, swizzle, reach)
    }

    fn load_raw(&mut self) {
        let (to, swizzle, reach) = self.loaded(Pool::Bits);
        let address = self.address(RAW_WORDS * 4, reach);
        let name = self.resource_name(1);
        if self.numbers.chance(20) && !address.starts_with('r') {
            let status = self.status();
            self.emit(format!("ld_raw_s {to}, {status}, {address}, {name}.{swizzle}"));
            return self.check(&status);
        }
        self.emit(format!("ld_raw {to}, {address}, {name}.{swizzle}"));
    }

    fn load_structured(&mut self) {
        let (to, swizzle, reach) = self.loaded(Pool::Bits);
        let (record, offset) = (self.record(RECORDS), self.offset(RECORD, reach));
        let name = self.resource_name(2);
        if self.numbers.chance(20) && !record.starts_with('r') {
            let status = self.status();
            self.emit(format!("ld_structured_s {to}, {status}, {record}, {offset}, {name}.{swizzle}"));
            return self.check(&status);
        }
        self.emit(format!("ld_structured {to}, {record}, {offset}, {name}.{swizzle}"));
    }

    fn load_typed(&mut self) {
        let format = self.plan.texel_format;
        let (to, swizzle, _) = self.loaded(format.pool());
        // Past the end the components that a format lacks are open.
        let element = if format.is_whole() { self.record(TEXELS) } else { self.record_within(TEXELS) };
        let (coordinate, name) = (spread(&element), self.resource_name(3));
        if self.plan.model.0 == 5 && self.numbers.chance(20) && !element.starts_with('r') {
            let status = self.status();
            self.emit(format!("ld_s {to}, {status}, {coordinate}, {name}.{swizzle}"));
            return self.check(&status);
        }
        self.emit(format!("ld {to}, {coordinate}, {name}.{swizzle}"));
    }

    /// A register for a status, which only [`check`](Self::check) reads.
    fn status(&mut self) -> String {
        format!("r{}.{}", temps::TRASH, self.numbers.pick(&LETTERS))
    }

    fn check(&mut self, status: &str) {
        let mask = 1 << self.numbers.below(4);
        let to = self.destination(Pool::Bits, mask);
        self.emit(format!("check_access_fully_mapped {to}, {status}"));
    }

    /// What a store writes.
    fn stored(&mut self) -> String {
        let pool = [Pool::Bits, Pool::Float][self.numbers.weighted(&[4, 1])];
        self.source(pool, Class::Bits)
    }

    /// A mask of the first components, as raw and structured stores have, and their number.
    fn first_components(&mut self) -> (String, u32) {
        let count = self.numbers.pick(&[1, 2, 3, 4, 4]);
        (letters((1 << count) - 1), count)
    }

    /// A byte address in the thread's own region.
    fn own_address(&mut self, words: u32) -> String {
        let base = format!("r{}.z", temps::THREAD);
        let offset = self.offset(REGION, words);
        let address = self.scratch();
        self.emit(format!("iadd {address}, {base}, {offset}"));
        address
    }

    fn own_raw(&mut self) {
        let name = self.view_name(super::stage::OWN_RAW);
        self.raw_access(&name);
    }

    /// A load, a store or an atomic in the thread's own bytes of a raw memory.
    fn raw_access(&mut self, name: &str) {
        match self.numbers.weighted(&[4, 4, 4]) {
            0 => {
                let (to, swizzle, reach) = self.loaded(Pool::Bits);
                let address = self.own_address(reach);
                self.emit(format!("ld_raw {to}, {address}, {name}.{swizzle}"));
            }
            1 => {
                let (mask, count) = self.first_components();
                let (address, value) = (self.own_address(count), self.stored());
                self.emit(format!("store_raw {name}.{mask}, {address}, {value}"));
            }
            _ => {
                let address = self.own_address(1);
                self.own_atomic(name, &address);
            }
        }
    }

    fn own_record(&mut self) {
        let name = self.view_name(super::stage::OWN_RECORDS);
        self.record_access(&name, 'x');
    }

    /// The same in the thread's own record of a structured memory; `lane` of the thread's register is its number.
    fn record_access(&mut self, name: &str, lane: char) {
        let record = format!("r{}.{lane}", temps::THREAD);
        match self.numbers.weighted(&[4, 4, 3]) {
            0 => {
                let (to, swizzle, reach) = self.loaded(Pool::Bits);
                let offset = self.offset(REGION, reach);
                self.emit(format!("ld_structured {to}, {record}, {offset}, {name}.{swizzle}"));
            }
            1 => {
                let (mask, count) = self.first_components();
                let (offset, value) = (self.offset(REGION, count), self.stored());
                self.emit(format!("store_structured {name}.{mask}, {record}, {offset}, {value}"));
            }
            _ => {
                let offset = self.offset(REGION, 1);
                // Not in the scratch registers: the values may need several of those.
                self.emit(format!("mov r{}.y, {offset}", temps::TRASH));
                self.emit(format!("mov r{}.x, {record}", temps::TRASH));
                self.own_atomic(name, &format!("r{}.xy", temps::TRASH));
            }
        }
    }

    fn own_texel(&mut self) {
        let name = self.view_name(super::stage::OWN_TEXELS);
        let from = self.scalar(Pool::Bits, Class::Uint);
        let (bit, element) = (self.scratch(), self.scratch());
        self.emit(format!("and {bit}, {from}, l({})", OWN_TEXELS - 1));
        self.emit(format!("imad {element}, r{}.x, l({OWN_TEXELS}), {bit}", temps::THREAD));
        let coordinate = spread(&element);
        match self.numbers.weighted(&[4, 4, 3]) {
            0 => {
                let (to, swizzle, _) = self.loaded(Pool::Bits);
                if self.numbers.chance(15) {
                    let status = self.status();
                    self.emit(format!("ld_uav_typed_s {to}, {status}, {coordinate}, {name}.{swizzle}"));
                    return self.check(&status);
                }
                self.emit(format!("ld_uav_typed {to}, {coordinate}, {name}.{swizzle}"));
            }
            1 => {
                let value = self.source(Pool::Bits, Class::Uint);
                self.emit(format!("store_uav_typed {name}.xyzw, {coordinate}, {value}"));
            }
            _ => self.own_atomic(&name, &element),
        }
    }

    /// Any atomic on a word that only this thread has.
    fn own_atomic(&mut self, name: &str, address: &str) {
        let number = self.numbers.below(COMMUTATIVE.len() as u32 + 2) as usize;
        let result = self.numbers.chance(60);
        let value = |this: &mut Self| this.scalar(Pool::Bits, Class::Uint);
        let (op, values) = match COMMUTATIVE.get(number) {
            Some(op) => (*op, value(self)),
            None if number == COMMUTATIVE.len() && result => ("exch", value(self)),
            None if result => ("cmp_exch", format!("{}, {}", value(self), value(self))),
            None => ("cmp_store", format!("{}, {}", value(self), value(self))),
        };
        if !result {
            return self.emit(format!("atomic_{op} {name}, {address}, {values}"));
        }
        let mask = 1 << self.numbers.below(4);
        let to = self.atomic_result(mask);
        self.emit(format!("imm_atomic_{op} {to}, {name}, {address}, {values}"));
    }

    fn atomic_result(&mut self, mask: u8) -> String {
        format!("r{}.{}", self.temp(Pool::Bits), letters(mask))
    }

    /// One of an accumulator's two words, by an atomic that is this word's alone.
    fn accumulate(&mut self) {
        let name = self.view_name(super::stage::ACCUMULATORS);
        self.accumulate_in(&name, 0);
    }

    fn accumulate_in(&mut self, name: &str, first_byte: u32) {
        let kind = self.numbers.below(COMMUTATIVE.len() as u32);
        let op = COMMUTATIVE[kind as usize];
        let first = first_byte + kind * 8;
        let address = if self.numbers.chance(50) {
            format!("l({})", first + 4 * self.numbers.below(2))
        } else {
            let (from, address) = (self.scalar(Pool::Bits, Class::Uint), self.scratch());
            self.emit(format!("and {address}, {from}, l(4)"));
            self.emit(format!("iadd {address}, {address}, l({first})"));
            address
        };
        let value = self.scalar(Pool::Bits, Class::Uint);
        if self.numbers.chance(60) {
            return self.emit(format!("atomic_{op} {name}, {address}, {value}"));
        }
        // A thread alone knows what comes back.
        let mask = 1 << self.numbers.below(4);
        let to = if self.plan.is_alone() {
            self.atomic_result(mask)
        } else {
            format!("r{}.{}", temps::TRASH, letters(mask))
        };
        self.emit(format!("imm_atomic_{op} {to}, {name}, {address}, {value}"));
    }

    /// The counter of a structured buffer: one buffer's goes up, the other's down.
    fn count(&mut self) {
        let mask = 1 << self.numbers.below(4);
        let to = if self.plan.is_alone() {
            self.atomic_result(mask)
        } else {
            format!("r{}.{}", temps::TRASH, letters(mask))
        };
        let (op, view) = self.numbers.pick(&[("alloc", super::stage::APPENDED), ("consume", super::stage::CONSUMED)]);
        let name = self.view_name(view);
        self.emit(format!("imm_atomic_{op} {to}, {name}"));
    }

    /// `bufinfo`, or `resinfo` of a typed buffer.
    fn buffer_size(&mut self) {
        let memory = self.plan.memory;
        let five = self.plan.model.0 == 5;
        let names: Vec<String> = [
            (memory.raw && five).then(|| self.resource_name(1)),
            (memory.structured && five).then(|| self.resource_name(2)),
            (memory.typed && five).then(|| self.resource_name(3)),
            memory.own_raw.then(|| self.view_name(super::stage::OWN_RAW)),
            memory.own_records.then(|| self.view_name(super::stage::OWN_RECORDS)),
            memory.own_texels.then(|| self.view_name(super::stage::OWN_TEXELS)),
        ]
        .into_iter()
        .flatten()
        .collect();
        if names.is_empty() {
            return self.arithmetic();
        }
        let name = &names[self.numbers.below(names.len() as u32) as usize];
        let mask = self.mask();
        let (to, swizzle) = (self.destination(Pool::Bits, mask), self.swizzle());
        self.emit(format!("bufinfo {to}, {name}.{swizzle}"));
    }

    /// What group memory allows between two barriers.
    fn group_memory(&mut self) {
        if self.place.group_memory_is_own && self.flow_is_main() {
            return match self.numbers.weighted(&[3, 3, 2]) {
                0 => self.raw_group_access(),
                1 => self.record_access("g1", 'y'),
                _ => self.accumulate_in("g0", self.plan.group_size() * REGION),
            };
        }
        if !self.flow_is_main() {
            return self.arithmetic();
        }
        let (to, swizzle, reach) = self.loaded(Pool::Bits);
        if self.numbers.chance(60) {
            let bytes = self.plan.group_size() * REGION;
            let places = bytes / 4 - reach + 1;
            let (from, address) = (self.scalar(Pool::Bits, Class::Uint), self.scratch());
            self.emit(format!("and {address}, {from}, l({:#x})", ((1 << places.ilog2()) - 1) * 4));
            self.emit(format!("ld_raw {to}, {address}, g0.{swizzle}"));
            return;
        }
        let (from, offset) = (self.scalar(Pool::Bits, Class::Uint), self.offset(REGION, reach));
        let record = self.within(&from, self.plan.group_size()).0;
        self.emit(format!("ld_structured {to}, {record}, {offset}, g1.{swizzle}"));
    }

    /// The thread's own bytes of the raw group memory: its region is at its number in the group.
    fn raw_group_access(&mut self) {
        let (mask, count) = self.first_components();
        let offset = self.offset(REGION, count);
        let address = self.scratch();
        self.emit(format!("imad {address}, r{}.y, l({REGION}), {offset}", temps::THREAD));
        match self.numbers.weighted(&[3, 2, 3]) {
            0 => {
                let value = self.stored();
                self.emit(format!("store_raw g0.{mask}, {address}, {value}"));
            }
            1 => {
                let to = self.destination(Pool::Bits, (1 << count) - 1);
                self.emit(format!("imad {address}, r{}.y, l({REGION}), {offset}", temps::THREAD));
                self.emit(format!("ld_raw {to}, {address}, g0.xyzw"));
            }
            _ => self.own_atomic("g0", &address),
        }
    }

    /// A phase of group memory, in uniform flow: what is own is written, a barrier, what is shared is read, a barrier.
    pub(super) fn phase(&mut self, first: bool) {
        let barrier = |this: &mut Self| {
            let barriers = ["sync_g_t", "sync_ugroup_g_t", "sync_uglobal_g_t"];
            let barrier = barriers[this.numbers.weighted(&[6, 1, 1])];
            this.emit(barrier);
        };
        if first {
            self.clear_group_memory();
        }
        barrier(self);
        self.place.group_memory_is_own = true;
        for _ in 0..1 + self.numbers.below(3) {
            self.group_memory();
        }
        if self.numbers.chance(50) {
            self.statement();
        }
        barrier(self);
        self.place.group_memory_is_own = false;
        for _ in 0..1 + self.numbers.below(3) {
            self.group_memory();
        }
        if self.numbers.chance(50) {
            self.statement();
        }
        // Writing what is own again waits for the others' reads.
        if self.numbers.chance(60) {
            barrier(self);
            self.place.group_memory_is_own = true;
            self.group_memory();
            barrier(self);
            self.place.group_memory_is_own = false;
        }
    }

    /// A barrier of memory alone, which no thread waits at.
    fn memory_barrier(&mut self) {
        let compute = self.plan.kind == Kind::Compute;
        let all = ["sync_uglobal", "sync_ugroup", "sync_g", "sync_uglobal_g"];
        let barrier = if compute { self.numbers.pick(&all) } else { "sync_uglobal" };
        self.emit(barrier);
    }

    /// Every thread clears its own words; the accumulators are the first thread's.
    fn clear_group_memory(&mut self) {
        let thread = temps::THREAD;
        let own = self.scratch();
        self.emit(format!("imul null, {own}, r{thread}.y, l({REGION})"));
        for at in (0..REGION).step_by(16) {
            if at > 0 {
                self.emit(format!("iadd {own}, {own}, l(16)"));
            }
            let constants = self.constant_name(0, &(at / 16).to_string());
            self.emit(format!("store_raw g0.xyzw, {own}, {constants}.xyzw"));
            self.emit(format!("store_structured g1.xyzw, r{thread}.y, l({at}), {constants}.wzyx"));
        }
        self.used.constant_buffers |= 1;
        let first = self.plan.group_size() * REGION;
        self.emit(format!("if_z r{thread}.y"));
        for at in (0..ACCUMULATORS * 4).step_by(16) {
            self.emit(format!("store_raw g0.xyzw, l({}), l({}, 0, -1, 7)", first + at, at));
        }
        self.emit("endif");
    }
}

/// A coordinate whose components are one register's or literal's.
fn spread(element: &str) -> String {
    match element.strip_prefix("l(").and_then(|text| text.strip_suffix(')')) {
        Some(number) => format!("l({number}, {number}, {number}, {number})"),
        None => {
            let (register, lane) = element.split_once('.').unwrap_or((element, "x"));
            format!("{register}.{}", lane.repeat(4))
        }
    }
}
