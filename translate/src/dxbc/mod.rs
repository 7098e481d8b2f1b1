//! Direct3D bytecode.
