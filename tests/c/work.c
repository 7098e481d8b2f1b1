/*
 * What a renderer does beside a triangle: compute by name, register and slot, arguments in buffers, depth, views, copies,
 * stencils, times, counts, and pipelines kept.
 *
 *     work
 */
#include "check.h"

static const char sum[] = "struct Constants { factor: u32, pad: u32 }\n"
                          "@group(0) @binding(0) var<uniform> constants: Constants;\n"
                          "@group(0) @binding(1) var<storage, read> numbers: array<u32>;\n"
                          "@group(0) @binding(2) var picture: texture_2d<f32>;\n"
                          "@group(0) @binding(3) var nearest: sampler;\n"
                          "@group(0) @binding(4) var<storage, read_write> results: array<u32>;\n"
                          "@group(0) @binding(5) var image: texture_storage_2d<r32uint, write>;\n"
                          "@compute @workgroup_size(1) fn main() {\n"
                          "  let texel = textureSampleLevel(picture, nearest, vec2f(0.5), 0.0);\n"
                          "  results[0] = constants.factor * numbers[1] + u32(texel.x * 255.0 + 0.5);\n"
                          "  results[1] = results[1] + 1u;\n"
                          "  textureStore(image, vec2i(0, 0), vec4u(results[0], 0u, 0u, 0u)); }\n";

static const char quad[] = "struct Push { color: vec4f }\n"
                           "var<immediate> push: Push;\n"
                           "@vertex fn vs(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32)\n"
                           "  -> @builtin(position) vec4f {\n"
                           "  let x = select(-1.0, 3.0, i == 2u); let y = select(-1.0, 3.0, i == 1u);\n"
                           "  return vec4f(x, y, 0.25 * f32(n + 1u), 1.0); }\n"
                           "@fragment fn fs() -> @location(0) vec4f { return push.color; }\n";

typedef struct compute {
    rx_program *program;
    rx_pipeline *pipeline;
    rx_buffer *numbers, *results, *arguments, *back;
    rx_texture *picture, *image;
    rx_sampler *sampler;
} compute;

static rx_bound whole(const rx_buffer *buffer)
{
    rx_bound bound;
    memset(&bound, 0, sizeof bound);
    bound.kind = RX_BOUND_BUFFER;
    bound.buffer = buffer;
    return bound;
}

static compute make_compute(rx_renderer *renderer)
{
    static const char *const names[] = {"constants", "image", "nearest", "numbers", "picture", "results"};
    rx_shader shader = text_shader(sum, RX_SOURCE_WGSL, RX_STAGE_NONE);
    rx_texture_desc image;
    rx_sampler_desc sampler;
    compute own;
    size_t i;
    DO(rx_program_create(renderer, "sum", &shader, 1, NULL, NULL, &own.program));
    CHECK(rx_program_plan_line(own.program, 0) != NULL && rx_program_plan_line(own.program, 1) == NULL);
    for (i = 0; i < 6; i++) {
        CHECK(strcmp(rx_program_name(own.program, i), names[i]) == 0);
    }
    CHECK(rx_program_name(own.program, 6) == NULL);
    DO(rx_pipeline_create_compute(renderer, own.program, NULL, 0, RX_PRIORITY_NORMAL, &own.pipeline));
    own.numbers = make_buffer(renderer, "numbers", 64, RX_MEMORY_UPLOAD);
    own.results = make_buffer(renderer, "results", 64, RX_MEMORY_DEVICE);
    own.arguments = make_buffer(renderer, "arguments", 64, RX_MEMORY_DEVICE);
    own.back = make_buffer(renderer, "back", 64, RX_MEMORY_READBACK);
    own.picture = make_texture(renderer, "picture", RX_FORMAT_R8G8B8A8_UNORM, 1);
    memset(&image, 0, sizeof image);
    image.format = RX_FORMAT_R32_UINT;
    image.usage = RX_USAGE_STORAGE;
    DO(rx_texture_create(renderer, &image, &own.image));
    memset(&sampler, 0, sizeof sampler);
    sampler.filter = RX_FILTER_POINT;
    sampler.address = RX_ADDRESS_CLAMP;
    DO(rx_sampler_create(renderer, &sampler, &own.sampler));
    return own;
}

