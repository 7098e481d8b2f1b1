/*
 * rx for C: Direct3D shaders on Vulkan. Links with librx; docs/c-abi.md has the link lines and an example.
 *
 * Rules that hold for every function:
 *
 * - What returns rx_result returns RX_OK or a negative code; rx_last_error_message says what and what to do.
 *   A function that fails has changed nothing but what it says, and has set its handle for output to NULL.
 * - Handles are made by *_create and their like, given to *_destroy once, in any order; NULL may be destroyed.
 *   An object that the GPU still uses goes when it is done with it.
 * - Every structure is plain, and all zeros are its defaults: `rx_buffer_desc desc = {0};`. Pointers in a
 *   structure are read during the call alone. A NULL structure is one of zeros where its function says so.
 * - Strings are UTF-8 and end with a zero byte; NULL is an empty one where a structure's field may be empty.
 *   Sizes and offsets are in bytes. A count of 0 goes with any pointer.
 * - A pointer that a getter returns lives as long as the handle that it was asked of.
 * - Handles may be used from several threads at once, destroying apart. Of a renderer one frame is open at a
 *   time; what is called while another call has it returns RX_ERROR_BUSY. Nothing unwinds into the caller.
 * - What goes together is of one renderer. Pointers that are not NULL are of what they say, and live: neither is
 *   checked.
 */


#ifndef RX_H
#define RX_H

/* Written by cbindgen from renderer/capi/src; a test fails when it drifts. */

#include <stddef.h>
#include <stdint.h>

// The version of this header. What makes the first object takes it, and refuses another (RX_ERROR_VERSION): structures
// and functions are those of one version.
#define RX_API_VERSION 1

// A number that there is none of: a register, a location.
#define RX_NONE 4294967295

// Bytes of a section's name, with its zero.
#define RX_TIMING_NAME_SIZE 64

// Shaders sample or load it.
#define RX_USAGE_SAMPLED 1

// Shaders read or write it as a UAV.
#define RX_USAGE_STORAGE 2

// It is rendered to, as colour or depth by its format.
#define RX_USAGE_TARGET 4

// A device that could be taken.
typedef struct rx_adapter rx_adapter;

// Bytes that rx made: a PNG file, a text, a cache. A text ends with a zero byte that its size does not count.
typedef struct rx_blob rx_blob;

// A buffer. It can be used for everything: constants, structured, raw and typed views, vertices, indices, arguments.
typedef struct rx_buffer rx_buffer;

// What to ask of a device for rx: extensions and features.
typedef struct rx_device_request rx_device_request;

// The shaders inside a file.
typedef struct rx_embedded rx_embedded;

// What is known of a device.
typedef struct rx_facts rx_facts;

// A frame being recorded. One of a renderer is open at a time; submitting or destroying it ends it.
typedef struct rx_frame rx_frame;

// A pipeline; it compiles in the background.
typedef struct rx_pipeline rx_pipeline;

// A program's sets, planned for a device.
typedef struct rx_plan rx_plan;

// A program on a device: modules, layouts, and what can be bound.
typedef struct rx_program rx_program;

// A device with all that a game needs around it. Destroyed, its objects live on, and the device until the last of them.
typedef struct rx_renderer rx_renderer;

// A sampler.
typedef struct rx_sampler rx_sampler;

// A submission: what the GPU has been given to do.
typedef struct rx_submission rx_submission;

// What switches say (RX_VK_*): docs/switches.md.
typedef struct rx_switches rx_switches;

// A texture.
typedef struct rx_texture rx_texture;

// A program's translated stages, on no device.
typedef struct rx_translated rx_translated;

// One translated shader: words, what it declares and uses, and where it differs from Direct3D.
typedef struct rx_translation rx_translation;

// What a call gives: RX_OK, or one of the negative codes.
typedef int32_t rx_result;

// How much a message matters; lower is more.
typedef uint32_t rx_log_level;

// Hears the log, on any thread, also on rx's own. `target` names the part of rx: "rx::plan", "rx::validation". Both
// strings live during the call. It must not unwind, and must not call rx_set_log_callback.
typedef void (*rx_log_callback)(void *user, rx_log_level level, const char *target, const char *message);

// What a shader is written in.
typedef uint32_t rx_source;

// A shader stage.
typedef uint32_t rx_stage;

// One shader.
typedef struct rx_shader {
    // Its bytes; a text without a zero at its end.
    const void *data;
    // Their number.
    size_t size;
    // What they are.
    rx_source source;
    // Stage of GLSL.
    rx_stage stage;
    // Entry point of a WGSL or SPIR-V module; NULL takes the only one.
    const char *entry;
} rx_shader;

// What SPIR-V is written for.
typedef uint32_t rx_target;

// Who keeps an access inside its resource.
typedef uint32_t rx_robustness;

// False is 0, and true anything else.
typedef uint32_t rx_bool;

// Direct3D's class of a resource; for other sources the class that it would have.
typedef uint32_t rx_resource_class;

// A rule of bindings: registers of one class and space, in some stages, to bindings that follow one another.
typedef struct rx_binding_rule {
    // Class of the registers.
    rx_resource_class resource_class;
    // Register space.
    uint32_t space;
    // First register.
    uint32_t first_register;
    // Registers; 0 is all that follow.
    uint32_t count;
    // Stages, a bit `1 << RX_STAGE_*` each; 0 is all.
    uint32_t stages;
    // Descriptor set.
    uint32_t set;
    // Binding of the first register.
    uint32_t binding;
} rx_binding_rule;

// Components that are streamed out: D3D11_SO_DECLARATION_ENTRY.
typedef struct rx_stream_entry {
    // Semantic; NULL is a gap.
    const char *semantic;
    // Semantic index.
    uint32_t index;
    // Geometry stream, 0 to 3.
    uint32_t stream;
    // First component, counted from the element's first.
    uint32_t first_component;
    // Components, 1 to 4; of a gap any number to 255.
    uint32_t components;
    // Buffer, 0 to 3.
    uint32_t buffer;
} rx_stream_entry;

// How shaders are translated. All zeros: sequential bindings from set 0, binding 0; for the device where there is one, else
// for Vulkan 1.3 with every feature that rx can use.
typedef struct rx_translate_options {
    // The device to translate for; NULL for the renderer's own, or for no particular one.
    const struct rx_facts *facts;
    // Switches that say what of a device's fixes is on, beside `facts`; NULL is none.
    const struct rx_switches *switches;
    // Vulkan version.
    rx_target target;
    // Who keeps accesses in range, of every class of resource.
    rx_robustness robustness;
    // Lengths of storage buffers come in push constants, not by OpArrayLength.
    rx_bool lengths_in_push_constants;
    // Offsets of storage buffers' views, in elements, come in push constants.
    rx_bool offsets_in_push_constants;
    // Descriptor set, where there are no rules.
    uint32_t set;
    // First binding, where there are no rules.
    uint32_t first_binding;
    // Rules of bindings; the first that matches decides, and a register that none matches is refused.
    const struct rx_binding_rule *rules;
    // Their number; 0 is sequential bindings.
    size_t rule_count;
    // What the last stage before the rasteriser streams out.
    const struct rx_stream_entry *stream_entries;
    // Their number.
    size_t stream_entry_count;
    // Bytes from one vertex to the next in each buffer; 0 takes what the entries come to.
    uint32_t stream_strides[4];
    // Stream that is rasterised, 0 to 3.
    uint32_t rasterized_stream;
    // The pipeline blends with two sources: SV_Target1 is the second.
    rx_bool dual_source;
    // Names from reflection data are written.
    rx_bool names;
    // What would be adapted is refused.
    rx_bool strict;
    // A container's checksum is checked.
    rx_bool verify_checksum;
} rx_translate_options;

// What a translated shader is.
typedef struct rx_stage_info {
    // Stage.
    rx_stage stage;
    // Name of the SPIR-V entry point.
    const char *entry_point;
    // Where the push constants that it reads end, in bytes; 0 is none.
    uint32_t push_constant_bytes;
    // Threads a group of a compute shader, else 0.
    uint32_t workgroup_size[3];
    // Resources: rx_translation_resource.
    size_t resource_count;
    // Inputs: rx_translation_input.
    size_t input_count;
    // Outputs: rx_translation_output.
    size_t output_count;
    // Patch constants of a hull or domain shader: rx_translation_patch_constant.
    size_t patch_constant_count;
    // Notes: rx_translation_note. Codes 425 and 426 are warnings about the input; every other note is a difference from
    // Direct3D, and without one the translation is exact.
    size_t note_count;
    // It reads the length of a storage buffer, or its code has not been read.
    rx_bool reads_array_length;
    // It reads DrawIndex.
    rx_bool draw_index;
    // Control points of a patch that goes in and of one that comes out, of a hull or domain shader; else 0.
    uint32_t control_points[2];
    // Vertices that one invocation of a geometry shader emits at most; else 0.
    uint32_t max_vertices;
} rx_stage_info;

// The shape of a texture or typed buffer.
typedef uint32_t rx_dimension;

// The type of a component.
typedef uint32_t rx_component;

// How a shader uses a resource.
typedef uint32_t rx_access;

// One declared resource: one binding.
typedef struct rx_resource {
    // Name; empty where it was stripped.
    const char *name;
    // Class.
    rx_resource_class resource_class;
    // First register; of a counter its UAV's, of other sources than Direct3D the binding.
    uint32_t register_number;
    // Register space.
    uint32_t space;
    // Descriptor set.
    uint32_t set;
    // Binding.
    uint32_t binding;
    // VkDescriptorType.
    uint32_t descriptor_type;
    // Descriptors; 0 is a range without an end.
    uint32_t count;
    // Shape of a texture or typed buffer.
    rx_dimension dimension;
    // Type of its components.
    rx_component component;
    // How it is used.
    rx_access access;
    // Declared bytes of a constant buffer, else 0.
    uint32_t size_bytes;
    // Bytes of a record of a structured buffer, else 0.
    uint32_t stride_bytes;
    // An instruction uses it.
    rx_bool used;
    // Its length is read.
    rx_bool reads_length;
} rx_resource;

