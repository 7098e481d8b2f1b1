//! Tables for people: the look that all verbs share.
//!
//! On a terminal thin rules and colour, fitted to its width; piped plain text, as wide as it must be.

use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, TableComponent};

use crate::out::{Out, Tone};

/// A table with a head.
pub fn table<'a>(out: &Out, head: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    let rule = if out.terminal() { '─' } else { '-' };
    table.set_style(TableComponent::HeaderLines, rule);
    table.set_style(TableComponent::MiddleHeaderIntersections, rule);
    table.set_header(head.into_iter().map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    // Wrapping goes by the width that was decided once; without one, lines are as long as they are.
    match out.columns() {
        Some(columns) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    if out.colour() {
        table.enforce_styling()
    } else {
        table.force_no_tty()
    };
    for column in table.column_iter_mut() {
        // One blank here and the one between columns.
        column.set_padding((0, 1));
    }
    // The first column has the names, which are read and searched for whole.
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table
}

/// A cell in a tone.
pub fn cell(tone: Tone, text: impl ToString) -> Cell {
    let cell = Cell::new(text.to_string());
    match tone {
        Tone::Plain => cell,
        Tone::Strong => cell.add_attribute(Attribute::Bold),
        Tone::Dim => cell.add_attribute(Attribute::Dim),
        Tone::Good => cell.fg(Color::DarkGreen),
        Tone::Notable => cell.fg(Color::DarkYellow),
        Tone::Bad => cell.fg(Color::DarkRed),
        Tone::Name => cell.fg(Color::DarkCyan),
    }
}

/// A number, to the right.
pub fn number(text: impl ToString) -> Cell {
    Cell::new(text.to_string()).set_alignment(CellAlignment::Right)
}

/// The table's lines, without blanks at their ends.
pub fn text(table: &Table) -> String {
    let lines = table.lines().map(|line| line.trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}
