/* A window of X11 through XCB, which is loaded: nothing but its functions' types is needed. Include it after check.h. */
#ifndef XCB_H
#define XCB_H

#include <dlfcn.h>

#define XCB "libxcb.so.1"

typedef struct xcb_connection_t xcb_connection_t;

/* As xcb.h declares it. */
typedef struct screen {
    uint32_t root, colormap, white, black, masks;
    uint16_t width, height, width_mm, height_mm, min_maps, max_maps;
    uint32_t visual;
} screen;

typedef struct screen_iterator {
    screen *data;
    int rem, index;
} screen_iterator;

typedef struct cookie {
    unsigned int sequence;
} cookie;

/* A function of a library; C has no cast from an object to a function. */
static rx_proc load(const char *library, const char *name)
{
    rx_proc function;
    void *loaded = dlopen(library, RTLD_NOW), *object = loaded == NULL ? NULL : dlsym(loaded, name);
    CHECK(object != NULL);
    memcpy(&function, &object, sizeof function);
    return function;
}

static rx_window open_window(xcb_connection_t **connection, uint16_t width, uint16_t height)
{
    xcb_connection_t *(*connect)(const char *, int *) = (xcb_connection_t * (*)(const char *, int *)) load(XCB, "xcb_connect");
    int (*has_error)(xcb_connection_t *) = (int (*)(xcb_connection_t *))load(XCB, "xcb_connection_has_error");
    const void *(*setup)(xcb_connection_t *) = (const void *(*)(xcb_connection_t *))load(XCB, "xcb_get_setup");
    screen_iterator (*roots)(const void *) = (screen_iterator(*)(const void *))load(XCB, "xcb_setup_roots_iterator");
    uint32_t (*new_id)(xcb_connection_t *) = (uint32_t(*)(xcb_connection_t *))load(XCB, "xcb_generate_id");
    cookie (*create)(xcb_connection_t *, uint8_t, uint32_t, uint32_t, int16_t, int16_t, uint16_t, uint16_t, uint16_t,
                     uint16_t, uint32_t, uint32_t, const void *) =
        (cookie(*)(xcb_connection_t *, uint8_t, uint32_t, uint32_t, int16_t, int16_t, uint16_t, uint16_t, uint16_t,
                   uint16_t, uint32_t, uint32_t, const void *))load(XCB, "xcb_create_window");
    cookie (*map)(xcb_connection_t *, uint32_t) = (cookie(*)(xcb_connection_t *, uint32_t))load(XCB, "xcb_map_window");
    int (*flush)(xcb_connection_t *) = (int (*)(xcb_connection_t *))load(XCB, "xcb_flush");
    rx_window window;
    screen *first;
    memset(&window, 0, sizeof window);
    window.system = RX_WINDOW_XCB;
    *connection = connect(NULL, &window.screen);
    CHECK(has_error(*connection) == 0);
    first = roots(setup(*connection)).data;
    window.display = *connection;
    window.window_id = new_id(*connection);
    create(*connection, 0, (uint32_t)window.window_id, first->root, 0, 0, width, height, 0, 1, first->visual, 0, NULL);
    map(*connection, (uint32_t)window.window_id);
    CHECK(flush(*connection) > 0);
    return window;
}

static void close_window(xcb_connection_t *connection)
{
    ((void (*)(xcb_connection_t *))load(XCB, "xcb_disconnect"))(connection);
}

#endif
