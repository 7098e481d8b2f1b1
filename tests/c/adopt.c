/*
 * The host's own instance, device and surface: rx uses them, and leaves the first two. Vulkan is loaded here, and its few
 * structures are declared as vulkan_core.h does.
 *
 *     adopt
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include "xcb.h"

typedef struct application_info {
    uint32_t type;
    const void *next;
    const char *name;
    uint32_t version;
    const char *engine;
    uint32_t engine_version, api_version;
} application_info;

typedef struct instance_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    const application_info *application;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
} instance_info;

typedef struct queue_info {
    uint32_t type;
    const void *next;
    uint32_t flags, family, count;
    const float *priorities;
} queue_info;

typedef struct device_info {
    uint32_t type;
    const void *next;
    uint32_t flags, queue_count;
    const queue_info *queues;
    uint32_t layer_count;
    const char *const *layers;
    uint32_t extension_count;
    const char *const *extensions;
    const void *features;
} device_info;

typedef struct surface_info {
    uint32_t type;
    const void *next;
    uint32_t flags;
    xcb_connection_t *connection;
    uint32_t window;
} surface_info;

typedef rx_proc (*get_proc)(void *, const char *);
typedef int32_t (*create_instance)(const instance_info *, const void *, void **);
typedef int32_t (*list_devices)(void *, uint32_t *, void **);
typedef void (*get_properties)(void *, void *);
typedef int32_t (*create_device)(void *, const device_info *, const void *, void **);
typedef int32_t (*create_surface)(void *, const surface_info *, const void *, uint64_t *);
typedef void (*destroy_handle)(void *, const void *);

typedef struct game {
    get_proc proc;
    void *instance, *physical, *device;
    const char *extensions[64];
    uint32_t extension_count;
} game;

static game open_instance(void)
{
    static const char *const extensions[2] = {"VK_KHR_surface", "VK_KHR_xcb_surface"};
    application_info application;
    instance_info info;
    void *physical[8];
    uint32_t count = 8, i;
    game own;
    memset(&own, 0, sizeof own);
    own.proc = (get_proc)load("libvulkan.so.1", "vkGetInstanceProcAddr");
    memset(&application, 0, sizeof application);
    application.api_version = (1u << 22) | (3u << 12);
    memset(&info, 0, sizeof info);
    info.type = 1;
    info.application = &application;
    info.extension_count = 2;
    info.extensions = extensions;
    CHECK(((create_instance)own.proc(NULL, "vkCreateInstance"))(&info, NULL, &own.instance) == 0);
    ((list_devices)own.proc(own.instance, "vkEnumeratePhysicalDevices"))(own.instance, &count, physical);
    for (i = 0; i < count; i++) {
        /* More than VkPhysicalDeviceProperties; its name stands after five numbers. */
        union {
            uint64_t align;
            char bytes[4096];
        } properties;
        ((get_properties)own.proc(own.instance, "vkGetPhysicalDeviceProperties"))(physical[i], &properties);
        if (strstr(properties.bytes + 20, "llvmpipe") != NULL) {
            own.physical = physical[i];
        }
    }
    if (own.physical == NULL) {
        fprintf(stderr, "no software driver\n");
        exit(77);
    }
    return own;
}

/* rx calls it with the features to enable. */
static void make_device(void *user, const void *features)
{
    static const float priority = 1.0f;
    game *own = (game *)user;
    queue_info queue;
    device_info info;
    memset(&queue, 0, sizeof queue);
    queue.type = 2;
    queue.count = 1;
    queue.priorities = &priority;
    memset(&info, 0, sizeof info);
    info.type = 3;
    info.next = features;
    info.queue_count = 1;
    info.queues = &queue;
    info.extension_count = own->extension_count;
    info.extensions = own->extensions;
    CHECK(((create_device)own->proc(own->instance, "vkCreateDevice"))(own->physical, &info, NULL, &own->device) == 0);
}

