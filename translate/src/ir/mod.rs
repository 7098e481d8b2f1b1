//! The typed SSA form.
