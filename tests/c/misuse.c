/*
 * What is wrong gets a code and a message that names it, and nothing else happens.
 *
 *     misuse ui_vs.dxbc
 */
#include "check.h"

static const char sum[] = "@group(0) @binding(0) var<storage, read_write> results: array<u32>;\n"
                          "@group(0) @binding(1) var picture: texture_2d<f32>;\n"
                          "@compute @workgroup_size(1) fn main() {\n"
                          "  results[0] = u32(textureLoad(picture, vec2i(0, 0), 0).x); }\n";

/* NULL may be destroyed and asked; what it is asked for is nothing. */
static void nulls(void)
{
    rx_adapter_destroy(NULL);
    rx_blob_destroy(NULL);
    rx_buffer_destroy(NULL);
    rx_device_request_destroy(NULL);
    rx_facts_destroy(NULL);
    rx_frame_destroy(NULL);
    rx_pipeline_destroy(NULL);
    rx_plan_destroy(NULL);
    rx_program_destroy(NULL);
    rx_renderer_destroy(NULL);
    rx_sampler_destroy(NULL);
    rx_submission_destroy(NULL);
    rx_switches_destroy(NULL);
    rx_texture_destroy(NULL);
    rx_translated_destroy(NULL);
    rx_translation_destroy(NULL);
    CHECK(rx_last_error_code() == 0 && rx_last_error_message()[0] == '\0');

    CHECK(rx_blob_data(NULL) == NULL && rx_blob_size(NULL) == 0 && rx_buffer_size(NULL) == 0);
    CHECK(rx_facts_name(NULL) == NULL && rx_plan_set_count(NULL) == 0 && rx_pipeline_is_ready(NULL) == 0);
    CHECK(rx_last_error_code() == 561);
    FAILS(rx_renderer_wait_idle(NULL), RX_ERROR_ARGUMENT, "RX0561: renderer: NULL. The message names");
    FAILS(rx_frame_draw(NULL, 3, 1, 0, 0), RX_ERROR_ARGUMENT, "RX0561: frame: NULL");
    FAILS(rx_frame_submit(NULL, NULL), RX_ERROR_ARGUMENT, "frame: NULL");
    FAILS(rx_renderer_create_headless(RX_API_VERSION, NULL, NULL), RX_ERROR_ARGUMENT, "out: NULL");
    FAILS(rx_translate(RX_API_VERSION, NULL, NULL, NULL), RX_ERROR_ARGUMENT, "out: NULL");
}

/* Every function that makes a first object refuses another header's version. */
static void versions(void)
{
    rx_renderer *renderer = (rx_renderer *)1;
    rx_translation *translation;
    rx_translated *translated;
    rx_facts *facts;
    rx_switches *switches;
    rx_adapter *adapter;
    const uint32_t other = RX_API_VERSION + 1;
    FAILS(rx_renderer_create_headless(other, NULL, &renderer), RX_ERROR_VERSION, "RX0560: the caller's header is of version 2");
    CHECK(renderer == NULL);
    FAILS(rx_renderer_create_windowed(other, NULL, NULL, 1, 1, &renderer), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_translate(other, NULL, NULL, &translation), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_translated_create(other, NULL, NULL, 0, NULL, NULL, &translated), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_facts_open(other, "radv", &facts), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_switches_create(other, NULL, 0, &switches), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_switches_from_environment(other, &switches), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_adapter_adopt(other, NULL, &adapter), RX_ERROR_VERSION, "RX0560");
    FAILS(rx_renderer_create_headless(0, NULL, &renderer), RX_ERROR_VERSION, "RX0560");
}