// How an input is interpolated.
typedef uint32_t rx_interpolation;

// One element of a signature.
typedef struct rx_signature_element {
    // Semantic.
    const char *semantic;
    // Semantic index.
    uint32_t index;
    // Register, or RX_NONE.
    uint32_t register_number;
    // Components in the register, x in the lowest of four bits.
    uint32_t mask;
    // Type of its components.
    rx_component component;
    // Location in SPIR-V, or RX_NONE for a built-in.
    uint32_t location;
    // Interpolation.
    rx_interpolation interpolation;
    // Geometry stream of an output.
    uint32_t stream;
} rx_signature_element;

// A deliberate difference from Direct3D; `rx explain` and docs/translation.md say which.
typedef struct rx_note {
    // The number of its code: 402 of RX0402.
    uint32_t code;
    // Places in the shader.
    uint32_t count;
} rx_note;

// A shader inside a file.
typedef struct rx_embedded_shader {
    // Its name within the file: `technique.pass.vs` or `variable.ps` in an effect, `at_0x1c0` where a scan found it.
    const char *name;
    // The profile that its code names: `vs_5_0`. Empty where the code is not of shader models 4 and 5.
    const char *profile;
    // Where its container begins in the file: `data + offset` is the `data` of an `rx_shader`.
    size_t offset;
    // Bytes of its container.
    size_t size;
} rx_embedded_shader;

// A switch and its value.
typedef struct rx_switch {
    // Name: "RX_VK_DEVICE".
    const char *name;
    // Value; an empty one says nothing.
    const char *value;
} rx_switch;

// What is known of a program's vertex buffers.
typedef uint32_t rx_vertex_input_known;

// Vertex buffers that a program is drawn with; the planner counts them on MoltenVK.
typedef struct rx_vertex_input {
    // What is known.
    rx_vertex_input_known known;
    // With RX_VERTEX_INPUT_BINDINGS: the highest number of a vertex buffer.
    uint32_t highest_binding;
    // Attributes with an offset whose end is past their stride.
    uint32_t translated_bindings;
} rx_vertex_input;

// What a set's layout is to be.
typedef uint32_t rx_decision;

// One planned set.
typedef struct rx_set_plan {
    // Set number.
    uint32_t set;
    // Decision.
    rx_decision decision;
    // One line for a log.
    const char *line;
    // The plan as `rx plan --json` prints it.
    const char *json;
    // With RX_DECISION_ERROR: what the matter is, else NULL.
    const char *error;
    // With RX_DECISION_ERROR: the number of its code.
    uint32_t error_code;
    // VkDescriptorSetLayoutCreateFlags.
    uint32_t layout_flags;
    // VkDescriptorPoolCreateFlags of the set's pools.
    uint32_t pool_flags;
    // Bindings of the layout: rx_plan_binding.
    size_t binding_count;
} rx_set_plan;

// One binding of a layout.
typedef struct rx_layout_binding {
    // Binding.
    uint32_t binding;
    // VkDescriptorType.
    uint32_t descriptor_type;
    // Descriptors; 0 is an array without an end.
    uint32_t count;
    // VkShaderStageFlags.
    uint32_t stages;
} rx_layout_binding;

// What a draw does whose pipeline is not compiled yet.
typedef uint32_t rx_not_ready;

// How pictures follow one another in a window.
typedef uint32_t rx_pace;

// How to make a renderer.
typedef struct rx_renderer_desc {
    // The application's name: drivers choose workarounds by it.
    const char *application;
    // The switches; NULL is none.
    const struct rx_switches *switches;
    // Loads the validation layers, where no switch says; what they say goes to the log and to rx_renderer_take_messages.
    rx_bool validation;
    // Where the driver's pipeline cache is kept from run to run; NULL keeps nothing.
    const char *cache_folder;
    // What a draw does whose pipeline is not ready.
    rx_not_ready not_ready;
    // How pictures follow one another in a window.
    rx_pace pace;
    // Frames that may be under way at once, the one being recorded with them, 1 to 8; 0 is 2.
    uint32_t frames_in_flight;
    // Threads that compile pipelines; 0 takes as many as there are processors, less one.
    uint32_t compile_threads;
    // Descriptors of a range without an end; 0 is 1024.
    uint32_t unbounded_descriptors;
    // Unbound resources are told by objects of zeros, also where the driver has null descriptors.
    rx_bool no_null_descriptors;
    // Pipelines are not linked of parts made ahead.
    rx_bool no_pipeline_libraries;
    // What rx_renderer_pipeline_cache gave in an earlier run, for a host that keeps it itself; where there is no folder.
    const void *pipeline_cache;
    // Its bytes.
    size_t pipeline_cache_size;
} rx_renderer_desc;

// The system that a window is of.
typedef uint32_t rx_window_system;

// A window of the host. It outlives the renderer.
typedef struct rx_window {
    // Its system; there is no default.
    rx_window_system system;
    // Screen of X11.
    int32_t screen;
    // Display or connection.
    void *display;
    // Window as a pointer.
    void *window;
    // Window as a number.
    uint64_t window_id;
} rx_window;

// A format: any number of VkFormat. Those that Direct3D has too have a name here.
typedef uint32_t rx_format;

// A part of a texture. All zeros but the texture: all of it; where one level is asked for, the first.
typedef struct rx_view {
    // Texture.
    const struct rx_texture *texture;
    // First level.
    uint32_t first_mip;
    // Levels; 0 is all that follow, or one where one level is asked for.
    uint32_t mip_count;
    // First layer; of a three-dimensional target its slice.
    uint32_t first_layer;
    // Layers; 0 is all that follow.
    uint32_t layer_count;
    // Another format of the same texel size; 0 is the texture's own.
    rx_format format;
    // The stencil of a texture of depth and stencil.
    rx_bool stencil;
} rx_view;

// What a renderer's device has done so far.
typedef struct rx_report {
    // Programs hosted.
    uint64_t programs;
    // Pipelines compiled.
    uint64_t pipelines;
    // Pipelines that were there already when asked for.
    uint64_t pipelines_shared;
    // Pipelines that failed.
    uint64_t pipelines_failed;
    // Sets pushed.
    uint64_t sets_pushed;
    // Sets allocated and written.
    uint64_t sets_written;
    // Sets bound again that were written before in the same frame.
    uint64_t sets_reused;
    // Descriptor pools made.
    uint64_t pools;
    // Submissions.
    uint64_t submissions;
    // Draws.
    uint64_t draws;
    // Dispatches.
    uint64_t dispatches;
    // Passes cut in two because a draw needed what an earlier draw of the pass wrote.
    uint64_t cut_passes;
    // Bytes of the driver's pipeline cache that were restored at the start.
    uint64_t cache_restored_bytes;
    // Memory allocations that objects hold.
    uint64_t allocations;
    // Their bytes.
    uint64_t allocated_bytes;
    // Bytes of memory taken from the driver.
    uint64_t reserved_bytes;
} rx_report;

// A labelled section's time on the GPU.
typedef struct rx_timing {
    // Its label, cut off at 63 bytes.
    char name[RX_TIMING_NAME_SIZE];
    // Milliseconds.
    double milliseconds;
} rx_timing;

// A function whose type its user knows.
typedef void (*rx_proc)(void);

// A host's instance and which of its devices is meant. The instance is of Vulkan 1.1 or later.
typedef struct rx_host_instance {
    // vkGetInstanceProcAddr, cast.
    rx_proc get_instance_proc_addr;
    // VkInstance.
    void *instance;
    // VkPhysicalDevice.
    void *physical_device;
    // The instance extensions that the host enabled.
    const char *const *extensions;
    // Their number.
    size_t extension_count;
} rx_host_instance;

// A feature or extension that rx uses.
typedef struct rx_need {
    // Vulkan's name.
    const char *name;
    // What rx does with it.
    const char *what_for;
    // There is no renderer without it.
    rx_bool required;
    // The device has it.
    rx_bool present;
} rx_need;

// Makes a device: `features` is a VkPhysicalDeviceFeatures2 with its chain, for the pNext of VkDeviceCreateInfo; it lives
// during the call. It must not unwind.
typedef void (*rx_features_callback)(void *user, const void *features);

// Where a buffer lies.
typedef uint32_t rx_memory;

// What a buffer is to be.
typedef struct rx_buffer_desc {
    // Name, for messages and debuggers.
    const char *name;
    // Bytes, at least 1.
    uint64_t size;
    // Where it lies.
    rx_memory memory;
} rx_buffer_desc;

// A texture's kind.
typedef uint32_t rx_texture_kind;

// What a texture is to be.
typedef struct rx_texture_desc {
    // Name, for messages and debuggers.
    const char *name;
    // Kind.
    rx_texture_kind kind;
    // Format; there is no default.
    rx_format format;
    // Width in texels; 0 is 1.
    uint32_t width;
    // Height; 0 is 1.
    uint32_t height;
    // Depth; 0 is 1.
    uint32_t depth;
    // Array layers, of a cube six times its cubes; 0 is 1, of a cube 6.
    uint32_t layers;
    // Levels; 0 is 1.
    uint32_t mips;
    // Samples; 0 is 1.
    uint32_t samples;
    // RX_USAGE_* bits; 0 is sampled, and rendered to where the format is not compressed.
    uint32_t usage;
} rx_texture_desc;

// How texels are filtered.
typedef uint32_t rx_filter;

