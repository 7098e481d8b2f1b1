/*
 * Stream output: a geometry shader makes twelve lines of a light, and what it streamed out is drawn by its count.
 *
 *     stream light_point_vs.dxbc gizmo_gs.dxbc
 *
 * Exit code 78: the device has no transform feedback.
 */
#include "check.h"

#include <math.h>

/* What the geometry shader emits. */
typedef struct line_vertex {
    float position[3];
    float color[4];
} line_vertex;

#define VERTICES 24

/* Eight triangles, each over one of eight pixels. */
static const char pixels[] = "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
                             "  let left = -1.0 + 0.25 * f32(i / 3u); let corner = i % 3u;\n"
                             "  return vec4f(left + select(0.0, 0.375, corner == 2u), select(-1.0, 3.0, corner == 1u), 0.0, 1.0); }\n"
                             "@fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }\n";

static rx_program *make_gizmo(rx_renderer *renderer, const char *vertex, const char *geometry)
{
    rx_stream_entry entries[2];
    rx_translate_options options;
    rx_shader shaders[2];
    rx_program *program;
    memset(entries, 0, sizeof entries);
    entries[0].semantic = "POSITION";
    entries[0].components = 3;
    entries[1].semantic = "COLOR";
    entries[1].components = 4;
    memset(&options, 0, sizeof options);
    options.stream_entries = entries;
    options.stream_entry_count = 2;
    shaders[0] = read_shader(vertex);
    shaders[1] = read_shader(geometry);
    DO(rx_program_create(renderer, "gizmo", shaders, 2, &options, NULL, &program));
    entries[0].components = 5;
    {
        rx_program *none;
        FAILS(rx_program_create(renderer, "gizmo", shaders, 2, &options, NULL, &none), RX_ERROR_ARGUMENT, "components: 5");
    }
    free_shader(&shaders[0]);
    free_shader(&shaders[1]);
    return program;
}

static rx_pipeline *make_pipeline(rx_renderer *renderer, const rx_program *program, int drawn)
{
    rx_target_state target;
    rx_graphics_desc desc;
    rx_pipeline *pipeline;
    memset(&target, 0, sizeof target);
    target.format = RX_FORMAT_R8_UNORM;
    memset(&desc, 0, sizeof desc);
    desc.topology = drawn ? RX_TOPOLOGY_TRIANGLE_LIST : RX_TOPOLOGY_POINT_LIST;
    desc.cull = RX_CULL_NONE;
    desc.no_rasterize = !drawn;
    desc.targets = &target;
    desc.target_count = drawn ? 1 : 0;
    DO(rx_pipeline_create_graphics(renderer, program, &desc, &pipeline));
    return pipeline;
}

static int near(float value, float wanted)
{
    return fabsf(value - wanted) < 1e-5f;
}

int main(int argc, char **argv)
{
    /* Position, radius, colour, size of the source. A radius of 12.5 makes a gizmo of radius 1. */
    static const float light[8] = {1.0f, 2.0f, 3.0f, 12.5f, 1.0f, 1.0f, 1.0f, 0.0f};
    static const rx_vertex_input none = {RX_VERTEX_INPUT_NONE, 0, 0};
    rx_renderer *renderer;
    rx_program *gizmo, *counted;
    rx_pipeline *streaming, *drawing;
    rx_buffer *lights, *lines, *counter;
    rx_texture *row;
    rx_texture_desc row_desc;
    rx_shader shaders[2];
    rx_frame *frame;
    rx_pass_desc pass;
    rx_color_target color;
    rx_stream_buffer stream;
    rx_result result;
    line_vertex vertices[VERTICES];
    unsigned char texels[8];
    uint32_t bytes;
    int i;
    use_all();
    if (argc != 3) {
        return 1;
    }
    renderer = open_renderer();
    gizmo = make_gizmo(renderer, argv[1], argv[2]);
    streaming = make_pipeline(renderer, gizmo, 0);
    shaders[0] = text_shader(pixels, RX_SOURCE_WGSL, RX_STAGE_NONE);
    shaders[1] = shaders[0];
    shaders[0].entry = "vs";
    shaders[1].entry = "fs";
    DO(rx_program_create(renderer, "pixels", shaders, 2, NULL, &none, &counted));
    drawing = make_pipeline(renderer, counted, 1);
    lights = make_buffer(renderer, "lights", sizeof light, RX_MEMORY_DEVICE);
    lines = make_buffer(renderer, "lines", 4096, RX_MEMORY_DEVICE);
    counter = make_buffer(renderer, "counter", 16, RX_MEMORY_DEVICE);
    memset(&row_desc, 0, sizeof row_desc);
    row_desc.format = RX_FORMAT_R8_UNORM;
    row_desc.width = 8;
    DO(rx_texture_create(renderer, &row_desc, &row));

    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_write_buffer(frame, lights, 0, light, sizeof light));
    DO(rx_frame_fill_buffer(frame, counter, 0, 16, 0));
    memset(&pass, 0, sizeof pass);
    pass.width = 1;
    pass.height = 1;
    DO(rx_frame_begin_pass(frame, &pass));
    DO(rx_frame_set_pipeline(frame, streaming, NULL));
    DO(rx_frame_bind_buffer(frame, "lights", lights));
    memset(&stream, 0, sizeof stream);
    stream.buffer = lines;
    stream.offset = 256;
    result = rx_frame_draw_streamed(frame, 1, 1, 0, 0, &stream, 1, counter, 1);
    if (result == RX_ERROR_NO_DEVICE) {
        fprintf(stderr, "%s\n", rx_last_error_message());
        return 78;
    }
    DO(result);
    DO(rx_frame_end_pass(frame));
    memset(&color, 0, sizeof color);
    color.view.texture = row;
    color.load = RX_LOAD_CLEAR;
    pass.colors = &color;
    pass.color_count = 1;
    DO(rx_frame_begin_pass(frame, &pass));
    DO(rx_frame_set_pipeline(frame, drawing, NULL));
    DO(rx_frame_draw_auto(frame, counter, 0, sizeof(line_vertex)));
    DO(rx_frame_end_pass(frame));
    DO(rx_frame_submit(frame, NULL));

    DO(rx_renderer_read_buffer(renderer, counter, 0, &bytes, sizeof bytes));
    CHECK(bytes == sizeof vertices);
    DO(rx_renderer_read_buffer(renderer, lines, 256, vertices, sizeof vertices));
    /* From the tip along x to the one along z. */
    CHECK(near(vertices[0].position[0], 2) && near(vertices[0].position[1], 2) && near(vertices[0].position[2], 3));
    CHECK(near(vertices[1].position[0], 1) && near(vertices[1].position[1], 2) && near(vertices[1].position[2], 4));
    CHECK(near(vertices[0].color[0], 0.57735027f) && near(vertices[0].color[3], 1));
    DO(rx_renderer_read_texture(renderer, &color.view, texels, sizeof texels));
    for (i = 0; i < 8; i++) {
        CHECK(texels[i] == 255);
    }

    rx_texture_destroy(row);
    rx_buffer_destroy(counter);
    rx_buffer_destroy(lines);
    rx_buffer_destroy(lights);
    rx_pipeline_destroy(drawing);
    rx_pipeline_destroy(streaming);
    rx_program_destroy(counted);
    rx_program_destroy(gizmo);
    close_renderer(renderer);
    return 0;
}
