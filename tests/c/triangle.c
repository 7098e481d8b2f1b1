/*
 * A triangle from Direct3D bytecode, without a window: two shaders in, texels out.
 *
 *     triangle ui_vs.dxbc ui_ps.dxbc [picture.png]
 *
 * Prints the texels of the upper left corner, the middle of the left edge and the lower right corner.
 */
#include "check.h"

#define SIDE 8

/* Position in pixels, texture coordinates, colour: as vs_ui declares them. */
typedef struct vertex {
    float position[2];
    float uv[2];
    float color[4];
} vertex;

static const vertex corners[3] = {
    {{0.0f, 0.0f}, {0.5f, 0.5f}, {1.0f, 0.0f, 0.0f, 1.0f}},
    {{SIDE, 0.0f}, {0.5f, 0.5f}, {1.0f, 0.0f, 0.0f, 1.0f}},
    {{0.0f, SIDE}, {0.5f, 0.5f}, {1.0f, 0.0f, 0.0f, 1.0f}},
};
static const uint16_t indices[4] = {0, 1, 2, 0};
/* A fifth of white: how much of the picture before the triangle covers. */
static const unsigned char coverage[1] = {51};

static rx_pipeline *make_pipeline(rx_renderer *renderer, const rx_program *program)
{
    rx_vertex_element elements[3] = {{"POSITION", 0, RX_FORMAT_R32G32_FLOAT, 0, 0},
                                     {"TEXCOORD", 0, RX_FORMAT_R32G32_FLOAT, 0, 8},
                                     {"COLOR", 0, RX_FORMAT_R32G32B32A32_FLOAT, 0, 16}};
    rx_vertex_stream stream = {0, sizeof(vertex), 0};
    rx_target_state target;
    rx_graphics_desc desc;
    rx_pipeline *pipeline;
    memset(&target, 0, sizeof target);
    target.format = RX_FORMAT_R8G8B8A8_UNORM;
    target.blend = 1;
    target.color.src = RX_BLEND_SRC_ALPHA;
    target.color.dst = RX_BLEND_INV_SRC_ALPHA;
    target.alpha.src = RX_BLEND_ONE;
    memset(&desc, 0, sizeof desc);
    desc.elements = elements;
    desc.element_count = 3;
    desc.streams = &stream;
    desc.stream_count = 1;
    desc.targets = &target;
    desc.target_count = 1;
    DO(rx_pipeline_create_graphics(renderer, program, &desc, &pipeline));
    return pipeline;
}

static void print(const char *place, const unsigned char *texel)
{
    printf("%s %u %u %u %u\n", place, texel[0], texel[1], texel[2], texel[3]);
}

static void write_png(rx_renderer *renderer, const rx_texture *texture, const char *path)
{
    rx_blob *png;
    FILE *file = fopen(path, "wb");
    DO(rx_renderer_capture_png(renderer, texture, &png));
    CHECK(file != NULL && fwrite(rx_blob_data(png), 1, rx_blob_size(png), file) == rx_blob_size(png));
    fclose(file);
    rx_blob_destroy(png);
}

int main(int argc, char **argv)
{
    static const float constants[4] = {2.0f / SIDE, 2.0f / SIDE, 0.0f, 0.0f};
    unsigned char texels[SIDE * SIDE * 4];
    rx_renderer *renderer;
    rx_shader shaders[2];
    rx_program *program;
    rx_pipeline *pipeline;
    rx_buffer *vertices, *triangle;
    rx_texture *target, *atlas;
    rx_sampler *sampler;
    rx_frame *frame;
    rx_submission *submission;
    rx_view view;
    rx_color_target color;
    rx_pass_desc pass;

    use_all();
    if (argc < 3) {
        fprintf(stderr, "usage: triangle VS.dxbc PS.dxbc [picture.png]\n");
        return 1;
    }
    shaders[0] = read_shader(argv[1]);
    shaders[1] = read_shader(argv[2]);
    renderer = open_renderer();
    DO(rx_program_create(renderer, "triangle", shaders, 2, NULL, NULL, &program));
    free_shader(&shaders[0]);
    free_shader(&shaders[1]);
    pipeline = make_pipeline(renderer, program);
    vertices = make_buffer(renderer, "corners", sizeof corners, RX_MEMORY_DEVICE);
    triangle = make_buffer(renderer, "indices", sizeof indices, RX_MEMORY_DEVICE);
    target = make_texture(renderer, "target", RX_FORMAT_R8G8B8A8_UNORM, SIDE);
    atlas = make_texture(renderer, "atlas", RX_FORMAT_R8_UNORM, 1);
    DO(rx_sampler_create(renderer, NULL, &sampler));

    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_label(frame, "upload"));
    DO(rx_frame_write_buffer(frame, vertices, 0, corners, sizeof corners));
    DO(rx_frame_write_buffer(frame, triangle, 0, indices, sizeof indices));
    memset(&view, 0, sizeof view);
    view.texture = atlas;
    DO(rx_frame_upload(frame, &view, coverage, sizeof coverage));

    DO(rx_frame_label(frame, "triangle"));
    view.texture = target;
    memset(&color, 0, sizeof color);
    color.view = view;
    color.load = RX_LOAD_CLEAR;
    color.clear[2] = 1.0f;
    color.clear[3] = 1.0f;
    memset(&pass, 0, sizeof pass);
    pass.colors = &color;
    pass.color_count = 1;
    DO(rx_frame_begin_pass(frame, &pass));
    DO(rx_frame_set_pipeline(frame, pipeline, NULL));
    DO(rx_frame_constants(frame, "UiConstants", constants, sizeof constants));
    DO(rx_frame_bind_texture(frame, "atlas", atlas));
    DO(rx_frame_bind_sampler(frame, "point_clamp", sampler));
    DO(rx_frame_vertex_buffer(frame, 0, vertices, 0));
    DO(rx_frame_index_buffer(frame, triangle, 0, RX_INDEX_U16));
    DO(rx_frame_draw_indexed(frame, 3, 1, 0, 0, 0));
    DO(rx_frame_end_pass(frame));
    DO(rx_frame_submit(frame, &submission));
    DO(rx_submission_wait(submission));
    CHECK(rx_submission_is_done(submission));
    rx_submission_destroy(submission);

    DO(rx_renderer_read_texture(renderer, &view, texels, sizeof texels));
    print("corner", texels);
    print("middle", texels + (SIDE / 2 * SIDE) * 4);
    print("other", texels + sizeof texels - 4);
    if (argc > 3) {
        write_png(renderer, target, argv[3]);
    }

    rx_sampler_destroy(sampler);
    rx_texture_destroy(atlas);
    rx_texture_destroy(target);
    rx_buffer_destroy(triangle);
    rx_buffer_destroy(vertices);
    rx_pipeline_destroy(pipeline);
    rx_program_destroy(program);
    close_renderer(renderer);
    return 0;
}