// What lies past a texture's edge.
typedef uint32_t rx_address;

// A border's colour.
typedef uint32_t rx_border;

// A comparison, by Direct3D's numbers. What 0 is the field says.
typedef uint32_t rx_compare;

// What a sampler is to be. All zeros: linear in all three ways, wraps, takes every level.
typedef struct rx_sampler_desc {
    // Name, for messages and debuggers.
    const char *name;
    // Between texels.
    rx_filter filter;
    // Between levels.
    rx_filter mip_filter;
    // Past the edge, in all directions.
    rx_address address;
    // Border's colour.
    rx_border border;
    // Compares: a comparison sampler; 0 is none.
    rx_compare compare;
    // Largest ratio of anisotropic filtering, 1 to 16; 0 is off.
    float max_anisotropy;
    // Added to the level.
    float mip_bias;
    // Least level.
    float min_lod;
    // Greatest level, where `limit_lod` is set.
    float max_lod;
    // There is a greatest level.
    rx_bool limit_lod;
} rx_sampler_desc;

// A name or register of a program, looked up once: faster to bind by. Of no meaning to another program.
typedef uint32_t rx_slot;

// How soon a pipeline is needed.
typedef uint32_t rx_priority;

// What primitives vertices make.
typedef uint32_t rx_topology;

// One element of the input layout. What the vertex shader does not read is left out.
typedef struct rx_vertex_element {
    // Semantic; of a source without semantics the input's name, or "LOCATION".
    const char *semantic;
    // Its index; of "LOCATION" the location.
    uint32_t index;
    // Format; there is no default.
    rx_format format;
    // Vertex buffer that it comes from.
    uint32_t slot;
    // Bytes from the vertex's beginning.
    uint32_t offset;
} rx_vertex_element;

// One vertex buffer's layout.
typedef struct rx_vertex_stream {
    // Number.
    uint32_t slot;
    // Bytes from a vertex to the next.
    uint32_t stride;
    // Steps by instance.
    rx_bool per_instance;
} rx_vertex_stream;

// What faces are left out.
typedef uint32_t rx_cull;

// What happens to a stencil value.
typedef uint32_t rx_stencil_op;

// The stencil test of one face.
typedef struct rx_stencil_face {
    // Test; 0 is always.
    rx_compare compare;
    // Both tests pass.
    rx_stencil_op pass;
    // The stencil test fails.
    rx_stencil_op fail;
    // The depth test fails.
    rx_stencil_op depth_fail;
} rx_stencil_face;

// Depth and stencil. With a format and else zeros: tests for less, and writes.
typedef struct rx_depth_state {
    // The target's format; 0 is no target.
    rx_format format;
    // Depths are not tested.
    rx_bool no_test;
    // Depths are not written.
    rx_bool no_write;
    // Test; 0 is less.
    rx_compare compare;
    // The stencil is tested; then both masks are as they stand here.
    rx_bool stencil;
    // Bits compared.
    uint8_t stencil_read_mask;
    // Bits written.
    uint8_t stencil_write_mask;
    // Front faces.
    struct rx_stencil_face front;
    // Back faces.
    struct rx_stencil_face back;
} rx_depth_state;

// A factor of blending: VkBlendFactor's numbers.
typedef uint32_t rx_blend_factor;

// An operation of blending: VkBlendOp's numbers.
typedef uint32_t rx_blend_op;

// Source times `src`, `op`, target times `dst`.
typedef struct rx_blend_part {
    // Of the source.
    rx_blend_factor src;
    // Of the target.
    rx_blend_factor dst;
    // Operation.
    rx_blend_op op;
} rx_blend_part;

// One render target. With a format and else zeros: written whole, without blending.
typedef struct rx_target_state {
    // Format; 0 is no target at this place.
    rx_format format;
    // It blends, as the next two say.
    rx_bool blend;
    // Colours.
    struct rx_blend_part color;
    // Alpha.
    struct rx_blend_part alpha;
    // Components that are not written, red in the lowest of four bits.
    uint32_t masked;
} rx_target_state;

// What stands in a slot of class linkage.
typedef struct rx_class_instance {
    // Stage.
    rx_stage stage;
    // Slot.
    uint32_t slot;
    // The instance's type, its constant buffer, the first element there, its first texture, its first sampler.
    uint32_t values[5];
} rx_class_instance;

// A graphics pipeline's state. All zeros: triangles, back faces culled, clockwise faces in front, depth clipped, no
// target.
typedef struct rx_graphics_desc {
    // Name, for messages and debuggers; NULL takes the program's.
    const char *name;
    // How soon it is needed.
    rx_priority priority;
    // Primitives.
    rx_topology topology;
    // Control points of a patch, 1 to 32.
    uint32_t patch_control_points;
    // Input layout.
    const struct rx_vertex_element *elements;
    // Its elements.
    size_t element_count;
    // Vertex buffers.
    const struct rx_vertex_stream *streams;
    // Their number.
    size_t stream_count;
    // CullMode.
    rx_cull cull;
    // FrontCounterClockwise.
    rx_bool front_counter_clockwise;
    // FillMode is wireframe.
    rx_bool wireframe;
    // DepthClipEnable is off.
    rx_bool no_depth_clip;
    // DepthBias, in the depth format's least steps.
    int32_t depth_bias;
    // SlopeScaledDepthBias.
    float depth_bias_slope;
    // DepthBiasClamp.
    float depth_bias_clamp;
    // Nothing reaches the rasteriser, as with stream output to no stream.
    rx_bool no_rasterize;
    // Depth target.
    struct rx_depth_state depth;
    // Render targets.
    const struct rx_target_state *targets;
    // Their number.
    size_t target_count;
    // Samples; 0 is 1.
    uint32_t samples;
    // Samples that may be written; 0 is all.
    uint32_t sample_mask;
    // AlphaToCoverageEnable.
    rx_bool alpha_to_coverage;
    // Class instances of the shaders' interfaces.
    const struct rx_class_instance *class_instances;
    // Their number.
    size_t class_instance_count;
} rx_graphics_desc;

// Hears how many of the pipelines are compiled. It must not unwind.
typedef void (*rx_progress_callback)(void *user, size_t done, size_t count);

// What becomes of a target's contents when a pass begins.
typedef uint32_t rx_load;

// A colour target. A NULL texture leaves its place free.
typedef struct rx_color_target {
    // One level.
    struct rx_view view;
    // Contents at the beginning.
    rx_load load;
    // Colour to clear to.
    float clear[4];
} rx_color_target;

// A depth target.
typedef struct rx_depth_target {
    // One level.
    struct rx_view view;
    // Contents at the beginning; cleared, the stencil becomes 0.
    rx_load load;
    // Depth to clear to.
    float clear;
    // Tested and not written: then the pass may sample it too.
    rx_bool read_only;
} rx_depth_target;

// What a pass renders to.
typedef struct rx_pass_desc {
    // Colour targets.
    const struct rx_color_target *colors;
    // Their number.
    size_t color_count;
    // Depth target; with a NULL texture there is none.
    struct rx_depth_target depth;
    // Width where there is no target.
    uint32_t width;
    // Height where there is no target.
    uint32_t height;
} rx_pass_desc;

// Size of an index.
typedef uint32_t rx_index;

// A buffer that is streamed out to.
typedef struct rx_stream_buffer {
    // Buffer.
    const struct rx_buffer *buffer;
    // First byte, a multiple of 4.
    uint64_t offset;
    // Bytes; 0 is all that follow.
    uint64_t size;
} rx_stream_buffer;

// What is bound.
typedef uint32_t rx_bound_kind;

// Something to bind; the fields that its kind does not have are not read.
typedef struct rx_bound {
    // Kind.
    rx_bound_kind kind;
    // Format of a typed view of the buffer; 0 is no such view.
    rx_format texel_format;
    // Buffer.
    const struct rx_buffer *buffer;
    // First byte.
    uint64_t offset;
    // Bytes; 0 is all that follow.
    uint64_t size;
    // Texture, shaped as the shader declares it.
    struct rx_view view;
    // Sampler.
    const struct rx_sampler *sampler;
} rx_bound;

// Done.
#define RX_OK 0

// A fault of rx: what was called is as it was, or lost. Report it with the message.
#define RX_ERROR_INTERNAL -1

// The header is of another version than the library.
#define RX_ERROR_VERSION -2

// A NULL, a number that is none of its constants, a size that is not right, or a call that contradicts itself.
#define RX_ERROR_ARGUMENT -3

// The renderer or frame is in use by another call, or a frame is open.
#define RX_ERROR_BUSY -4

// A shader or file is not what it says it is.
#define RX_ERROR_MALFORMED -5

// Valid, and rx or the device cannot take it.
#define RX_ERROR_REFUSED -6

// No preset or device of this name.
#define RX_ERROR_NOT_FOUND -7

// A file cannot be read or written.
#define RX_ERROR_IO -8

// No Vulkan, no device, or one that lacks what rx needs.
#define RX_ERROR_NO_DEVICE -9

// No memory, of the host or the device. Nothing of the failed object is left.
#define RX_ERROR_OUT_OF_MEMORY -10

// The device is lost, and every object with it.
#define RX_ERROR_DEVICE_LOST -11

// The window cannot be shown in, or is gone.
#define RX_ERROR_SURFACE -12

// The program declares no such name or register, or something of another kind.
#define RX_ERROR_BINDING -13

// A pipeline's state contradicts the program or the device, or the driver refused it.
#define RX_ERROR_PIPELINE -14

// A texture is used in two ways at once that exclude one another.
#define RX_ERROR_HAZARD -15

// Another Vulkan call failed.
#define RX_ERROR_VULKAN -16

// Nothing.
#define RX_LOG_OFF 0

// What went wrong.
#define RX_LOG_ERROR 1