static rx_renderer *adopt(game *own)
{
    static const char *const extensions[2] = {"VK_KHR_surface", "VK_KHR_xcb_surface"};
    rx_host_instance host;
    rx_adapter *adapter;
    rx_device_request *request;
    rx_facts *facts;
    rx_need need;
    rx_renderer *renderer;
    size_t needs = 0;
    int timeline = 0;
    memset(&host, 0, sizeof host);
    FAILS(rx_adapter_adopt(RX_API_VERSION, &host, &adapter), RX_ERROR_ARGUMENT, "get_instance_proc_addr: NULL");
    host.get_instance_proc_addr = (rx_proc)own->proc;
    FAILS(rx_adapter_adopt(RX_API_VERSION, &host, &adapter), RX_ERROR_ARGUMENT, "instance: NULL");
    host.instance = own->instance;
    host.physical_device = own->physical;
    host.extensions = extensions;
    host.extension_count = 2;
    DO(rx_adapter_adopt(RX_API_VERSION, &host, &adapter));
    DO(rx_adapter_facts(adapter, &facts));
    CHECK(strstr(rx_facts_name(facts), "llvmpipe") != NULL);
    rx_facts_destroy(facts);
    DO(rx_device_request_create(adapter, 1, &request));
    while (rx_device_request_extension(request, own->extension_count) != NULL) {
        CHECK(own->extension_count < 63);
        own->extensions[own->extension_count] = rx_device_request_extension(request, own->extension_count);
        own->extension_count++;
    }
    while (rx_device_request_need(request, needs, &need) == RX_OK) {
        CHECK(need.present || !need.required);
        timeline |= strcmp(need.name, "timelineSemaphore") == 0 && need.required;
        needs++;
    }
    CHECK(timeline && needs > own->extension_count);
    DO(rx_device_request_with_features(request, make_device, own));
    FAILS(rx_renderer_adopt(adapter, request, NULL, NULL, 0, &renderer), RX_ERROR_ARGUMENT, "device: NULL");
    FAILS(rx_renderer_adopt(adapter, request, NULL, own->device, 77, &renderer), RX_ERROR_ARGUMENT, "queue_family: 77");
    DO(rx_renderer_adopt(adapter, request, NULL, own->device, 0, &renderer));
    rx_device_request_destroy(request);
    rx_adapter_destroy(adapter);
    return renderer;
}

static void work(rx_renderer *renderer)
{
    rx_buffer *buffer = make_buffer(renderer, "buffer", 16, RX_MEMORY_DEVICE);
    rx_frame *frame;
    uint32_t words[4];
    DO(rx_renderer_begin_frame(renderer, &frame));
    DO(rx_frame_fill_buffer(frame, buffer, 0, 16, 5));
    DO(rx_frame_submit(frame, NULL));
    DO(rx_renderer_read_buffer(renderer, buffer, 0, words, sizeof words));
    CHECK(words[0] == 5 && words[3] == 5);
    rx_buffer_destroy(buffer);
}

/* Frames in a surface that the host made. */
static void show(const game *own, rx_renderer *renderer, xcb_connection_t *connection, const rx_window *window)
{
    surface_info info;
    uint64_t surface;
    rx_texture *target;
    rx_frame *frame;
    int i;
    memset(&info, 0, sizeof info);
    info.type = 1000005000;
    info.connection = connection;
    info.window = (uint32_t)window->window_id;
    CHECK(((create_surface)own->proc(own->instance, "vkCreateXcbSurfaceKHR"))(own->instance, &info, NULL, &surface) == 0);
    FAILS(rx_renderer_show_in(renderer, 0, RX_PACE_DISPLAY, 64, 48), RX_ERROR_ARGUMENT, "surface: NULL");
    FAILS(rx_renderer_show_in(renderer, surface, 2, 64, 48), RX_ERROR_ARGUMENT, "pace: 2");
    DO(rx_renderer_show_in(renderer, surface, RX_PACE_UNBOUND, 64, 48));
    for (i = 0; i < 3; i++) {
        DO(rx_renderer_begin_frame(renderer, &frame));
        DO(rx_frame_target(frame, &target));
        CHECK(target != NULL);
        rx_texture_destroy(target);
        DO(rx_frame_submit(frame, NULL));
    }
}

int main(void)
{
    game own = open_instance();
    xcb_connection_t *connection;
    rx_window window = open_window(&connection, 64, 48);
    rx_renderer *renderer;
    use_all();
    renderer = adopt(&own);
    work(renderer);
    show(&own, renderer, connection, &window);
    close_renderer(renderer);
    /* Still the game's. */
    ((destroy_handle)own.proc(own.instance, "vkDestroyDevice"))(own.device, NULL);
    ((destroy_handle)own.proc(own.instance, "vkDestroyInstance"))(own.instance, NULL);
    close_window(connection);
    printf("left\n");
    return 0;
}