static void sources(const char *path)
{
    rx_shader shader = read_shader(path);
    rx_translation *translation;
    rx_translate_options options;
    const size_t size = shader.size;
    shader.size = size / 2;
    FAILS(rx_translate(RX_API_VERSION, &shader, NULL, &translation), RX_ERROR_MALFORMED, "RX01");
    CHECK(translation == NULL);
    shader.size = 0;
    FAILS(rx_translate(RX_API_VERSION, &shader, NULL, &translation), RX_ERROR_ARGUMENT, "RX0562: shader: neither DXBC nor SPIR-V");
    shader.size = size;
    shader.source = 5;
    FAILS(rx_translate(RX_API_VERSION, &shader, NULL, &translation), RX_ERROR_ARGUMENT, "source: 5");
    shader.source = RX_SOURCE_WGSL;
    FAILS(rx_translate(RX_API_VERSION, &shader, NULL, &translation), RX_ERROR_ARGUMENT, "data: not UTF-8");
    shader.source = RX_SOURCE_AUTO;
    memset(&options, 0, sizeof options);
    options.robustness = 9;
    FAILS(rx_translate(RX_API_VERSION, &shader, &options, &translation), RX_ERROR_ARGUMENT, "robustness: 9");
    options.robustness = 0;
    options.rule_count = 3;
    FAILS(rx_translate(RX_API_VERSION, &shader, &options, &translation), RX_ERROR_ARGUMENT, "RX0561: rules: NULL");
    /* An array that no memory holds. */
    options.rules = (const rx_binding_rule *)(const void *)&options;
    options.rule_count = SIZE_MAX / 2;
    FAILS(rx_translate(RX_API_VERSION, &shader, &options, &translation), RX_ERROR_ARGUMENT, "rules: ");
    FAILS(rx_translate(RX_API_VERSION, (const rx_shader *)(const void *)((const char *)&shader + 1), NULL, &translation),
          RX_ERROR_ARGUMENT, "shader: not aligned to 8 bytes");
    free_shader(&shader);
    FAILS(rx_set_log_callback(6, NULL, NULL), RX_ERROR_ARGUMENT, "level: 6");
}

static void devices(void)
{
    rx_switch named = {"RX_VK_DEVICE", "no such gpu"};
    rx_switches *switches;
    rx_renderer_desc desc;
    rx_renderer *renderer;
    rx_window window;
    memset(&desc, 0, sizeof desc);
    memset(&window, 0, sizeof window);
    DO(rx_switches_create(RX_API_VERSION, &named, 1, &switches));
    desc.switches = switches;
    FAILS(rx_renderer_create_headless(RX_API_VERSION, &desc, &renderer), RX_ERROR_NOT_FOUND, "RX0525: no device \"no such gpu\"");
    rx_switches_destroy(switches);
    desc.switches = NULL;
    desc.frames_in_flight = 9;
    FAILS(rx_renderer_create_headless(RX_API_VERSION, &desc, &renderer), RX_ERROR_ARGUMENT, "frames_in_flight: 9");
    desc.frames_in_flight = 0;
    desc.not_ready = 2;
    FAILS(rx_renderer_create_headless(RX_API_VERSION, &desc, &renderer), RX_ERROR_ARGUMENT, "not_ready: 2");
    desc.not_ready = 0;
    desc.application = "\xff";
    FAILS(rx_renderer_create_headless(RX_API_VERSION, &desc, &renderer), RX_ERROR_ARGUMENT, "application: not UTF-8");
    desc.application = NULL;
    FAILS(rx_renderer_create_windowed(RX_API_VERSION, &desc, &window, 8, 8, &renderer), RX_ERROR_ARGUMENT, "system: 0");
    window.system = RX_WINDOW_XLIB;
    FAILS(rx_renderer_create_windowed(RX_API_VERSION, &desc, &window, 8, 8, &renderer), RX_ERROR_ARGUMENT, "window_id: 0");
    window.window_id = 1;
    FAILS(rx_renderer_create_windowed(RX_API_VERSION, &desc, &window, 8, 8, &renderer), RX_ERROR_ARGUMENT, "display: NULL");
}

