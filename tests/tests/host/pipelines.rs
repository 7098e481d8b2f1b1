//! Pipelines: shared, compiled in the background, kept from run to run, refused with a reason.

use super::host;
use rx_renderer::translate::Source;
use rx_renderer::vk::ash::vk;
use rx_renderer::vk::{DeviceOptions, Priority};
use rx_renderer::*;

const PICTURE: &str = "
@vertex fn vs(@location(0) at: vec2f) -> @builtin(position) vec4f { return vec4f(at, 0.5, 1.0); }
@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }";

const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

fn program(renderer: &Renderer) -> Program {
    let stages = [("vs", Source::Wgsl(PICTURE)), ("fs", Source::Wgsl(PICTURE))];
    renderer.program("picture", stages, VertexInput::Bindings { highest: 0, translated: 0 }).unwrap()
}

fn state() -> GraphicsState {
    let semantic = "LOCATION".into();
    let element = VertexElement { semantic, index: 0, format: vk::Format::R32G32_SFLOAT, slot: 0, offset: 0 };
    GraphicsState {
        elements: vec![element],
        streams: vec![VertexStream { slot: 0, stride: 8, per_instance: false }],
        ..GraphicsState::default()
    }
    .with_target(FORMAT)
}

#[test]
fn equal_states_are_one_pipeline_and_a_list_is_warmed_up() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let program = program(renderer);
    let culls = [Cull::None, Cull::Back, Cull::Front, Cull::None];
    let pipelines: Vec<Pipeline> =
        culls.iter().map(|&cull| renderer.graphics(&program, &GraphicsState { cull, ..state() }).unwrap()).collect();
    let mut heard = Vec::new();
    renderer.warm_up(&pipelines, &mut |done, all| heard.push((done, all))).unwrap();
    assert_eq!(heard, [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]);
    assert!(pipelines.iter().all(Pipeline::is_ready));
    let report = renderer.report();
    assert_eq!((report.pipelines, report.pipelines_shared, report.pipelines_failed), (3, 1, 0));
    // Nobody has it any more: it is made anew.
    drop(pipelines);
    renderer.graphics(&program, &state()).unwrap().wait().unwrap();
    assert_eq!(renderer.report().pipelines, 4);
}

#[test]
fn a_state_that_contradicts_its_program_is_refused_with_the_reason() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let program = program(renderer);
    let refused = |state: GraphicsState| renderer.graphics(&program, &state).unwrap_err().to_string();
    let no_element = refused(GraphicsState { elements: Vec::new(), ..state() });
    assert!(no_element.starts_with("RX0529: picture: no vertex element for "), "{no_element}");
    let no_stream = refused(GraphicsState { streams: Vec::new(), name: "named".to_owned(), ..state() });
    assert_eq!(no_stream, "RX0529: named: no stream 0 for LOCATION0");
    let patches = refused(GraphicsState { topology: Topology::Patches(3), ..state() });
    assert_eq!(patches, "RX0529: picture: topology Patches(3) without a hull stage");
    let samples = refused(GraphicsState { samples: 3, ..state() });
    assert_eq!(samples, "RX0529: picture: 3 samples");
    assert!(renderer.compute(&program).is_err());
}

#[test]
fn a_pass_takes_only_pipelines_of_its_formats_and_draws_only_what_is_bound() {
    let Some(mut host) = host(RendererOptions::default()) else { return };
    let renderer = host.get();
    let program = program(renderer);
    let pipeline = renderer.graphics(&program, &state()).unwrap();
    let other = renderer.texture(&TextureDesc::d2("other", vk::Format::R16G16_SFLOAT, 4, 4)).unwrap();
    let target = renderer.texture(&TextureDesc::d2("target", FORMAT, 4, 4)).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    assert!(frame.draw(0..3, 0..1).unwrap_err().to_string().starts_with("RX0530: a draw: not in a pass"));
    let over = |texture: &Texture| {
        let view = texture.clone();
        move |frame: &mut Frame<'_>, pipeline: &Pipeline| -> Vec<String> {
            let colors = [Some(ColorTarget { view: view.whole(), load: Load::Discard })];
            let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
            let taken = pass.pipeline(pipeline).err().map(|error| error.to_string());
            let drawn = pass.draw(0..3, 0..1).err().map(|error| error.to_string());
            taken.into_iter().chain(drawn).collect()
        }
    };
    let said = over(&other)(&mut frame, &pipeline);
    assert!(said[0].starts_with("RX0529: picture: renders to "), "{said:?}");
    assert_eq!(said[1], "RX0530: a draw or dispatch: no pipeline is set");
    let said = over(&target)(&mut frame, &pipeline);
    assert_eq!(said, ["RX0530: a draw or dispatch: picture reads stream 0, which is not bound"]);
    frame.submit().unwrap();
}