static void destroy_compute(compute *own)
{
    rx_sampler_destroy(own->sampler);
    rx_texture_destroy(own->image);
    rx_texture_destroy(own->picture);
    rx_buffer_destroy(own->back);
    rx_buffer_destroy(own->arguments);
    rx_buffer_destroy(own->results);
    rx_buffer_destroy(own->numbers);
    rx_pipeline_destroy(own->pipeline);
    rx_program_destroy(own->program);
}

/* Five dispatches, each of which sees what the one before wrote. */
static void run_compute(rx_renderer *renderer, compute *own)
{
    static const uint32_t factor[2] = {3, 0}, numbers[2] = {1, 20}, groups[3] = {1, 1, 1};
    static const unsigned char texel[4] = {7, 0, 0, 0};
    uint32_t result[2], image;
    rx_bound bound = whole(own->results);
    rx_slot slot;
    rx_frame *frame;
    rx_submission *submission;
    rx_view view;
    rx_bool ready = 0;
    int i;
    DO(rx_buffer_write(own->numbers, 0, numbers, sizeof numbers));
    DO(rx_program_slot(own->program, "numbers", &slot));
    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_label(frame, "sums"));
    DO(rx_frame_fill_buffer(frame, own->results, 0, 64, 0));
    DO(rx_frame_write_buffer(frame, own->arguments, 16, groups, sizeof groups));
    memset(&view, 0, sizeof view);
    view.texture = own->picture;
    DO(rx_frame_upload(frame, &view, texel, sizeof texel));
    DO(rx_frame_set_compute(frame, own->pipeline, &ready));
    CHECK(ready == 1);
    DO(rx_frame_constants(frame, "constants", factor, sizeof factor));
    /* By register (of WGSL the binding), by slot, by name. */
    DO(rx_frame_bind_register(frame, RX_CLASS_UAV, 4, 0, &bound));
    bound = whole(own->numbers);
    bound.size = 8;
    DO(rx_frame_bind_slot(frame, slot, 0, &bound));
    DO(rx_frame_bind_texture(frame, "picture", own->picture));
    DO(rx_frame_bind_sampler(frame, "nearest", own->sampler));
    memset(&bound, 0, sizeof bound);
    bound.kind = RX_BOUND_TEXTURE;
    bound.view.texture = own->image;
    DO(rx_frame_bind(frame, "image", &bound));
    for (i = 0; i < 4; i++) {
        DO(rx_frame_dispatch(frame, 1, 1, 1));
    }
    DO(rx_frame_dispatch_indirect(frame, own->arguments, 16));
    DO(rx_frame_label(frame, "back"));
    DO(rx_frame_copy_buffer(frame, own->results, 0, own->back, 32, 8));
    DO(rx_frame_host_reads(frame, own->back));
    DO(rx_frame_submit(frame, &submission));
    DO(rx_submission_wait(submission));
    rx_submission_destroy(submission);
    DO(rx_buffer_read(own->back, 32, result, sizeof result));
    CHECK(result[0] == 3 * 20 + 7 && result[1] == 5);
    DO(rx_renderer_read_buffer(renderer, own->results, 4, result, 4));
    CHECK(result[0] == 5);
    view.texture = own->image;
    DO(rx_renderer_read_texture(renderer, &view, &image, sizeof image));
    CHECK(image == 67);
}

static void count_progress(void *user, size_t done, size_t count)
{
    size_t *calls = (size_t *)user;
    CHECK(done == *calls && count == 2);
    (*calls)++;
}

typedef struct quads {
    rx_program *program;
    rx_pipeline *covered, *marked;
    rx_texture *color, *depth;
} quads;