static void resources(rx_renderer *renderer)
{
    rx_buffer_desc buffer_desc;
    rx_texture_desc texture_desc;
    rx_sampler_desc sampler_desc;
    rx_buffer *buffer;
    rx_texture *texture;
    rx_sampler *sampler;
    char byte = 0;
    memset(&buffer_desc, 0, sizeof buffer_desc);
    memset(&texture_desc, 0, sizeof texture_desc);
    memset(&sampler_desc, 0, sizeof sampler_desc);
    FAILS(rx_buffer_create(renderer, &buffer_desc, &buffer), RX_ERROR_ARGUMENT, "RX0530: buffer: a buffer of 0 bytes");
    buffer_desc.size = 16;
    buffer_desc.memory = 3;
    FAILS(rx_buffer_create(renderer, &buffer_desc, &buffer), RX_ERROR_ARGUMENT, "memory: 3");
    buffer_desc.memory = RX_MEMORY_UPLOAD;
    DO(rx_buffer_create(renderer, &buffer_desc, &buffer));
    FAILS(rx_buffer_write(buffer, 16, &byte, 1), RX_ERROR_ARGUMENT, "RX0530: buffer: bytes 16..17 of 16");
    FAILS(rx_buffer_write(buffer, UINT64_MAX, &byte, 1), RX_ERROR_ARGUMENT, "RX0530");
    FAILS(rx_buffer_write(buffer, 0, NULL, 1), RX_ERROR_ARGUMENT, "bytes: NULL");
    DO(rx_buffer_write(buffer, 16, NULL, 0));
    FAILS(rx_renderer_read_buffer(renderer, buffer, 0, NULL, 16), RX_ERROR_ARGUMENT, "bytes: NULL");
    FAILS(rx_renderer_read_buffer(renderer, buffer, 8, &byte, 9), RX_ERROR_ARGUMENT, "RX0530");
    rx_buffer_destroy(buffer);
    FAILS(rx_texture_create(renderer, &texture_desc, &texture), RX_ERROR_ARGUMENT, "format: 0 is no format");
    texture_desc.format = RX_FORMAT_R8G8B8A8_UNORM;
    texture_desc.width = 1u << 30;
    FAILS(rx_texture_create(renderer, &texture_desc, &texture), RX_ERROR_ARGUMENT, "RX0530: texture: a size of");
    texture_desc.width = 4;
    texture_desc.kind = 4;
    FAILS(rx_texture_create(renderer, &texture_desc, &texture), RX_ERROR_ARGUMENT, "kind: 4");
    texture_desc.kind = 0;
    texture_desc.usage = 8;
    FAILS(rx_texture_create(renderer, &texture_desc, &texture), RX_ERROR_ARGUMENT, "usage: 0x8");
    sampler_desc.address = 4;
    FAILS(rx_sampler_create(renderer, &sampler_desc, &sampler), RX_ERROR_ARGUMENT, "address: 4");
    sampler_desc.address = 0;
    sampler_desc.min_lod = 2.0f;
    sampler_desc.limit_lod = 1;
    FAILS(rx_sampler_create(renderer, &sampler_desc, &sampler), RX_ERROR_ARGUMENT, "desc: levels [2.0, 0.0]");
}

