//! The command's own codes: what neither the translator nor the planner says. `RX06xx`.
//!
//! Numbers never change meaning and are never used again.

use rx_renderer::translate::Code;

use crate::exit::Exit;

/// One code.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Code.
    pub code: Code,
    /// The exit code that it leads to.
    pub exit: Exit,
    /// A few words.
    pub title: &'static str,
    /// What is the matter.
    pub what: &'static str,
    /// An example of what gets it.
    pub example: &'static str,
    /// What to do.
    pub remedy: &'static str,
}

macro_rules! codes {
    ($($name:ident = $number:literal, $exit:ident, $title:literal, $what:literal, $example:literal, $remedy:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// All rows, by code.
        pub const CODES: &[Row] = &[
            $(Row { code: $name, exit: Exit::$exit, title: $title, what: $what, example: $example, remedy: $remedy },)*
        ];
    };
}

codes! {
    USAGE = 601, Usage, "Wrong usage",
        "The command line has an argument, a value or a combination that rx does not take.",
        "`rx translate --emit spirv a.dxbc`",
        "See `rx help VERB`, or docs/cli.md.";
    READ = 602, Failed, "Input cannot be read",
        "The file or folder does not exist, or the system does not let rx read it.",
        "`rx inspect missing.dxbc`",
        "Check the path and its permissions.";
    WRITE = 603, Failed, "Output cannot be written",
        "The file or folder cannot be made or written.",
        "`-o` into a folder that cannot be written",
        "Choose another place with -o, or mend its permissions.";
    KIND = 604, Usage, "Kind of shader not known",
        "Neither the first bytes nor the extension say what the file is.",
        "`rx translate shader.txt`",
        "Name the kind with --source dxbc, wgsl, glsl or spirv.";
    STAGE = 605, Usage, "Stage of GLSL not known",
        "GLSL does not say its stage, and the extension is none of .vert, .frag, .comp, .geom, .tesc and .tese.",
        "`rx translate shader.glsl`",
        "Name it with --stage (vertex, fragment, compute, …).";
    NOT_TEXT = 606, Malformed, "Text is not UTF-8",
        "WGSL, GLSL, assembly and JSON are read as UTF-8.",
        "a WGSL file with a byte 0xff",
        "Save the file as UTF-8.";
    BINDINGS = 607, Malformed, "Binding model is not understood",
        "The file given to --bindings is not JSON, or has a field or value that a binding model does not have.",
        "`{\"rules\": [{\"class\": \"texture\"}]}`",
        "Compare with the form in docs/cli.md; the message says the line.";
    NAGA_BACK = 608, Refused, "Not written by naga",
        "WGSL and MSL are written by naga from the SPIR-V, and naga does not read or write this module.",
        "`--emit wgsl` of a shader that uses a construct naga's SPIR-V reader lacks",
        "Emit spv or spvasm; or take another tool for this module.";
    NO_TYPED_FORM = 609, Refused, "No typed form",
        "Only Direct3D bytecode goes through rx's typed form; the other kinds have none to print.",
        "`--emit ir` of a WGSL file",
        "Emit spvasm.";
    BASELINE = 611, Malformed, "Baseline is not understood",
        "A line of the baseline is not a digest or code, a status and a path.",
        "a baseline with a merge conflict's marks",
        "Mend the line, or write the baseline anew with --approve.";
    CHANGED = 612, Failed, "Results differ from the baseline",
        "A shader's output or status is not the baseline's.",
        "a change of the translator that changes words",
        "Look at the list; if all of it is meant, run again with --approve.";
    SWEEP_FAILED = 613, Failed, "Shaders failed in a sweep",
        "A translation panicked, or gave a module that is not well formed. That is rx's fault, whatever the input.",
        "-",
        "Report it with the input file.";
    UNKNOWN_CODE = 614, Usage, "No such code",
        "rx gives out no code of this number.",
        "`rx explain RX9999`",
        "`rx ledger` lists the translator's codes; docs/cli.md lists where the others stand.";
    MANY_OUTPUTS = 615, Usage, "One output file for several outputs",
        "-o names a file, and there are several inputs, or several kinds to emit.",
        "`rx translate a.dxbc b.dxbc -o out.spv` where out.spv is a file",
        "Give a folder.";
    SAME_OUTPUT = 616, Usage, "Two inputs, one output",
        "Two inputs have one file stem, so the outputs in the folder would have one name.",
        "`rx translate a/x.dxbc b/x.dxbc -o out`",
        "Translate them into different folders.";
    EMPTY_SWEEP = 617, Done, "No shaders to sweep",
        "No file under the folders is a shader by its first bytes or extension.",
        "`rx sweep` of an empty folder",
        "Check the path.";
    NOT_LISTED = 618, Refused, "Module not listed",
        "The listing is written by rspirv, which does not know an instruction or operand of this module.",
        "`--emit spvasm` of a module with an instruction newer than rspirv",
        "List it with `spirv-dis`.";
    WINDOW = 620, NoDevice, "No window",
        "The system gives no window: there is no display, or it is not one that windows can be opened on.",
        "`rx demo --window` over a connection without a display",
        "Run it where there is a display, or leave --window out: the scene is then drawn to a PNG.";
    RUN_KIND = 630, Refused, "Not executed",
        "`rx run` executes Direct3D bytecode: a DXBC container, or a program's text.",
        "`rx run shader.wgsl`",
        "Give the compiled Direct3D shader, or its text from `rx inspect --asm`.";
    RUN_STAGE = 631, Refused, "Stage is not executed",
        "Compute, vertex and pixel shaders are executed. A geometry, hull or domain shader needs the stages around it.",
        "`rx run` of a geometry shader",
        "Run the compute, vertex or pixel shader of the program.";
    RUN_INSTRUCTION = 632, Refused, "Instruction is not executed",
        "One thread, vertex or pixel runs alone and without a sampler, so derivatives, filtered samples and what needs the \
         rasterizer's data have no result.",
        "`rx run` of a pixel shader with `sample`",
        "Replace the instruction with `ld` or a constant: `rx inspect --asm` prints text that `rx run` takes back.";
    RUN_VALUES = 633, Usage, "Value is not understood",
        "A value is not a list of numbers, `hex:`, `zero:` or `@FILE`, or does not fit its type.",
        "`--cb0 u:1.5`",
        "Compare with the forms in docs/cli.md, section `rx run`.";
    RUN_BINDING = 634, Usage, "Binding does not fit the shader",
        "The register or input is not one that the shader declares, or its options do not fit what is declared.",
        "`--srv3 u:1` for a shader without `t3`",
        "`rx inspect` lists the declared registers and the signatures.";
    RUN_STEPS = 635, Refused, "Stopped after the limit of instructions",
        "The shader executed as many instructions as --steps allows, and was not at its end.",
        "a loop whose end depends on a buffer that is not bound",
        "Bind what the loop reads, or raise the limit with --steps.";
    RUN_BARRIER = 636, Refused, "Not every thread reaches a barrier",
        "Threads of a group wait at different barriers, or some ended while others wait. Direct3D leaves that undefined.",
        "`sync_g_t` inside an `if` that some threads do not enter",
        "Move the barrier out of the divergent branch.";
    RUN_INVALID = 637, Malformed, "Program contradicts itself",
        "A declaration or operand contradicts another one, or the kind of view that is bound.",
        "an operand with a register that no declaration has",
        "Compile the shader again, or correct its text.";
}

/// The row of a code.
pub fn find(code: Code) -> Option<&'static Row> {
    CODES.binary_search_by_key(&code, |row| row.code).ok().map(|i| &CODES[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_rise_and_every_row_is_filled() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
        for row in CODES {
            assert!((601..700).contains(&row.code.0), "{}", row.code);
            assert!([row.title, row.what, row.example, row.remedy].iter().all(|text| !text.is_empty()), "{}", row.code);
        }
    }
}