// What may go wrong: a fix that a driver needs and does not get, layers that are not installed.
#define RX_LOG_WARNING 2

// What happens once: the device, its fixes.
#define RX_LOG_INFO 3

// What happens to each object: plans, pipelines.
#define RX_LOG_DEBUG 4

// Everything.
#define RX_LOG_TRACE 5

// By its first bytes: a DXBC container, or SPIR-V.
#define RX_SOURCE_AUTO 0

// Direct3D bytecode in its container, shader model 4.0 to 5.1.
#define RX_SOURCE_DXBC 1

// WGSL.
#define RX_SOURCE_WGSL 2

// GLSL of the stage that `stage` says: vertex, fragment or compute.
#define RX_SOURCE_GLSL 3

// SPIR-V, of either byte order.
#define RX_SOURCE_SPIRV 4

// Not said.
#define RX_STAGE_NONE 0

// Vertex shader.
#define RX_STAGE_VERTEX 1

// Hull shader.
#define RX_STAGE_TESSELLATION_CONTROL 2

// Domain shader.
#define RX_STAGE_TESSELLATION_EVALUATION 3

// Geometry shader.
#define RX_STAGE_GEOMETRY 4

// Pixel shader.
#define RX_STAGE_FRAGMENT 5

// Compute shader.
#define RX_STAGE_COMPUTE 6

// Task shader.
#define RX_STAGE_TASK 7

// Mesh shader.
#define RX_STAGE_MESH 8

// Constant buffer: `b` registers.
#define RX_CLASS_CBV 0

// Shader resource: `t` registers.
#define RX_CLASS_SRV 1

// Unordered access view: `u` registers.
#define RX_CLASS_UAV 2

// The hidden counter of an append, consume or counter UAV.
#define RX_CLASS_UAV_COUNTER 3

// Sampler: `s` registers.
#define RX_CLASS_SAMPLER 4

// The facts' or the renderer's own, else Vulkan 1.3.
#define RX_TARGET_DEFAULT 0

// Vulkan 1.1: SPIR-V 1.3.
#define RX_TARGET_VULKAN_1_1 1

// Vulkan 1.2: SPIR-V 1.5.
#define RX_TARGET_VULKAN_1_2 2

// Vulkan 1.3: SPIR-V 1.6.
#define RX_TARGET_VULKAN_1_3 3

// As the facts or the renderer's device need it, else the device.
#define RX_ROBUSTNESS_DEFAULT 0

// The device.
#define RX_ROBUSTNESS_DEVICE 1

// The shader.
#define RX_ROBUSTNESS_EXPLICIT 2

// Nobody: for shaders that are trusted.
#define RX_ROBUSTNESS_OFF 3

// Neither.
#define RX_DIMENSION_NONE 0

// Buffer.
#define RX_DIMENSION_BUFFER 1

// Texture1D.
#define RX_DIMENSION_1D 2

// Texture1DArray.
#define RX_DIMENSION_1D_ARRAY 3

// Texture2D.
#define RX_DIMENSION_2D 4

// Texture2DArray.
#define RX_DIMENSION_2D_ARRAY 5

// Texture2DMS.
#define RX_DIMENSION_2DMS 6

// Texture2DMSArray.
#define RX_DIMENSION_2DMS_ARRAY 7

// Texture3D.
#define RX_DIMENSION_3D 8

// TextureCube.
#define RX_DIMENSION_CUBE 9

// TextureCubeArray.
#define RX_DIMENSION_CUBE_ARRAY 10

// Input attachment, of SPIR-V.
#define RX_DIMENSION_SUBPASS 11

// Not of components.
#define RX_COMPONENT_NONE 0

// Float.
#define RX_COMPONENT_FLOAT 1

// Signed.
#define RX_COMPONENT_SINT 2

// Unsigned.
#define RX_COMPONENT_UINT 3

// Double.
#define RX_COMPONENT_DOUBLE 4

// Only read.
#define RX_ACCESS_READ 0

// Only written.
#define RX_ACCESS_WRITE 1

// Both, or not known.
#define RX_ACCESS_READ_WRITE 2

// No pixel shader's input.
#define RX_INTERPOLATION_NONE 0

// nointerpolation.
#define RX_INTERPOLATION_CONSTANT 1

// linear.
#define RX_INTERPOLATION_LINEAR 2

// centroid.
#define RX_INTERPOLATION_CENTROID 3

// noperspective.
#define RX_INTERPOLATION_NOPERSPECTIVE 4

// noperspective centroid.
#define RX_INTERPOLATION_NOPERSPECTIVE_CENTROID 5

// sample.
#define RX_INTERPOLATION_SAMPLE 6

// noperspective sample.
#define RX_INTERPOLATION_NOPERSPECTIVE_SAMPLE 7

// Nothing.
#define RX_VERTEX_INPUT_UNKNOWN 0

// There are none.
#define RX_VERTEX_INPUT_NONE 1

// There are some.
#define RX_VERTEX_INPUT_BINDINGS 2

// The program has no resources: there is no layout.
#define RX_DECISION_NONE 0

// Descriptors are pushed.
#define RX_DECISION_PUSH 1

// Descriptors stand in a set that is bound.
#define RX_DECISION_SET 2

// The device cannot have the program.
#define RX_DECISION_ERROR 3

// It waits.
#define RX_NOT_READY_WAIT 0

// It is left out.
#define RX_NOT_READY_SKIP 1

// One a refresh of the display.
#define RX_PACE_DISPLAY 0

// As fast as they come, where the display can.
#define RX_PACE_UNBOUND 1

// X11 through Xlib: `display` is a Display *, `window_id` a Window.
#define RX_WINDOW_XLIB 1

// X11 through XCB: `display` is an xcb_connection_t *, `window_id` an xcb_window_t.
#define RX_WINDOW_XCB 2

// Wayland: `display` is a wl_display *, `window` a wl_surface *.
#define RX_WINDOW_WAYLAND 3

// Windows: `display` is an HINSTANCE, `window` an HWND.
#define RX_WINDOW_WIN32 4

// macOS: `window` is an NSView *, which has a CAMetalLayer or gets one.
#define RX_WINDOW_APPKIT 5

// iOS: `window` is a UIView *, which has a CAMetalLayer or gets one.
#define RX_WINDOW_UIKIT 6

// Android: `window` is an ANativeWindow *.
#define RX_WINDOW_ANDROID 7

// Only the GPU reads and writes it.
#define RX_MEMORY_DEVICE 0

// The host writes, the GPU reads.
#define RX_MEMORY_UPLOAD 1

// The GPU writes, the host reads.
#define RX_MEMORY_READBACK 2

// Two-dimensional.
#define RX_TEXTURE_2D 0

// One-dimensional.
#define RX_TEXTURE_1D 1

// Three-dimensional.
#define RX_TEXTURE_3D 2

// Cube: its layers are faces, six a cube.
#define RX_TEXTURE_CUBE 3

// Weighted.
#define RX_FILTER_LINEAR 0

// The nearest.
#define RX_FILTER_POINT 1

// The texture again.
#define RX_ADDRESS_WRAP 0

// The texture mirrored.
#define RX_ADDRESS_MIRROR 1

// The edge.
#define RX_ADDRESS_CLAMP 2

// The border's colour.
#define RX_ADDRESS_BORDER 3

// (0, 0, 0, 0).
#define RX_BORDER_TRANSPARENT 0

// (0, 0, 0, 1).
#define RX_BORDER_BLACK 1

// (1, 1, 1, 1).
#define RX_BORDER_WHITE 2

// Direct3D's default of the field.
#define RX_COMPARE_DEFAULT 0

// Never.
#define RX_COMPARE_NEVER 1

// Less.
#define RX_COMPARE_LESS 2

// Equal.
#define RX_COMPARE_EQUAL 3

// Less or equal.
#define RX_COMPARE_LESS_EQUAL 4

// Greater.
#define RX_COMPARE_GREATER 5

// Not equal.
#define RX_COMPARE_NOT_EQUAL 6

// Greater or equal.
#define RX_COMPARE_GREATER_EQUAL 7

// Always.
#define RX_COMPARE_ALWAYS 8

// No format.
#define RX_FORMAT_NONE 0

// VK_FORMAT_R4G4B4A4_UNORM_PACK16.
#define RX_FORMAT_R4G4B4A4_UNORM 2

// VK_FORMAT_R5G6B5_UNORM_PACK16: DXGI's B5G6R5.
#define RX_FORMAT_B5G6R5_UNORM 4

// VK_FORMAT_A1R5G5B5_UNORM_PACK16: DXGI's B5G5R5A1.
#define RX_FORMAT_B5G5R5A1_UNORM 8

// VK_FORMAT_R8_UNORM.
#define RX_FORMAT_R8_UNORM 9

// VK_FORMAT_R8_SNORM.
#define RX_FORMAT_R8_SNORM 10

// VK_FORMAT_R8_UINT.
#define RX_FORMAT_R8_UINT 13

// VK_FORMAT_R8_SINT.
#define RX_FORMAT_R8_SINT 14

// VK_FORMAT_R8G8_UNORM.
#define RX_FORMAT_R8G8_UNORM 16

// VK_FORMAT_R8G8_SNORM.
#define RX_FORMAT_R8G8_SNORM 17

// VK_FORMAT_R8G8_UINT.
#define RX_FORMAT_R8G8_UINT 20

// VK_FORMAT_R8G8_SINT.
#define RX_FORMAT_R8G8_SINT 21

// VK_FORMAT_R8G8B8A8_UNORM.
#define RX_FORMAT_R8G8B8A8_UNORM 37

// VK_FORMAT_R8G8B8A8_SNORM.
#define RX_FORMAT_R8G8B8A8_SNORM 38

