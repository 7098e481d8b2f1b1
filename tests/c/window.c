/*
 * Frames in a window of X11.
 *
 *     window
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include "xcb.h"

int main(void)
{
    static const float colors[2][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}};
    xcb_connection_t *connection;
    rx_window window;
    rx_renderer_desc desc;
    rx_switches *switches;
    rx_renderer *renderer;
    rx_texture *picture, *target;
    rx_texture_desc info;
    rx_frame *frame;
    rx_view view;
    rx_bool shown = 0;
    int i;
    use_all();
    window = open_window(&connection, 64, 48);
    switches = environment(&desc);
    DO(rx_renderer_create_windowed(RX_API_VERSION, &desc, &window, 64, 48, &renderer));
    rx_switches_destroy(switches);
    picture = make_texture(renderer, "picture", RX_FORMAT_B8G8R8A8_UNORM, 16);
    memset(&view, 0, sizeof view);
    view.texture = picture;
    for (i = 0; i < 6; i++) {
        DO(rx_renderer_begin_frame(renderer, &frame));
        DO(rx_frame_clear_color(frame, &view, colors[i % 2]));
        DO(rx_frame_target(frame, &target));
        if (target != NULL) {
            DO(rx_texture_info(target, &info));
            CHECK(info.width == 64 && info.height == 48);
            shown = 1;
        }
        rx_texture_destroy(target);
        DO(rx_frame_show(frame, picture));
        DO(rx_frame_submit(frame, NULL));
    }
    CHECK(shown);
    /* Minimised: frames go on, and there is no image. */
    DO(rx_renderer_resize(renderer, 0, 0));
    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_target(frame, &target));
    CHECK(target == NULL);
    DO(rx_frame_show(frame, picture));
    rx_frame_destroy(frame);
    rx_texture_destroy(picture);
    close_renderer(renderer);
    close_window(connection);
    printf("6 frames\n");
    return 0;
}