/* One pipeline tests depths and marks the stencil; the other draws where it is marked. */
static quads make_quads(rx_renderer *renderer)
{
    rx_shader shaders[2];
    rx_target_state target;
    rx_graphics_desc desc;
    rx_vertex_input none = {RX_VERTEX_INPUT_NONE, 0, 0};
    const rx_pipeline *both[2];
    size_t calls = 0;
    quads own;
    shaders[0] = text_shader(quad, RX_SOURCE_WGSL, RX_STAGE_NONE);
    shaders[1] = shaders[0];
    shaders[0].entry = "vs";
    shaders[1].entry = "fs";
    DO(rx_program_create(renderer, "quad", shaders, 2, NULL, &none, &own.program));
    memset(&target, 0, sizeof target);
    target.format = RX_FORMAT_R8G8B8A8_UNORM;
    memset(&desc, 0, sizeof desc);
    desc.targets = &target;
    desc.target_count = 1;
    desc.depth.format = RX_FORMAT_D32_FLOAT_S8_UINT;
    desc.depth.stencil = 1;
    desc.depth.stencil_read_mask = 0xff;
    desc.depth.stencil_write_mask = 0xff;
    desc.depth.front.pass = RX_STENCIL_REPLACE;
    DO(rx_pipeline_create_graphics(renderer, own.program, &desc, &own.covered));
    desc.name = "marked";
    desc.depth.no_test = 1;
    desc.depth.no_write = 1;
    desc.depth.front.pass = RX_STENCIL_KEEP;
    desc.depth.front.compare = RX_COMPARE_EQUAL;
    /* Green is not written. */
    target.masked = 2;
    DO(rx_pipeline_create_graphics(renderer, own.program, &desc, &own.marked));
    both[0] = own.covered;
    both[1] = own.marked;
    DO(rx_renderer_warm_up(renderer, both, 2, count_progress, &calls));
    CHECK(calls == 3 && rx_pipeline_is_ready(own.marked));
    DO(rx_pipeline_wait(own.covered));
    own.color = make_texture(renderer, "color", RX_FORMAT_R8G8B8A8_UNORM, 4);
    own.depth = make_texture(renderer, "depth", RX_FORMAT_D32_FLOAT_S8_UINT, 4);
    return own;
}

static void destroy_quads(quads *own)
{
    rx_texture_destroy(own->depth);
    rx_texture_destroy(own->color);
    rx_pipeline_destroy(own->marked);
    rx_pipeline_destroy(own->covered);
    rx_program_destroy(own->program);
}

static int is(const unsigned char *texel, int r, int g, int b, int a)
{
    return texel[0] == r && texel[1] == g && texel[2] == b && texel[3] == a;
}

static void draw_quads(rx_renderer *renderer, quads *own)
{
    static const float red[4] = {1, 0, 0, 1}, green[4] = {0, 1, 0, 1}, cyan[4] = {0, 1, 1, 1}, factor[4] = {0, 0, 0, 0};
    static const uint32_t arguments[4] = {3, 1, 0, 0};
    unsigned char texels[4 * 4 * 4];
    float depths[16];
    rx_buffer *buffer = make_buffer(renderer, "arguments", 16, RX_MEMORY_DEVICE);
    rx_color_target color;
    rx_pass_desc pass;
    rx_frame *frame;
    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_write_buffer(frame, buffer, 0, arguments, sizeof arguments));
    memset(&color, 0, sizeof color);
    color.view.texture = own->color;
    color.load = RX_LOAD_CLEAR;
    memset(&pass, 0, sizeof pass);
    pass.colors = &color;
    pass.color_count = 1;
    pass.depth.view.texture = own->depth;
    pass.depth.load = RX_LOAD_CLEAR;
    pass.depth.clear = 1.0f;
    DO(rx_frame_begin_pass(frame, &pass));
    DO(rx_frame_set_pipeline(frame, own->covered, NULL));
    DO(rx_frame_blend_and_stencil(frame, factor, 5));
    /* The left half, the second instance: depth 0.5. */
    DO(rx_frame_scissor(frame, 0, 0, 2, 4));
    DO(rx_frame_push_constants(frame, red, sizeof red));
    DO(rx_frame_draw(frame, 3, 1, 0, 1));
    /* Over all, the third: nearer than the cleared depth, further than the left half. */
    DO(rx_frame_scissor(frame, 0, 0, 4, 4));
    DO(rx_frame_blend_and_stencil(frame, factor, 9));
    DO(rx_frame_push_constants(frame, green, sizeof green));
    DO(rx_frame_draw(frame, 3, 1, 0, 2));
    /* Where the stencil is 5, in the upper half, by arguments in a buffer; its green is not written. */
    DO(rx_frame_set_pipeline(frame, own->marked, NULL));
    DO(rx_frame_viewport(frame, 0, 0, 4, 2, 0, 1));
    DO(rx_frame_blend_and_stencil(frame, factor, 5));
    DO(rx_frame_push_constants(frame, cyan, sizeof cyan));
    DO(rx_frame_draw_indirect(frame, buffer, 0, 1, 16));
    DO(rx_frame_end_pass(frame));
    DO(rx_frame_submit(frame, NULL));
    DO(rx_renderer_read_texture(renderer, &color.view, texels, sizeof texels));
    CHECK(is(texels, 0, 0, 255, 255));
    CHECK(is(texels + 4 * 3, 0, 255, 0, 255));
    CHECK(is(texels + 16 * 3, 255, 0, 0, 255));
    CHECK(is(texels + 16 * 3 + 4 * 3, 0, 255, 0, 255));
    DO(rx_renderer_read_texture(renderer, &pass.depth.view, depths, sizeof depths));
    CHECK(depths[0] == 0.5f && depths[3] == 0.75f);
    rx_buffer_destroy(buffer);
}