// VK_FORMAT_R8G8B8A8_UINT.
#define RX_FORMAT_R8G8B8A8_UINT 41

// VK_FORMAT_R8G8B8A8_SINT.
#define RX_FORMAT_R8G8B8A8_SINT 42

// VK_FORMAT_R8G8B8A8_SRGB.
#define RX_FORMAT_R8G8B8A8_SRGB 43

// VK_FORMAT_B8G8R8A8_UNORM.
#define RX_FORMAT_B8G8R8A8_UNORM 44

// VK_FORMAT_B8G8R8A8_SRGB.
#define RX_FORMAT_B8G8R8A8_SRGB 50

// VK_FORMAT_A2B10G10R10_UNORM_PACK32: DXGI's R10G10B10A2.
#define RX_FORMAT_R10G10B10A2_UNORM 64

// VK_FORMAT_A2B10G10R10_UINT_PACK32: DXGI's R10G10B10A2.
#define RX_FORMAT_R10G10B10A2_UINT 68

// VK_FORMAT_R16_UNORM.
#define RX_FORMAT_R16_UNORM 70

// VK_FORMAT_R16_SNORM.
#define RX_FORMAT_R16_SNORM 71

// VK_FORMAT_R16_UINT.
#define RX_FORMAT_R16_UINT 74

// VK_FORMAT_R16_SINT.
#define RX_FORMAT_R16_SINT 75

// VK_FORMAT_R16_SFLOAT.
#define RX_FORMAT_R16_FLOAT 76

// VK_FORMAT_R16G16_UNORM.
#define RX_FORMAT_R16G16_UNORM 77

// VK_FORMAT_R16G16_SNORM.
#define RX_FORMAT_R16G16_SNORM 78

// VK_FORMAT_R16G16_UINT.
#define RX_FORMAT_R16G16_UINT 81

// VK_FORMAT_R16G16_SINT.
#define RX_FORMAT_R16G16_SINT 82

// VK_FORMAT_R16G16_SFLOAT.
#define RX_FORMAT_R16G16_FLOAT 83

// VK_FORMAT_R16G16B16A16_UNORM.
#define RX_FORMAT_R16G16B16A16_UNORM 91

// VK_FORMAT_R16G16B16A16_SNORM.
#define RX_FORMAT_R16G16B16A16_SNORM 92

// VK_FORMAT_R16G16B16A16_UINT.
#define RX_FORMAT_R16G16B16A16_UINT 95

// VK_FORMAT_R16G16B16A16_SINT.
#define RX_FORMAT_R16G16B16A16_SINT 96

// VK_FORMAT_R16G16B16A16_SFLOAT.
#define RX_FORMAT_R16G16B16A16_FLOAT 97

// VK_FORMAT_R32_UINT.
#define RX_FORMAT_R32_UINT 98

// VK_FORMAT_R32_SINT.
#define RX_FORMAT_R32_SINT 99

// VK_FORMAT_R32_SFLOAT.
#define RX_FORMAT_R32_FLOAT 100

// VK_FORMAT_R32G32_UINT.
#define RX_FORMAT_R32G32_UINT 101

// VK_FORMAT_R32G32_SINT.
#define RX_FORMAT_R32G32_SINT 102

// VK_FORMAT_R32G32_SFLOAT.
#define RX_FORMAT_R32G32_FLOAT 103

// VK_FORMAT_R32G32B32_UINT.
#define RX_FORMAT_R32G32B32_UINT 104

// VK_FORMAT_R32G32B32_SINT.
#define RX_FORMAT_R32G32B32_SINT 105

// VK_FORMAT_R32G32B32_SFLOAT.
#define RX_FORMAT_R32G32B32_FLOAT 106

// VK_FORMAT_R32G32B32A32_UINT.
#define RX_FORMAT_R32G32B32A32_UINT 107

// VK_FORMAT_R32G32B32A32_SINT.
#define RX_FORMAT_R32G32B32A32_SINT 108

// VK_FORMAT_R32G32B32A32_SFLOAT.
#define RX_FORMAT_R32G32B32A32_FLOAT 109

// VK_FORMAT_B10G11R11_UFLOAT_PACK32: DXGI's R11G11B10.
#define RX_FORMAT_R11G11B10_FLOAT 122

// VK_FORMAT_E5B9G9R9_UFLOAT_PACK32: DXGI's R9G9B9E5.
#define RX_FORMAT_R9G9B9E5_FLOAT 123

// VK_FORMAT_D16_UNORM.
#define RX_FORMAT_D16_UNORM 124

// VK_FORMAT_D32_SFLOAT.
#define RX_FORMAT_D32_FLOAT 126

// VK_FORMAT_D24_UNORM_S8_UINT.
#define RX_FORMAT_D24_UNORM_S8_UINT 129

// VK_FORMAT_D32_SFLOAT_S8_UINT.
#define RX_FORMAT_D32_FLOAT_S8_UINT 130

// VK_FORMAT_BC1_RGBA_UNORM_BLOCK.
#define RX_FORMAT_BC1_UNORM 133

// VK_FORMAT_BC1_RGBA_SRGB_BLOCK.
#define RX_FORMAT_BC1_SRGB 134

// VK_FORMAT_BC2_UNORM_BLOCK.
#define RX_FORMAT_BC2_UNORM 135

// VK_FORMAT_BC2_SRGB_BLOCK.
#define RX_FORMAT_BC2_SRGB 136

// VK_FORMAT_BC3_UNORM_BLOCK.
#define RX_FORMAT_BC3_UNORM 137

// VK_FORMAT_BC3_SRGB_BLOCK.
#define RX_FORMAT_BC3_SRGB 138

// VK_FORMAT_BC4_UNORM_BLOCK.
#define RX_FORMAT_BC4_UNORM 139

// VK_FORMAT_BC4_SNORM_BLOCK.
#define RX_FORMAT_BC4_SNORM 140

// VK_FORMAT_BC5_UNORM_BLOCK.
#define RX_FORMAT_BC5_UNORM 141

// VK_FORMAT_BC5_SNORM_BLOCK.
#define RX_FORMAT_BC5_SNORM 142

// VK_FORMAT_BC6H_UFLOAT_BLOCK.
#define RX_FORMAT_BC6H_UFLOAT 143

// VK_FORMAT_BC6H_SFLOAT_BLOCK.
#define RX_FORMAT_BC6H_SFLOAT 144

// VK_FORMAT_BC7_UNORM_BLOCK.
#define RX_FORMAT_BC7_UNORM 145

// VK_FORMAT_BC7_SRGB_BLOCK.
#define RX_FORMAT_BC7_SRGB 146

// Soon: the next scene.
#define RX_PRIORITY_NORMAL 0

// Some time: a warm-up.
#define RX_PRIORITY_BACKGROUND 1

// The frame that is being recorded.
#define RX_PRIORITY_NOW 2

// Triangles.
#define RX_TOPOLOGY_TRIANGLE_LIST 0

// Triangle strips.
#define RX_TOPOLOGY_TRIANGLE_STRIP 1

// Points.
#define RX_TOPOLOGY_POINT_LIST 2

// Lines.
#define RX_TOPOLOGY_LINE_LIST 3

// Line strips.
#define RX_TOPOLOGY_LINE_STRIP 4

// Lines with neighbours.
#define RX_TOPOLOGY_LINE_LIST_ADJACENCY 5

// Line strips with neighbours.
#define RX_TOPOLOGY_LINE_STRIP_ADJACENCY 6

// Triangles with neighbours.
#define RX_TOPOLOGY_TRIANGLE_LIST_ADJACENCY 7

// Triangle strips with neighbours.
#define RX_TOPOLOGY_TRIANGLE_STRIP_ADJACENCY 8

// Patches of `patch_control_points`.
#define RX_TOPOLOGY_PATCHES 9

// Back faces.
#define RX_CULL_BACK 0

// None.
#define RX_CULL_NONE 1

// Front faces.
#define RX_CULL_FRONT 2

// It stays.
#define RX_STENCIL_KEEP 0

// It becomes 0.
#define RX_STENCIL_ZERO 1

// It becomes the reference.
#define RX_STENCIL_REPLACE 2

// One more, at most the greatest.
#define RX_STENCIL_INCREMENT_SATURATE 3

// One less, at least 0.
#define RX_STENCIL_DECREMENT_SATURATE 4

// Its bits turn over.
#define RX_STENCIL_INVERT 5

// One more, after the greatest 0.
#define RX_STENCIL_INCREMENT 6

// One less, after 0 the greatest.
#define RX_STENCIL_DECREMENT 7

// 0.
#define RX_BLEND_ZERO 0

// 1.
#define RX_BLEND_ONE 1

// The source's colour.
#define RX_BLEND_SRC_COLOR 2

// 1 less the source's colour.
#define RX_BLEND_INV_SRC_COLOR 3

// The target's colour.
#define RX_BLEND_DST_COLOR 4

// 1 less the target's colour.
#define RX_BLEND_INV_DST_COLOR 5

// The source's alpha.
#define RX_BLEND_SRC_ALPHA 6

// 1 less the source's alpha.
#define RX_BLEND_INV_SRC_ALPHA 7

// The target's alpha.
#define RX_BLEND_DST_ALPHA 8

// 1 less the target's alpha.
#define RX_BLEND_INV_DST_ALPHA 9

// The blend factor's colour.
#define RX_BLEND_FACTOR 10

// 1 less the blend factor's colour.
#define RX_BLEND_INV_FACTOR 11

// The blend factor's alpha.
#define RX_BLEND_FACTOR_ALPHA 12

// 1 less the blend factor's alpha.
#define RX_BLEND_INV_FACTOR_ALPHA 13

// The source's alpha, at most 1 less the target's.
#define RX_BLEND_SRC_ALPHA_SATURATE 14