#[test]
fn the_driver_s_cache_is_kept_and_garbage_in_its_place_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        || RendererOptions { cache_folder: Some(folder.path().join("deep/er")), ..RendererOptions::default() };
    let run = || -> Option<u64> {
        let mut host = host(options())?;
        let renderer = host.get();
        renderer.graphics(&program(renderer), &state()).unwrap().wait().unwrap();
        Some(renderer.report().cache_restored_bytes)
    };
    let Some(first) = run() else { return };
    assert_eq!(first, 0);
    let kept: Vec<_> =
        std::fs::read_dir(folder.path().join("deep/er")).unwrap().map(|own| own.unwrap().path()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let bytes = std::fs::read(&kept[0]).unwrap();
    assert_eq!(run().unwrap(), bytes.len() as u64 - 64);
    // Cut, changed, empty, a folder: nothing of it reaches the driver.
    for garbage in [&bytes[..bytes.len() - 1], &[0; 100], &[]] {
        std::fs::write(&kept[0], garbage).unwrap();
        assert_eq!(run().unwrap(), 0);
        assert_eq!(std::fs::read(&kept[0]).unwrap(), bytes);
    }
    std::fs::remove_file(&kept[0]).unwrap();
    std::fs::create_dir(&kept[0]).unwrap();
    let mut host = host(options()).unwrap();
    let error = host.get().keep_pipelines().unwrap_err();
    assert_eq!(error.code().to_string(), "RX0550", "{error}");
    let left: Vec<_> = std::fs::read_dir(folder.path().join("deep/er")).unwrap().collect();
    assert_eq!(left.len(), 1, "what was written beside is gone");
}

#[test]
fn a_draw_may_be_left_out_while_its_pipeline_compiles() {
    let mut options = RendererOptions { not_ready: NotReady::Skip, ..RendererOptions::default() };
    options.device.compile_threads = 1;
    let Some(mut host) = host(options) else { return };
    let renderer = host.get();
    let program = program(renderer);
    let target = renderer.texture(&TextureDesc::d2("target", FORMAT, 4, 4)).unwrap();
    let corners = renderer.buffer(&BufferDesc { name: "corners", size: 24, memory: MemoryUse::Device }).unwrap();
    let mut left_out = 0;
    let mut drawn = 0;
    // Sooner or later it is ready.
    while drawn == 0 {
        let pipeline = renderer.graphics(&program, &state()).unwrap();
        let mut frame = renderer.begin_frame().unwrap();
        frame.fill_buffer(&corners, 0..24, 0).unwrap();
        let colors = [Some(ColorTarget { view: target.whole(), load: Load::Discard })];
        let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
        let ready = pass.pipeline(&pipeline).unwrap();
        pass.vertex_buffer(0, &corners, 0).unwrap();
        pass.draw(0..3, 0..1).unwrap();
        pass.end().unwrap();
        frame.submit().unwrap();
        if ready {
            drawn += 1
        } else {
            left_out += 1
        }
        assert!(left_out < 100_000, "it is never ready");
        pipeline.wait().unwrap();
    }
    assert_eq!(renderer.report().draws, drawn);
}

/// A host whose pipelines are compiled by one thread.
fn one_thread() -> Option<super::Host> {
    let mut options = RendererOptions::default();
    options.device.compile_threads = 1;
    host(options)
}

/// Room for a triangle's corners.
fn corners(renderer: &Renderer) -> Buffer {
    renderer.buffer(&BufferDesc { name: "corners", size: 24, memory: MemoryUse::Device }).unwrap()
}

