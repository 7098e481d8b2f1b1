//! The layout of blocks by the language's rules, held against what naga makes of them.

use super::scope::Names;
use super::types::{Scalar, Ty};

/// Alignment and size in bytes.
type Extent = (u32, u32);

/// Checks that naga lays a block out as std140 (or std430) has it, and says what is the matter otherwise.
pub(super) fn check(names: &Names, members: &[(String, Option<Ty>)], std140: bool) -> Result<(), String> {
    check_members(names, members, std140, false)
}

type Members = [(String, Option<Ty>)];

fn check_members(names: &Names, members: &Members, std140: bool, inner: bool) -> Result<(), String> {
    let (mut right, mut nagas) = (0u32, 0u32);
    for (name, ty) in members {
        let Some(ty) = ty else { return Err(format!("`{name}` has a type that rx does not know")) };
        check_type(names, name, ty, std140, inner)?;
        let (own, theirs) = (extent(names, ty, std140, true), extent(names, ty, std140, false));
        let (Some((align, size)), Some((their_align, their_size))) = (own, theirs) else {
            return Err(format!("`{name}` has a type that no block can have"));
        };
        let starts = (right.checked_next_multiple_of(align), nagas.checked_next_multiple_of(their_align));
        let (Some(start), Some(theirs)) = starts else { return Err(format!("`{name}` is past 4 GiB")) };
        (right, nagas) = (start, theirs);
        if right != nagas {
            return Err(format!("`{name}` is at byte {right} of the block, and naga takes it at {nagas}"));
        }
        (right, nagas) = (right.saturating_add(size), nagas.saturating_add(their_size));
    }
    Ok(())
}

/// Checks what lies inside a member.
fn check_type(names: &Names, name: &str, ty: &Ty, std140: bool, inner: bool) -> Result<(), String> {
    match ty {
        // A block's own are written as their columns.
        Ty::Matrix(scalar, _, 2) if std140 && (inner || *scalar == Scalar::Double) => {
            Err(format!("`{name}` is a matrix of two rows in std140"))
        }
        Ty::Scalar(Scalar::Bool) | Ty::Vector(Scalar::Bool, _) => Err(format!("`{name}` holds truth values")),
        Ty::Array(element, _) => check_type(names, name, element, std140, inner),
        Ty::Struct(own) => match names.structs.get(own) {
            Some(members) => check_members(names, members, std140, true).map_err(|what| format!("in `{name}`: {what}")),
            None => Err(format!("`{name}` has a type that rx does not know")),
        },
        _ => Ok(()),
    }
}

/// Whether naga gives an array in a structure of this type another form than the same array alone, and lets neither be
/// assigned to the other.
pub(super) fn is_skewed(names: &Names, ty: &Ty) -> bool {
    match ty {
        Ty::Array(element, _) => {
            let stride = |std140| {
                extent(names, element, std140, false).and_then(|(align, size)| size.checked_next_multiple_of(align))
            };
            stride(false) != stride(true).and_then(|size| size.checked_next_multiple_of(16))
                || is_skewed(names, element)
        }
        Ty::Struct(own) => names
            .structs
            .get(own)
            .is_some_and(|members| members.iter().any(|(_, ty)| ty.as_ref().is_some_and(|ty| is_skewed(names, ty)))),
        _ => false,
    }
}

/// Alignment and size of a type, by the language or as naga has them.
fn extent(names: &Names, ty: &Ty, std140: bool, right: bool) -> Option<Extent> {
    let width = |scalar: Scalar| if scalar == Scalar::Double { 8 } else { 4 };
    Some(match ty {
        Ty::Scalar(scalar) => (width(*scalar), width(*scalar)),
        Ty::Vector(scalar, size) => {
            let places = if *size == 2 { 2 } else { 4 };
            (places * width(*scalar), u32::from(*size) * width(*scalar))
        }
        Ty::Matrix(scalar, columns, rows) => {
            let column = Ty::Vector(*scalar, *rows);
            let (align, size) = extent(names, &column, std140, right)?;
            let align = if std140 { align.max(16) } else { align };
            // naga has no padding between columns other than the alignment's.
            let stride = if right { size.checked_next_multiple_of(align)? } else { align };
            (align, u32::from(*columns).checked_mul(stride)?)
        }
        Ty::Array(element, count) => {
            let (align, size) = extent(names, element, std140, right)?;
            let align = if std140 { align.max(16) } else { align };
            (align, size.checked_next_multiple_of(align)?.checked_mul(*count)?)
        }
        Ty::Struct(own) => {
            let (mut align, mut end) = (1, 0u32);
            for (_, member) in names.structs.get(own)? {
                let (own_align, size) = extent(names, member.as_ref()?, std140, right)?;
                align = align.max(own_align);
                end = end.checked_next_multiple_of(own_align)?.checked_add(size)?;
            }
            if std140 && right {
                align = align.max(16);
            }
            (align, end.checked_next_multiple_of(align)?)
        }
        Ty::Void | Ty::Opaque(_) => return None,
    })
}