// The second source's colour.
#define RX_BLEND_SRC1_COLOR 15

// 1 less the second source's colour.
#define RX_BLEND_INV_SRC1_COLOR 16

// The second source's alpha.
#define RX_BLEND_SRC1_ALPHA 17

// 1 less the second source's alpha.
#define RX_BLEND_INV_SRC1_ALPHA 18

// Source plus target.
#define RX_BLEND_ADD 0

// Source less target.
#define RX_BLEND_SUBTRACT 1

// Target less source.
#define RX_BLEND_REV_SUBTRACT 2

// The lesser.
#define RX_BLEND_MIN 3

// The greater.
#define RX_BLEND_MAX 4

// They stay.
#define RX_LOAD_KEEP 0

// They become `clear`.
#define RX_LOAD_CLEAR 1

// They are undefined: every pixel will be written.
#define RX_LOAD_DISCARD 2

// 16 bits.
#define RX_INDEX_U16 0

// 32 bits.
#define RX_INDEX_U32 1

// Nothing: reads give zeros.
#define RX_BOUND_NOTHING 0

// A range of a buffer; with `texel_format` a typed view of it.
#define RX_BOUND_BUFFER 1

// A part of a texture.
#define RX_BOUND_TEXTURE 2

// A sampler.
#define RX_BOUND_SAMPLER 3

// A texture and its sampler, for one combined descriptor.
#define RX_BOUND_COMBINED 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The library's own RX_API_VERSION.
uint32_t rx_api_version(void);

// The name of a code: "RX_ERROR_ARGUMENT". Lives as long as the library.
const char *rx_result_name(rx_result result);

// What the last call of this thread that failed said: "RX0527: program: name: why. What to do." Empty before the first.
// Valid until the next call of this thread that fails.
const char *rx_last_error_message(void);

// The stable number of the last error of this thread, 527 of RX0527; `rx explain RX0527` says more. 0 before the first.
uint32_t rx_last_error_code(void);

// Gives the log, up to a level, to a function; NULL takes it from the one before. When this returns, the one before is not
// being called and never will be. The log is the process's: the last call counts, whoever makes it. Nothing is written
// anywhere without it.
//
// RX_ERROR_BUSY: called by the function itself, or a Rust program that links rx has a logger of its own.
rx_result rx_set_log_callback(rx_log_level level,
                              rx_log_callback callback,
                              void *user);

// The bytes; NULL of NULL.
const void *rx_blob_data(const struct rx_blob *blob);

// Their number; 0 of NULL.
size_t rx_blob_size(const struct rx_blob *blob);

// Gives the bytes back.
void rx_blob_destroy(struct rx_blob *blob);

// Translates one shader; needs no device. `options` may be NULL.
//
// RX_ERROR_MALFORMED: the bytes are not what they say they are. RX_ERROR_REFUSED: valid, and rx or the target cannot take
// it. The message names the instruction.
rx_result rx_translate(uint32_t api_version,
                       const struct rx_shader *shader,
                       const struct rx_translate_options *options,
                       struct rx_translation **out);

// The words of the module, for vkCreateShaderModule, and their number. NULL and 0 of NULL; `word_count` may be NULL.
const uint32_t *rx_translation_words(const struct rx_translation *translation,
                                     size_t *word_count);

// Destroys a translation; not one that a translated program has lent.
void rx_translation_destroy(struct rx_translation *translation);

// What the shader is, and how many things it declares.
rx_result rx_translation_info(const struct rx_translation *translation, struct rx_stage_info *out);

// The resource of a number below `resource_count`, in the order of the bindings.
rx_result rx_translation_resource(const struct rx_translation *translation,
                                  size_t index,
                                  struct rx_resource *out);

// The input of a number below `input_count`.
rx_result rx_translation_input(const struct rx_translation *translation,
                               size_t index,
                               struct rx_signature_element *out);

// The output of a number below `output_count`.
rx_result rx_translation_output(const struct rx_translation *translation,
                                size_t index,
                                struct rx_signature_element *out);

// The patch constant of a number below `patch_constant_count`.
rx_result rx_translation_patch_constant(const struct rx_translation *translation,
                                        size_t index,
                                        struct rx_signature_element *out);

// The note of a number below `note_count`.
rx_result rx_translation_note(const struct rx_translation *translation, size_t index, struct rx_note *out);

// Finds the shaders inside a file: those of an effect (fx_4_0 to fx_5_0) by its tables, in any other file the whole DXBC
// containers that a scan of the bytes finds. Fails where there are none, with the error that translating the file gives.
rx_result rx_embedded_find(uint32_t api_version,
                           const void *data,
                           size_t size,
                           struct rx_embedded **out);

// The number of shaders; 0 of NULL.
size_t rx_embedded_count(const struct rx_embedded *embedded);

// Whether the shaders were found by a scan, so that nothing says what they are for. False of NULL.
rx_bool rx_embedded_scanned(const struct rx_embedded *embedded);

// The shader of a number below the count.
rx_result rx_embedded_get(const struct rx_embedded *embedded, size_t index, struct rx_embedded_shader *out);

// Destroys what was found.
void rx_embedded_destroy(struct rx_embedded *embedded);

// The facts of a preset, or of a JSON file that `rx facts dump` wrote.
//
// RX_ERROR_NOT_FOUND with the nearest preset, RX_ERROR_IO, RX_ERROR_MALFORMED.
rx_result rx_facts_open(uint32_t api_version, const char *name, struct rx_facts **out);

// The preset's name, or the device's own; NULL of NULL.
const char *rx_facts_name(const struct rx_facts *facts);

// Destroys facts.
void rx_facts_destroy(struct rx_facts *facts);

// The name of a preset, by number from 0; NULL past the last. Lives as long as the library.
const char *rx_preset_name(size_t index);

// The switches of the process's environment, read now. What is not understood is a warning, and changes nothing.
rx_result rx_switches_from_environment(uint32_t api_version,
                                       struct rx_switches **out);

// Switches that the host says itself.
rx_result rx_switches_create(uint32_t api_version,
                             const struct rx_switch *switches,
                             size_t count,
                             struct rx_switches **out);

// A warning, by number from 0: what was not understood. NULL past the last.
const char *rx_switches_warning(const struct rx_switches *switches, size_t index);

// Destroys switches.
void rx_switches_destroy(struct rx_switches *switches);

// Translates a program's stages: a stage's bindings begin where the one before ends. `options` and `vertex_input` may be
// NULL.
//
// As rx_translate; the message says which stage.
rx_result rx_translated_create(uint32_t api_version,
                               const char *name,
                               const struct rx_shader *shaders,
                               size_t shader_count,
                               const struct rx_translate_options *options,
                               const struct rx_vertex_input *vertex_input,
                               struct rx_translated **out);

// A stage, by number from 0, lent: it lives as long as the program. NULL past the last.
const struct rx_translation *rx_translated_stage(const struct rx_translated *translated, size_t index);

// Destroys a translated program.
void rx_translated_destroy(struct rx_translated *translated);

// Plans the sets of a program for a device that need not be here. `switches` may be NULL. A device that cannot have the
// program is no error here but a plan that says so.
rx_result rx_plan_create(const struct rx_translated *translated,
                         const struct rx_facts *facts,
                         const struct rx_switches *switches,
                         struct rx_plan **out);

// The number of planned sets: 1 at least. 0 of NULL.
size_t rx_plan_set_count(const struct rx_plan *plan);

// A planned set, by number from 0 in their order; `set` in it is its number in the shaders.
rx_result rx_plan_set(const struct rx_plan *plan, size_t index, struct rx_set_plan *out);

// A binding of a planned set's layout, both by number from 0.
rx_result rx_plan_binding(const struct rx_plan *plan,
                          size_t set_index,
                          size_t index,
                          struct rx_layout_binding *out);

// Destroys a plan.
void rx_plan_destroy(struct rx_plan *plan);

// A renderer without a window. `desc` may be NULL.
//
// RX_ERROR_NO_DEVICE without a Vulkan loader, driver or device; RX_ERROR_NOT_FOUND where RX_VK_DEVICE names none.
rx_result rx_renderer_create_headless(uint32_t api_version,
                                      const struct rx_renderer_desc *desc,
                                      struct rx_renderer **out);

// A renderer that shows its frames in a window of this size in pixels. `desc` may be NULL.
//
// As rx_renderer_create_headless; RX_ERROR_SURFACE where no device shows pictures in the window.
rx_result rx_renderer_create_windowed(uint32_t api_version,
                                      const struct rx_renderer_desc *desc,
                                      const struct rx_window *window,
                                      uint32_t width,
                                      uint32_t height,
                                      struct rx_renderer **out);

// Destroys a renderer. An open frame of it can still be submitted.
void rx_renderer_destroy(struct rx_renderer *renderer);

// Says the window's size in pixels when it changes, 0 while it is minimised. The next frame has it.
rx_result rx_renderer_resize(struct rx_renderer *renderer, uint32_t width, uint32_t height);

// What is known of the renderer's device: what programs are planned for.
rx_result rx_renderer_facts(const struct rx_renderer *renderer, struct rx_facts **out);

// Waits until the device does nothing, and destroys what was given up.
rx_result rx_renderer_wait_idle(const struct rx_renderer *renderer);

// Reads bytes of a buffer to `bytes`, after all frames before. Waits for the GPU; not while a frame is open.
rx_result rx_renderer_read_buffer(struct rx_renderer *renderer,
                                  const struct rx_buffer *buffer,
                                  uint64_t offset,
                                  void *bytes,
                                  size_t size);

