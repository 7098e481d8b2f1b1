//! The C ABI: C programs compiled against the committed header, linked with both forms of the library, and run, on a real
//! driver with the validation layers on where they need a device.
//!
//! The library lies beside the test: cargo builds every form of it as this crate's dependency.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod compiler;
mod display;

use compiler::{Form, Program, compile, must};
use rx_tests::shaders::repository;
use std::collections::BTreeSet;
use std::process::Command;

/// Shaders that the programs take.
fn shaders(names: &[&str]) -> Vec<String> {
    let folder = repository().join("renderer/assets/dxbc");
    names.iter().map(|name| folder.join(name).with_extension("dxbc").to_str().unwrap().to_owned()).collect()
}

/// Runs a program that draws; `None` after a line that says why it cannot.
fn run_on_device(program: &Program, arguments: &[String]) -> Option<String> {
    let mut command = program.command();
    command.args(arguments);
    answer(program, command)
}

/// What a program that must end well prints; `None` after a line that says that there is no device.
fn answer(program: &Program, mut command: Command) -> Option<String> {
    let output = command.output().expect("the program runs");
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(77) {
        assert!(!must(), "no Vulkan device, and CI=true forbids to skip: {error}");
        println!("skipped: no Vulkan device: {error}");
        return None;
    }
    assert!(output.status.success(), "{}: {out}{error}", program.name);
    assert!(error.is_empty(), "{} says: {error}", program.name);
    Some(out.into_owned())
}

/// The colours that Direct3D's rules give: over (0, 0, 1) a fifth of (1, 0, 0), in 255ths; its alpha is the source's.
const TRIANGLE: &str = "corner 51 0 204 51\nmiddle 51 0 204 51\nother 0 0 255 255\n";

#[test]
fn a_triangle_is_drawn_from_bytecode_by_c_and_cpp_through_both_libraries() {
    let arguments = shaders(&["ui_vs", "ui_ps"]);
    for form in [Form::Shared, Form::Static] {
        for language in ["c", "c++"] {
            let Some(program) = compile("triangle", language, form, &[]) else { return };
            let Some(out) = run_on_device(&program, &arguments) else { return };
            assert_eq!(out, TRIANGLE, "{language}, {form:?}");
        }
    }
}

#[test]
fn a_picture_is_written_as_a_png_file() {
    let Some(program) = compile("triangle", "c", Form::Shared, &[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("triangle.png");
    let mut arguments = shaders(&["ui_vs", "ui_ps"]);
    arguments.push(file.to_str().unwrap().to_owned());
    if run_on_device(&program, &arguments).is_none() {
        return;
    }
    let picture = std::io::BufReader::new(std::fs::File::open(file).unwrap());
    let mut decoder = png::Decoder::new(picture).read_info().unwrap();
    let mut texels = vec![0; decoder.output_buffer_size().unwrap()];
    decoder.next_frame(&mut texels).unwrap();
    assert_eq!((texels.len(), &texels[..4], &texels[252..]), (256, &[51, 0, 204, 51][..], &[0, 0, 255, 255][..]));
}

#[test]
fn what_is_wrong_gets_its_code_and_its_words() {
    let Some(program) = compile("misuse", "c", Form::Shared, &[]) else { return };
    run_on_device(&program, &shaders(&["ui_vs"]));
}

#[test]
fn compute_depth_copies_times_and_counts() {
    let Some(program) = compile("work", "c", Form::Shared, &[]) else { return };
    let Some(out) = run_on_device(&program, &[]) else { return };
    assert!(!must() || out.ends_with(", validated\n"), "{out}");
}

#[test]
fn what_a_geometry_shader_streams_out_is_read_and_drawn() {
    let Some(program) = compile("stream", "c", Form::Shared, &["-lm"]) else { return };
    let mut command = program.command();
    command.args(shaders(&["light_point_vs", "gizmo_gs"]));
    if command.output().is_ok_and(|output| output.status.code() == Some(78)) {
        println!("skipped: the device has no transform feedback");
        return;
    }
    answer(&program, command);
}

/// Runs a program with a window; `None` after a line that says why it cannot.
fn run_on_display(name: &str) -> Option<String> {
    let program = compile(name, "c", Form::Shared, &["-ldl"])?;
    let display = display::open()?;
    let mut command = program.command();
    // The layers are the host's own to load where the instance is; they write to standard output.
    command.env("DISPLAY", &display.name).env("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation");
    answer(&program, command)
}

#[test]
fn frames_are_shown_in_a_window_of_x11() {
    let Some(out) = run_on_display("window") else { return };
    assert_eq!(out, "6 frames\n");
}

#[test]
fn a_host_s_instance_device_and_surface_are_used_and_the_first_two_left() {
    let Some(out) = run_on_display("adopt") else { return };
    assert_eq!(out, "left\n");
}

#[test]
fn shaders_are_translated_and_planned_without_a_device_and_without_a_leak() {
    let sanitized = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let flags = if compiler::sanitizes() { &sanitized[..] } else { &[] };
    let Some(program) = compile("translate", "c", Form::Shared, flags) else { return };
    let arguments = shaders(&["ui_vs", "ui_ps", "light_point_vs", "gizmo_gs"]);
    let output = program.command().args(arguments).output().expect("the program runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && error.is_empty(), "{error}");
    let presets = rx_vk::DeviceFacts::preset_names().count();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{presets} presets\n"));
}

/// Functions that the header declares: names before a parenthesis at a line's beginning.
fn declared() -> BTreeSet<String> {
    let header = std::fs::read_to_string(repository().join("renderer/capi/include/rx.h")).unwrap();
    let functions =
        header.lines().filter(|line| !line.starts_with(['/', ' ', '#', '}']) && !line.starts_with("typedef"));
    let name = |line: &str| line.split('(').next()?.rsplit([' ', '*']).next().map(str::to_owned);
    functions.filter(|line| line.contains('(')).filter_map(name).collect()
}

#[test]
fn the_library_exports_what_the_header_declares_and_nothing_else() {
    let output = match Command::new("nm").args(["-D", "--defined-only"]).arg(compiler::shared()).output() {
        Ok(output) => output,
        Err(error) => {
            assert!(!must(), "nm: {error}");
            println!("skipped: nm: {error}");
            return;
        }
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let exported: BTreeSet<String> =
        text.lines().filter_map(|line| line.rsplit(' ').next()).map(str::to_owned).collect();
    let declared = declared();
    assert!(declared.len() > 100, "{}", declared.len());
    assert_eq!(exported, declared);
}

/// The example of docs/c-abi.md, compiled and run.
#[test]
fn the_page_s_example_runs() {
    let page = std::fs::read_to_string(repository().join("docs/c-abi.md")).unwrap();
    let example =
        page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the page has an example");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("example.c"), example).unwrap();
    let Some(program) = compiler::compile_file(&folder.path().join("example.c"), "c", Form::Shared, &[]) else {
        return;
    };
    let shader = shaders(&["ui_ps"]);
    let bytes = std::fs::read(&shader[0]).unwrap();
    let translated = rx_translate::Translator::default().translate(rx_translate::Source::Dxbc(&bytes)).unwrap();
    let output = program.command().args(shader).output().expect("the example runs");
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{error}");
    let words = translated.spirv.len();
    assert_eq!(out, format!("{words} words\natlas at binding 0\npoint_clamp at binding 1\n"));
}