static void frames(rx_renderer *renderer)
{
    rx_shader shader = text_shader(sum, RX_SOURCE_WGSL, RX_STAGE_NONE);
    rx_program *program;
    rx_pipeline *pipeline, *none;
    rx_graphics_desc graphics;
    rx_buffer *buffer = make_buffer(renderer, "small", 16, RX_MEMORY_DEVICE);
    rx_texture *texture = make_texture(renderer, "texture", RX_FORMAT_R8G8B8A8_UNORM, 4);
    rx_frame *frame, *second;
    rx_view view;
    rx_bound bound;
    rx_slot slot;
    char texels[64];
    FAILS(rx_program_create(renderer, "none", NULL, 0, NULL, NULL, &program), RX_ERROR_ARGUMENT, "a program of no shaders");
    DO(rx_program_create(renderer, "sum", &shader, 1, NULL, NULL, &program));
    DO(rx_pipeline_create_compute(renderer, program, NULL, 0, RX_PRIORITY_NOW, &pipeline));
    memset(&graphics, 0, sizeof graphics);
    FAILS(rx_pipeline_create_graphics(renderer, program, &graphics, &none), RX_ERROR_PIPELINE, "RX0529");
    FAILS(rx_pipeline_create_compute(renderer, program, NULL, 0, 3, &none), RX_ERROR_ARGUMENT, "priority: 3");
    FAILS(rx_program_slot(program, "result", &slot), RX_ERROR_BINDING, "RX0527: sum: result: the program has nothing of this name; the nearest is results");
    FAILS(rx_program_slot_of_register(program, RX_CLASS_SAMPLER, 3, 0, &slot), RX_ERROR_BINDING, "RX0527");
    FAILS(rx_program_slot_of_register(program, 5, 3, 0, &slot), RX_ERROR_ARGUMENT, "resource_class: 5");

    DO(rx_renderer_begin_frame(renderer, &frame));
    FAILS(rx_renderer_begin_frame(renderer, &second), RX_ERROR_BUSY, "RX0563: the renderer has an open frame");
    CHECK(second == NULL);
    memset(&view, 0, sizeof view);
    view.texture = texture;
    FAILS(rx_renderer_read_texture(renderer, &view, texels, 64), RX_ERROR_BUSY, "RX0563");
    FAILS(rx_renderer_read_texture(renderer, &view, texels, 63), RX_ERROR_ARGUMENT, "size: 63 bytes for texels of 64");
    FAILS(rx_frame_upload(frame, &view, texels, 63), RX_ERROR_ARGUMENT, "RX0530: texture: 63 bytes for a level of 64");
    view.first_mip = 1;
    FAILS(rx_frame_upload(frame, &view, texels, 64), RX_ERROR_ARGUMENT, "RX0530");
    view.first_mip = 0;
    view.format = RX_FORMAT_R8_UNORM;
    FAILS(rx_frame_upload(frame, &view, texels, 64), RX_ERROR_ARGUMENT, "format: R8_UNORM has not the texel size");
    FAILS(rx_frame_write_buffer(frame, buffer, 8, texels, 12), RX_ERROR_ARGUMENT, "RX0530: small: bytes 8..20 of 16");
    FAILS(rx_frame_bind_buffer(frame, "results", buffer), RX_ERROR_ARGUMENT, "no pipeline is set");
    FAILS(rx_frame_end_pass(frame), RX_ERROR_ARGUMENT, "not in a pass");
    FAILS(rx_frame_draw(frame, 3, 1, UINT32_MAX, 0), RX_ERROR_ARGUMENT, "vertex_count: 3 from 4294967295 on are past 2^32");
    DO(rx_frame_set_compute(frame, pipeline, NULL));
    FAILS(rx_frame_bind_buffer(frame, "result", buffer), RX_ERROR_BINDING, "the nearest is results");
    FAILS(rx_frame_bind_texture(frame, "results", texture), RX_ERROR_BINDING, "a texture for a storage_buffer");
    FAILS(rx_frame_bind_texture(frame, "picture", NULL), RX_ERROR_ARGUMENT, "texture: NULL");
    FAILS(rx_frame_bind_texture(frame, NULL, texture), RX_ERROR_ARGUMENT, "name: NULL");
    memset(&bound, 0, sizeof bound);
    bound.kind = 5;
    FAILS(rx_frame_bind(frame, "results", &bound), RX_ERROR_ARGUMENT, "kind: 5");
    bound.kind = RX_BOUND_BUFFER;
    FAILS(rx_frame_bind(frame, "results", &bound), RX_ERROR_ARGUMENT, "RX0561: buffer: NULL");
    bound.buffer = buffer;
    bound.offset = 20;
    FAILS(rx_frame_bind(frame, "results", &bound), RX_ERROR_ARGUMENT, "RX0530");
    bound.offset = 0;
    FAILS(rx_frame_bind_element(frame, "results", 1, &bound), RX_ERROR_BINDING, "element 1 of an array of 1");
    FAILS(rx_frame_bind_slot(frame, 77, 0, &bound), RX_ERROR_BINDING, "slot 77");
    FAILS(rx_frame_viewport(frame, 0, 0, 0, 0, 0, 2), RX_ERROR_ARGUMENT, "viewport");
    /* A frame whose renderer is gone still ends well. */
    rx_renderer_destroy(renderer);
    DO(rx_frame_submit(frame, NULL));

    rx_texture_destroy(texture);
    rx_buffer_destroy(buffer);
    rx_pipeline_destroy(pipeline);
    rx_program_destroy(program);
}

int main(int argc, char **argv)
{
    rx_renderer *renderer;
    use_all();
    if (argc != 2) {
        return 1;
    }
    nulls();
    versions();
    sources(argv[1]);
    devices();
    renderer = open_renderer();
    resources(renderer);
    frames(renderer);
    CHECK(strcmp(rx_result_name(RX_ERROR_BUSY), "RX_ERROR_BUSY") == 0);
    DO(rx_set_log_callback(RX_LOG_OFF, NULL, NULL));
    CHECK(validation_messages == 0);
    return 0;
}