static void copy_textures(rx_renderer *renderer)
{
    static const float gray[4] = {0.2f, 0.4f, 0.6f, 1.0f};
    static const uint32_t words[4] = {9, 0, 0, 0};
    unsigned char texel[4];
    uint32_t word, whole[4];
    uint64_t bytes;
    rx_texture_desc desc, info;
    rx_texture *chain, *other, *numbers;
    rx_view view, small;
    rx_frame *frame;
    rx_blob *png;
    memset(&desc, 0, sizeof desc);
    desc.name = "chain";
    desc.format = RX_FORMAT_R8G8B8A8_UNORM;
    desc.width = 4;
    desc.height = 2;
    desc.mips = 3;
    desc.layers = 2;
    DO(rx_texture_create(renderer, &desc, &chain));
    DO(rx_texture_info(chain, &info));
    CHECK(info.width == 4 && info.height == 2 && info.depth == 1 && info.mips == 3 && info.layers == 2);
    CHECK(info.format == RX_FORMAT_R8G8B8A8_UNORM && info.samples == 1);
    other = make_texture(renderer, "other", RX_FORMAT_R8G8B8A8_UNORM, 1);
    numbers = make_texture(renderer, "numbers", RX_FORMAT_R32_UINT, 2);
    memset(&view, 0, sizeof view);
    view.texture = chain;
    DO(rx_view_bytes(&view, &bytes));
    CHECK(bytes == 4 * 2 * 2 * 4);
    view.first_layer = 1;
    DO(rx_view_bytes(&view, &bytes));
    CHECK(bytes == 4 * 2 * 4);
    memset(&small, 0, sizeof small);
    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_clear_color(frame, &view, gray));
    small.texture = numbers;
    DO(rx_frame_clear_uint(frame, &small, words));
    view.mip_count = 1;
    small = view;
    small.first_mip = 2;
    DO(rx_frame_blit(frame, &view, &small));
    view = small;
    memset(&small, 0, sizeof small);
    small.texture = other;
    DO(rx_frame_copy_texture(frame, &view, &small));
    DO(rx_frame_submit(frame, NULL));
    DO(rx_renderer_read_texture(renderer, &small, texel, sizeof texel));
    CHECK(is(texel, 51, 102, 153, 255));
    small.texture = numbers;
    DO(rx_renderer_read_texture(renderer, &small, whole, sizeof whole));
    CHECK(whole[0] == 9 && whole[3] == 9);
    /* The same bytes as another format. */
    small.format = RX_FORMAT_R8G8B8A8_UINT;
    DO(rx_renderer_read_texture(renderer, &small, whole, sizeof whole));
    DO(rx_renderer_capture_png(renderer, other, &png));
    CHECK(rx_blob_size(png) > 8 && memcmp(rx_blob_data(png), "\x89PNG\r\n\x1a\n", 8) == 0);
    rx_blob_destroy(png);
    FAILS(rx_renderer_capture_png(renderer, numbers, &png), RX_ERROR_ARGUMENT, "RX0551");
    CHECK(png == NULL);
    word = whole[0];
    CHECK(word == 9);
    rx_texture_destroy(numbers);
    rx_texture_destroy(other);
    rx_texture_destroy(chain);
}