// Reads the texels of one level to `bytes`: rows tightly packed, slices and layers one after another; `size` is what
// rx_view_bytes says. After all frames before; waits for the GPU; not while a frame is open.
rx_result rx_renderer_read_texture(struct rx_renderer *renderer,
                                   const struct rx_view *view,
                                   void *bytes,
                                   size_t size);

// A texture of four components of eight bits as a PNG file's bytes: its first level and layer. As
// rx_renderer_read_texture.
rx_result rx_renderer_capture_png(struct rx_renderer *renderer,
                                  const struct rx_texture *texture,
                                  struct rx_blob **out);

// Keeps the driver's pipeline cache in the folder of the description, now; it is done at the end too. RX_ERROR_IO.
rx_result rx_renderer_keep_pipelines(struct rx_renderer *renderer);

// What the driver caches of pipelines, for a host that keeps it itself.
rx_result rx_renderer_pipeline_cache(const struct rx_renderer *renderer, struct rx_blob **out);

// What the device has done so far, in numbers.
rx_result rx_renderer_report(const struct rx_renderer *renderer, struct rx_report *out);

// The same in words, with the planner's lines: what moved programs from pushed sets to sets.
rx_result rx_renderer_report_text(const struct rx_renderer *renderer, struct rx_blob **out);

// The times of the sections (rx_frame_label) of the last frame that the GPU is done with: at most `capacity` of them to
// `timings`, and to `count` how many there are.
rx_result rx_renderer_timings(const struct rx_renderer *renderer,
                              struct rx_timing *timings,
                              size_t capacity,
                              size_t *count);

// What the validation layers said since the last call, a line each; of size 0 where they said nothing.
rx_result rx_renderer_take_messages(const struct rx_renderer *renderer, struct rx_blob **out);

// Whether the validation layers are listened to: asked for, and installed.
rx_bool rx_renderer_is_validated(const struct rx_renderer *renderer);

// Takes a host's instance and one of its devices. Both outlive the result and all that is made of it.
rx_result rx_adapter_adopt(uint32_t api_version,
                           const struct rx_host_instance *host,
                           struct rx_adapter **out);

// What is known of the device.
rx_result rx_adapter_facts(const struct rx_adapter *adapter, struct rx_facts **out);

// Destroys what rx holds of the host's instance.
void rx_adapter_destroy(struct rx_adapter *adapter);

// What to ask of the device: all that rx uses of what it has. `window`: it must present.
//
// RX_ERROR_NO_DEVICE with each missing thing by name.
rx_result rx_device_request_create(const struct rx_adapter *adapter,
                                   rx_bool window,
                                   struct rx_device_request **out);

// A device extension to enable, by number from 0; NULL past the last.
const char *rx_device_request_extension(const struct rx_device_request *request, size_t index);

// A feature or extension that rx uses, by number from 0, for a report. RX_ERROR_ARGUMENT past the last.
rx_result rx_device_request_need(const struct rx_device_request *request, size_t index, struct rx_need *out);

// Calls `create` with the features to enable: there the host makes its device.
rx_result rx_device_request_with_features(const struct rx_device_request *request,
                                          rx_features_callback create,
                                          void *user);

// Destroys a request.
void rx_device_request_destroy(struct rx_device_request *request);

// A renderer over a host's own device (VkDevice), made as the request says, with a queue 0 of `queue_family` for graphics
// and compute that nobody else uses at the same time. The device outlives the renderer and every object of it; rx never
// destroys it. Frames show in no window before rx_renderer_show_in. `desc` may be NULL; of it the application, the layers and
// the cache's folder are not read.
rx_result rx_renderer_adopt(const struct rx_adapter *adapter,
                            const struct rx_device_request *request,
                            const struct rx_renderer_desc *desc,
                            void *device,
                            uint32_t queue_family,
                            struct rx_renderer **out);

// Shows the frames of a renderer in a surface (VkSurfaceKHR) that the host made of the renderer's instance: of a
// CAMetalLayer, or of any other window. Its size in pixels is said as to rx_renderer_create_windowed. The surface is the
// renderer's from here on, which destroys it, also where this fails with RX_ERROR_SURFACE; its window outlives the renderer.
// The request was for a window. Not while a frame is open.
rx_result rx_renderer_show_in(struct rx_renderer *renderer,
                              uint64_t surface,
                              rx_pace pace,
                              uint32_t width,
                              uint32_t height);

// Makes a buffer. Its contents are undefined.
rx_result rx_buffer_create(const struct rx_renderer *renderer,
                           const struct rx_buffer_desc *desc,
                           struct rx_buffer **out);

// Bytes of a buffer; 0 of NULL.
uint64_t rx_buffer_size(const struct rx_buffer *buffer);

// Writes to memory that the host sees (RX_MEMORY_UPLOAD), at once: what the GPU has not read yet changes under it.
rx_result rx_buffer_write(const struct rx_buffer *buffer,
                          uint64_t offset,
                          const void *bytes,
                          size_t size);

// Reads memory that the host sees (RX_MEMORY_READBACK), as it is now.
rx_result rx_buffer_read(const struct rx_buffer *buffer, uint64_t offset, void *bytes, size_t size);

// Destroys a buffer.
void rx_buffer_destroy(struct rx_buffer *buffer);

// Makes a texture. Its contents are undefined.
rx_result rx_texture_create(const struct rx_renderer *renderer,
                            const struct rx_texture_desc *desc,
                            struct rx_texture **out);

// A texture's format, sizes, layers, levels and samples; the other fields stay 0.
rx_result rx_texture_info(const struct rx_texture *texture, struct rx_texture_desc *out);

// Bytes of the texels of one level, tightly packed: what rx_frame_upload and rx_renderer_read_texture take.
rx_result rx_view_bytes(const struct rx_view *view, uint64_t *out);

// Destroys a texture.
void rx_texture_destroy(struct rx_texture *texture);

// Makes a sampler. `desc` may be NULL.
rx_result rx_sampler_create(const struct rx_renderer *renderer,
                            const struct rx_sampler_desc *desc,
                            struct rx_sampler **out);

// Destroys a sampler.
void rx_sampler_destroy(struct rx_sampler *sampler);

// Translates a program's stages for the device, plans its sets and makes its modules and layouts. `options` and
// `vertex_input` may be NULL; the options' facts too, for the renderer's own device.
//
// As rx_translate, the message saying which stage; RX_ERROR_REFUSED where the device cannot have the program.
rx_result rx_program_create(const struct rx_renderer *renderer,
                            const char *name,
                            const struct rx_shader *shaders,
                            size_t shader_count,
                            const struct rx_translate_options *options,
                            const struct rx_vertex_input *vertex_input,
                            struct rx_program **out);

// Makes modules and layouts of a program that was translated before, for this device or one that has less.
rx_result rx_program_host(const struct rx_renderer *renderer,
                          const struct rx_translated *translated,
                          struct rx_program **out);

// Whether set 0 is pushed; 0 of NULL.
rx_bool rx_program_is_pushed(const struct rx_program *program);

// A line of a set's plan, for the log, by number from 0; NULL past the last.
const char *rx_program_plan_line(const struct rx_program *program, size_t index);

// A name that can be bound, by number from 0, in order; NULL past the last.
const char *rx_program_name(const struct rx_program *program, size_t index);

// What the shaders call by this name, in every stage that has it. RX_ERROR_BINDING with the nearest name.
rx_result rx_program_slot(const struct rx_program *program, const char *name, rx_slot *out);

// What stands at a register, in every stage that has it: for shaders whose names were stripped. RX_ERROR_BINDING.
rx_result rx_program_slot_of_register(const struct rx_program *program,
                                      rx_resource_class resource_class,
                                      uint32_t register_number,
                                      uint32_t space,
                                      rx_slot *out);

// The hidden counter of the UAV that the shaders call by this name. RX_ERROR_BINDING.
rx_result rx_program_slot_of_counter(const struct rx_program *program, const char *uav, rx_slot *out);

// Destroys a program.
void rx_program_destroy(struct rx_program *program);

// A graphics pipeline, which begins to compile. One of the same program and state that there is already is shared.
//
// RX_ERROR_PIPELINE where the state contradicts the program or the device; what the driver refuses comes when it is waited
// for or used.
rx_result rx_pipeline_create_graphics(const struct rx_renderer *renderer,
                                      const struct rx_program *program,
                                      const struct rx_graphics_desc *desc,
                                      struct rx_pipeline **out);

// A compute pipeline, in the same way; `class_instances` are those of the shader's interfaces.
rx_result rx_pipeline_create_compute(const struct rx_renderer *renderer,
                                     const struct rx_program *program,
                                     const struct rx_class_instance *class_instances,
                                     size_t class_instance_count,
                                     rx_priority priority,
                                     struct rx_pipeline **out);

// Whether a draw need not wait for it; 0 of NULL.
rx_bool rx_pipeline_is_ready(const struct rx_pipeline *pipeline);

// Waits until it is compiled.
rx_result rx_pipeline_wait(const struct rx_pipeline *pipeline);

// Waits until all of these are compiled; this thread compiles too. `progress` may be NULL. The first error is returned,
// all others are compiled nevertheless.
rx_result rx_renderer_warm_up(const struct rx_renderer *renderer,
                              const struct rx_pipeline *const *pipelines,
                              size_t count,
                              rx_progress_callback progress,
                              void *user);

// Destroys a pipeline.
void rx_pipeline_destroy(struct rx_pipeline *pipeline);

// Begins a frame. Waits for the GPU where as many are under way as the description says.
//
// RX_ERROR_BUSY while another is open; RX_ERROR_DEVICE_LOST; RX_ERROR_SURFACE where the window is gone.
rx_result rx_renderer_begin_frame(struct rx_renderer *renderer, struct rx_frame **out);

// Submits a frame, shows it in the window, and destroys it, also where that fails. `out` gets the submission; it may be
// NULL.
rx_result rx_frame_submit(struct rx_frame *frame,
                          struct rx_submission **out);

