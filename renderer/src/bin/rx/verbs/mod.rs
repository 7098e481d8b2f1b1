//! The verbs, one a file: its arguments, its work, its output.

pub mod assemble;
pub mod demo;
pub mod doctor;
pub mod explain;
pub mod facts;
pub mod fixes;
pub mod inspect;
pub mod ledger;
pub mod plan;
pub mod run;
pub mod switches;
pub mod translate;