static void reports(rx_renderer *renderer)
{
    rx_report report;
    rx_blob *text, *cache, *messages;
    rx_timing timings[1];
    rx_facts *facts;
    rx_frame *frame;
    rx_submission *submission;
    size_t count;
    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_label(frame, "first"));
    DO(rx_frame_label(frame, "second"));
    DO(rx_frame_submit(frame, &submission));
    DO(rx_submission_wait(submission));
    rx_submission_destroy(submission);
    DO(rx_renderer_timings(renderer, timings, 1, &count));
    CHECK(count == 2 && strcmp(timings[0].name, "first") == 0 && timings[0].milliseconds >= 0.0);
    DO(rx_renderer_timings(renderer, NULL, 0, &count));
    CHECK(count == 2);
    DO(rx_renderer_report(renderer, &report));
    CHECK(report.programs == 2 && report.pipelines == 3 && report.pipelines_failed == 0);
    CHECK(report.dispatches == 5 && report.draws == 3 && report.allocations > 0);
    DO(rx_renderer_report_text(renderer, &text));
    CHECK(strstr((const char *)rx_blob_data(text), "2 programs; 3 pipelines made") != NULL);
    CHECK(strlen((const char *)rx_blob_data(text)) == rx_blob_size(text));
    rx_blob_destroy(text);
    DO(rx_renderer_pipeline_cache(renderer, &cache));
    CHECK(rx_blob_size(cache) > 0);
    rx_blob_destroy(cache);
    DO(rx_renderer_keep_pipelines(renderer));
    DO(rx_renderer_take_messages(renderer, &messages));
    CHECK(rx_blob_size(messages) == 0);
    rx_blob_destroy(messages);
    DO(rx_renderer_facts(renderer, &facts));
    printf("%s, %s\n", rx_facts_name(facts), rx_renderer_is_validated(renderer) ? "validated" : "not validated");
    rx_facts_destroy(facts);
}

/* What a function hears that says no more after the first line. */
typedef struct heard {
    int lines;
    rx_log_level level;
    rx_result inside;
} heard;

static void listen(void *user, rx_log_level level, const char *target, const char *message)
{
    heard *own = (heard *)user;
    if (strcmp(target, "rx::plan") == 0 && strncmp(message, "heard: push", 11) == 0) {
        own->lines++;
        own->level = level;
        own->inside = rx_set_log_callback(RX_LOG_OFF, NULL, NULL);
    }
}

/* The log goes to a function, up to a level, until another takes its place. */
static void logs(rx_renderer *renderer)
{
    rx_shader shader = text_shader(sum, RX_SOURCE_WGSL, RX_STAGE_NONE);
    rx_log_level levels[3] = {RX_LOG_INFO, RX_LOG_DEBUG, RX_LOG_OFF};
    rx_program *program;
    heard own = {0, 0, RX_OK};
    int i;
    for (i = 0; i < 3; i++) {
        DO(rx_set_log_callback(levels[i], levels[i] == RX_LOG_OFF ? NULL : listen, &own));
        DO(rx_program_create(renderer, "heard", &shader, 1, NULL, NULL, &program));
        rx_program_destroy(program);
    }
    CHECK(own.lines == 1 && own.level == RX_LOG_DEBUG && own.inside == RX_ERROR_BUSY);
    DO(rx_set_log_callback(RX_LOG_WARNING, hear, NULL));
}

int main(void)
{
    rx_renderer *renderer;
    compute sums;
    quads drawn;
    use_all();
    renderer = open_renderer();
    sums = make_compute(renderer);
    run_compute(renderer, &sums);
    drawn = make_quads(renderer);
    draw_quads(renderer, &drawn);
    copy_textures(renderer);
    reports(renderer);
    logs(renderer);
    destroy_quads(&drawn);
    destroy_compute(&sums);
    close_renderer(renderer);
    return 0;
}