/// Pipelines enough to keep one thread at work while draws come that need others.
fn occupy(renderer: &Renderer, program: &Program) -> Vec<Pipeline> {
    let make = |constant| {
        let state = GraphicsState { depth_bias: Some(DepthBias::new(constant, 0.0, 0.0)), ..state() };
        renderer.device().graphics(program, &state, Priority::Now).unwrap()
    };
    (0..400).map(make).collect()
}

#[test]
fn a_pipeline_that_a_draw_waits_for_is_linked_and_made_whole_later() {
    let Some(mut host) = one_thread() else { return };
    let renderer = host.get();
    let (program, corners) = (program(renderer), corners(renderer));
    let target = renderer.texture(&TextureDesc::d2("target", FORMAT, 4, 4)).unwrap();
    let others = occupy(renderer, &program);
    let mut pictures = Vec::new();
    // Two states that share all parts but one, each made as a draw waits for it.
    for write_mask in [0xf, 0x5] {
        let mut state = state();
        state.cull = Cull::None;
        state.targets[0].write_mask = write_mask;
        let pipeline = renderer.device().graphics(&program, &state, Priority::Background).unwrap();
        for _ in 0..2 {
            let mut frame = renderer.begin_frame().unwrap();
            let at = |values: [f32; 6]| values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<u8>>();
            frame.write_buffer(&corners, 0, &at([-1.0, -1.0, -1.0, 3.0, 3.0, -1.0])).unwrap();
            let colors = [Some(ColorTarget { view: target.whole(), load: Load::Clear([0.0; 4]) })];
            let mut pass = frame.render(&Targets { colors: &colors, ..Targets::default() }).unwrap();
            pass.pipeline(&pipeline).unwrap();
            pass.vertex_buffer(0, &corners, 0).unwrap();
            pass.draw(0..3, 0..1).unwrap();
            pass.end().unwrap();
            frame.submit().unwrap();
            pictures.push(renderer.read_texture(target.whole()).unwrap()[..4].to_vec());
            // The second time it is whole.
            let begun = std::time::Instant::now();
            while !pipeline.is_whole() {
                assert!(begun.elapsed().as_secs() < 120, "it is never whole");
                std::thread::yield_now();
            }
        }
    }
    assert_eq!(pictures, [[255; 4], [255; 4], [255, 0, 255, 0], [255, 0, 255, 0]]);
    let report = renderer.report();
    assert_eq!((report.pipelines, report.pipelines_failed), (402, 0));
    assert!(report.pipelines_linked > 0, "{report:?}");
    drop(others);
}

/// The validation layers crash where one draws that was linked of the two parts that reach no rasteriser.
#[test]
fn a_pipeline_that_does_not_rasterise_is_made_whole_at_once() {
    let Some(mut host) = one_thread() else { return };
    let renderer = host.get();
    let (program, corners) = (program(renderer), corners(renderer));
    let others = occupy(renderer, &program);
    let state = GraphicsState { rasterize: false, targets: Vec::new(), ..state() };
    let pipeline = renderer.device().graphics(&program, &state, Priority::Background).unwrap();
    let mut frame = renderer.begin_frame().unwrap();
    frame.write_buffer(&corners, 0, &[0; 24]).unwrap();
    let mut pass = frame.render(&Targets { size: [1, 1], ..Targets::default() }).unwrap();
    pass.pipeline(&pipeline).unwrap();
    pass.vertex_buffer(0, &corners, 0).unwrap();
    pass.draw(0..3, 0..1).unwrap();
    pass.end().unwrap();
    frame.submit().unwrap();
    assert!(pipeline.is_whole());
    assert_eq!(renderer.report().pipelines_linked, 0);
    drop(others);
}

#[test]
fn nothing_compiles_any_more_when_the_last_handle_is_gone() {
    let options = DeviceOptions { compile_threads: 1, ..DeviceOptions::default() };
    for _ in 0..8 {
        super::frames::on_own_device(&options, |device| {
            let renderer = Renderer::over(device, &RendererOptions::default());
            let program = program(&renderer);
            let mut others = occupy(&renderer, &program);
            while !others[0].is_ready() {
                std::thread::yield_now();
            }
            // The thread is at work on the next, or the one after it.
            others.truncate(3);
        });
    }
}
