/* What the C programs of the tests share. Exit codes: 0 done, 1 wrong, 77 there is no Vulkan device. */
#ifndef CHECK_H
#define CHECK_H

#include "rx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call that must succeed. */
#define DO(call)                                                                                             \
    do {                                                                                                     \
        rx_result result_ = (call);                                                                          \
        if (result_ != RX_OK) {                                                                              \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, rx_result_name(result_),       \
                    rx_last_error_message());                                                                \
            exit(result_ == RX_ERROR_NO_DEVICE ? 77 : 1);                                                    \
        }                                                                                                    \
    } while (0)

/* What must hold. */
#define CHECK(holds)                                                                                         \
    do {                                                                                                     \
        if (!(holds)) {                                                                                      \
            fprintf(stderr, "%s:%d: not so: %s (last error: %s)\n", __FILE__, __LINE__, #holds,              \
                    rx_last_error_message());                                                                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* A call that must fail with this code, and say this. */
#define FAILS(call, wanted, words)                                                                           \
    do {                                                                                                     \
        rx_result result_ = (call);                                                                          \
        if (result_ != (wanted) || strstr(rx_last_error_message(), (words)) == NULL) {                       \
            fprintf(stderr, "%s:%d: %s: %s: \"%s\", not %s: \"%s\"\n", __FILE__, __LINE__, #call,            \
                    rx_result_name(result_), rx_last_error_message(), #wanted, (words));                     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* A file's bytes, as a shader. */
static rx_shader read_shader(const char *path)
{
    rx_shader shader;
    FILE *file = fopen(path, "rb");
    long size;
    void *bytes;
    memset(&shader, 0, sizeof shader);
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    rewind(file);
    bytes = malloc((size_t)size + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    shader.data = bytes;
    shader.size = (size_t)size;
    return shader;
}

/* Gives the bytes back. */
static void free_shader(const rx_shader *shader)
{
    free((void *)(uintptr_t)shader->data);
}

/* A text, as a shader. */
static rx_shader text_shader(const char *text, rx_source source, rx_stage stage)
{
    rx_shader shader;
    memset(&shader, 0, sizeof shader);
    shader.data = text;
    shader.size = strlen(text);
    shader.source = source;
    shader.stage = stage;
    return shader;
}

/* How often the validation layers spoke. */
static int validation_messages = 0;

static void hear(void *user, rx_log_level level, const char *target, const char *message)
{
    (void)user;
    if (level <= RX_LOG_WARNING) {
        fprintf(stderr, "%s: %s\n", target, message);
        validation_messages += strcmp(target, "rx::validation") == 0;
    }
}

/* How the environment's switches say that a renderer is made; to be destroyed. */
static rx_switches *environment(rx_renderer_desc *desc)
{
    rx_switches *switches;
    DO(rx_set_log_callback(RX_LOG_WARNING, hear, NULL));
    DO(rx_switches_from_environment(RX_API_VERSION, &switches));
    CHECK(rx_switches_warning(switches, 0) == NULL);
    memset(desc, 0, sizeof *desc);
    desc->application = "rx test";
    desc->switches = switches;
    return switches;
}

/* A renderer without a window, its log heard. */
static rx_renderer *open_renderer(void)
{
    rx_renderer_desc desc;
    rx_switches *switches = environment(&desc);
    rx_renderer *renderer;
    DO(rx_renderer_create_headless(RX_API_VERSION, &desc, &renderer));
    rx_switches_destroy(switches);
    return renderer;
}

/* Destroys the renderer after all that it made: the layers must have been silent, also then. */
static void close_renderer(rx_renderer *renderer)
{
    rx_report report;
    DO(rx_renderer_wait_idle(renderer));
    DO(rx_renderer_report(renderer, &report));
    CHECK(report.pipelines_failed == 0);
    rx_renderer_destroy(renderer);
    DO(rx_set_log_callback(RX_LOG_OFF, NULL, NULL));
    CHECK(validation_messages == 0);
}

static rx_buffer *make_buffer(rx_renderer *renderer, const char *name, uint64_t size, rx_memory memory)
{
    rx_buffer_desc desc;
    rx_buffer *buffer;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.size = size;
    desc.memory = memory;
    DO(rx_buffer_create(renderer, &desc, &buffer));
    return buffer;
}

static rx_texture *make_texture(rx_renderer *renderer, const char *name, rx_format format, uint32_t side)
{
    rx_texture_desc desc;
    rx_texture *texture;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.format = format;
    desc.width = side;
    desc.height = side;
    DO(rx_texture_create(renderer, &desc, &texture));
    return texture;
}

/* Functions that a program does not use are no mistake. */
static void use_all(void)
{
    (void)read_shader;
    (void)free_shader;
    (void)text_shader;
    (void)open_renderer;
    (void)close_renderer;
    (void)make_buffer;
    (void)make_texture;
}

#endif