// Ends a frame that is not wanted: what was recorded is submitted nevertheless, since it counts on being executed.
void rx_frame_destroy(struct rx_frame *frame);

// The window's image, as a texture that the caller destroys and uses in this frame alone; NULL without a window and while
// it has no size.
rx_result rx_frame_target(struct rx_frame *frame,
                          struct rx_texture **out);

// Copies a texture to the window, scaled to its size; without a window nothing.
rx_result rx_frame_show(struct rx_frame *frame, const struct rx_texture *texture);

// Begins a section: its name in debuggers and its time in rx_renderer_timings. It lasts until the next one. Not within a
// pass.
rx_result rx_frame_label(struct rx_frame *frame,
                         const char *name);

// Whether the GPU is done with it; 0 of NULL.
rx_bool rx_submission_is_done(const struct rx_submission *submission);

// Waits until the GPU is done with it.
rx_result rx_submission_wait(const struct rx_submission *submission);

// Destroys what says how far a submission is; the submission itself goes on.
void rx_submission_destroy(struct rx_submission *submission);

// Writes bytes to a buffer, in the order of the recording. They are copied during the call.
rx_result rx_frame_write_buffer(struct rx_frame *frame,
                                const struct rx_buffer *buffer,
                                uint64_t offset,
                                const void *bytes,
                                size_t size);

// Copies bytes from one buffer to another; within one where the ranges lie apart.
rx_result rx_frame_copy_buffer(struct rx_frame *frame,
                               const struct rx_buffer *from,
                               uint64_t from_offset,
                               const struct rx_buffer *to,
                               uint64_t to_offset,
                               uint64_t size);

// Fills a range of a buffer with a word; offset and size are multiples of 4.
rx_result rx_frame_fill_buffer(struct rx_frame *frame,
                               const struct rx_buffer *buffer,
                               uint64_t offset,
                               uint64_t size,
                               uint32_t word);

// Writes the texels of one level: rows tightly packed, slices and layers one after another; `size` is what rx_view_bytes
// says. They are copied during the call.
rx_result rx_frame_upload(struct rx_frame *frame,
                          const struct rx_view *view,
                          const void *bytes,
                          size_t size);

// Copies the texels of one level to a buffer, packed in the same way.
rx_result rx_frame_download(struct rx_frame *frame,
                            const struct rx_view *view,
                            const struct rx_buffer *buffer,
                            uint64_t offset);

// Makes what was written to a buffer visible to rx_buffer_read, once the submission is done.
rx_result rx_frame_host_reads(struct rx_frame *frame, const struct rx_buffer *buffer);

// Clears a part of a colour texture to four floats.
rx_result rx_frame_clear_color(struct rx_frame *frame, const struct rx_view *view, const float *color);

// Clears a part of a texture of whole numbers to four of them.
rx_result rx_frame_clear_uint(struct rx_frame *frame, const struct rx_view *view, const uint32_t *value);

// Copies one level of a texture to a level of another of the same size and texel bytes.
rx_result rx_frame_copy_texture(struct rx_frame *frame, const struct rx_view *from, const struct rx_view *to);

// Copies one level of a texture to a level of another of any size and format, filtered where the sizes differ.
rx_result rx_frame_blit(struct rx_frame *frame,
                        const struct rx_view *from,
                        const struct rx_view *to);

// Begins a pass; viewport and scissor are the whole target.
rx_result rx_frame_begin_pass(struct rx_frame *frame, const struct rx_pass_desc *desc);

// Ends the pass. Nothing stays bound.
rx_result rx_frame_end_pass(struct rx_frame *frame);

// Takes a graphics pipeline, within a pass. `ready`, which may be NULL, gets 0 where it is not compiled yet and the draws up
// to the next pipeline are left out (RX_NOT_READY_SKIP).
rx_result rx_frame_set_pipeline(struct rx_frame *frame,
                                const struct rx_pipeline *pipeline,
                                rx_bool *ready);

// Takes a compute pipeline, outside passes; `ready` as in rx_frame_set_pipeline.
rx_result rx_frame_set_compute(struct rx_frame *frame, const struct rx_pipeline *pipeline, rx_bool *ready);

// Runs groups of the compute pipeline. Each dispatch sees what the one before wrote.
rx_result rx_frame_dispatch(struct rx_frame *frame, uint32_t x, uint32_t y, uint32_t z);

// Runs as many groups as three numbers in a buffer say.
rx_result rx_frame_dispatch_indirect(struct rx_frame *frame, const struct rx_buffer *buffer, uint64_t offset);

// Binds a vertex buffer, 0 to 15.
rx_result rx_frame_vertex_buffer(struct rx_frame *frame,
                                 uint32_t slot,
                                 const struct rx_buffer *buffer,
                                 uint64_t offset);

// Binds an index buffer.
rx_result rx_frame_index_buffer(struct rx_frame *frame,
                                const struct rx_buffer *buffer,
                                uint64_t offset,
                                rx_index index);

// Sets the viewport as Direct3D has it, y down from the target's top.
rx_result rx_frame_viewport(struct rx_frame *frame,
                            float left,
                            float top,
                            float width,
                            float height,
                            float min_depth,
                            float max_depth);

// Sets the scissor rectangle.
rx_result rx_frame_scissor(struct rx_frame *frame, int32_t left, int32_t top, int32_t right, int32_t bottom);

// Sets the blend factor (four floats) and the stencil reference.
rx_result rx_frame_blend_and_stencil(struct rx_frame *frame, const float *blend, uint32_t stencil);

// Draws vertices.
rx_result rx_frame_draw(struct rx_frame *frame,
                        uint32_t vertex_count,
                        uint32_t instance_count,
                        uint32_t first_vertex,
                        uint32_t first_instance);

// Draws indices, each with `base_vertex` added.
rx_result rx_frame_draw_indexed(struct rx_frame *frame,
                                uint32_t index_count,
                                uint32_t instance_count,
                                uint32_t first_index,
                                int32_t base_vertex,
                                uint32_t first_instance);

// Draws by `count` arguments in a buffer, 16 bytes each, `stride` bytes apart.
rx_result rx_frame_draw_indirect(struct rx_frame *frame,
                                 const struct rx_buffer *buffer,
                                 uint64_t offset,
                                 uint32_t count,
                                 uint32_t stride);

// Draws indices by `count` arguments in a buffer, 20 bytes each, `stride` bytes apart.
rx_result rx_frame_draw_indexed_indirect(struct rx_frame *frame,
                                         const struct rx_buffer *buffer,
                                         uint64_t offset,
                                         uint32_t count,
                                         uint32_t stride);

// Draws vertices and streams out what the last stage before the rasteriser emits. `counter`, four bytes a buffer, keeps how
// many bytes were written, and the next draw goes on there; NULL keeps nothing. `restart` begins at the ranges' beginnings.
//
// RX_ERROR_NO_DEVICE on a device without transform feedback.
rx_result rx_frame_draw_streamed(struct rx_frame *frame,
                                 uint32_t vertex_count,
                                 uint32_t instance_count,
                                 uint32_t first_vertex,
                                 uint32_t first_instance,
                                 const struct rx_stream_buffer *buffers,
                                 size_t buffer_count,
                                 const struct rx_buffer *counter,
                                 rx_bool restart);

// Draws as many vertices as were streamed out: the counter's bytes at `offset`, `stride` bytes a vertex.
rx_result rx_frame_draw_auto(struct rx_frame *frame,
                             const struct rx_buffer *counter,
                             uint64_t offset,
                             uint32_t stride);

// Binds something by the shaders' own name, in every stage that has it. A pipeline is set before; what is bound stays
// until a pipeline of another program is set, or the pass ends.
//
// RX_ERROR_BINDING: no such name, with the nearest, or another kind of resource. RX_ERROR_HAZARD: the texture is rendered to
// in this pass.
rx_result rx_frame_bind(struct rx_frame *frame,
                        const char *name,
                        const struct rx_bound *value);

// Binds something at one element of an array.
rx_result rx_frame_bind_element(struct rx_frame *frame,
                                const char *name,
                                uint32_t element,
                                const struct rx_bound *value);

// Binds a whole buffer by name.
rx_result rx_frame_bind_buffer(struct rx_frame *frame, const char *name, const struct rx_buffer *buffer);

// Binds a whole texture by name.
rx_result rx_frame_bind_texture(struct rx_frame *frame, const char *name, const struct rx_texture *texture);

// Binds a sampler by name.
rx_result rx_frame_bind_sampler(struct rx_frame *frame, const char *name, const struct rx_sampler *sampler);

// Binds something at an element of a slot of the current program.
rx_result rx_frame_bind_slot(struct rx_frame *frame,
                             rx_slot slot,
                             uint32_t element,
                             const struct rx_bound *value);

// Binds something at a register, for shaders without names.
rx_result rx_frame_bind_register(struct rx_frame *frame,
                                 rx_resource_class resource_class,
                                 uint32_t register_number,
                                 uint32_t space,
                                 const struct rx_bound *value);

// Binds the hidden counter of an append, consume or counter UAV: four bytes of a buffer.
rx_result rx_frame_bind_counter(struct rx_frame *frame, const char *uav, const struct rx_bound *value);

// Copies constants into the frame's memory and binds them by name.
rx_result rx_frame_constants(struct rx_frame *frame, const char *name, const void *bytes, size_t size);

// Copies constants into the frame's memory and binds them at a slot.
rx_result rx_frame_constants_slot(struct rx_frame *frame, rx_slot slot, const void *bytes, size_t size);

// Sets the push constants of the current program, from their first byte.
rx_result rx_frame_push_constants(struct rx_frame *frame, const void *bytes, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RX_H */
