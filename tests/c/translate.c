/*
 * What needs no device: translations, what they declare, plans, switches.
 *
 *     translate ui_vs.dxbc ui_ps.dxbc light_point_vs.dxbc gizmo_gs.dxbc
 */
#include "check.h"

static const char wgsl[] = "@group(0) @binding(3) var<storage, read_write> results: array<u32>;\n"
                           "@compute @workgroup_size(8, 4, 2) fn main() { results[0] = arrayLength(&results); }\n"
                           "@compute @workgroup_size(1) fn other() { results[1] = 1u; }\n";
static const char glsl[] = "#version 450\n"
                           "layout(location = 0) out vec4 color;\n"
                           "void main() { color = vec4(1.0); }\n";

static void one_shader(const char *path)
{
    rx_shader shader = read_shader(path);
    rx_translation *translation;
    rx_stage_info info;
    rx_resource resource;
    rx_signature_element element;
    const uint32_t *words;
    size_t count;
    DO(rx_translate(RX_API_VERSION, &shader, NULL, &translation));
    words = rx_translation_words(translation, &count);
    CHECK(words != NULL && count > 5 && words[0] == 0x07230203 && words[1] == 0x00010600);
    DO(rx_translation_info(translation, &info));
    CHECK(info.stage == RX_STAGE_FRAGMENT && strcmp(info.entry_point, "main") == 0);
    CHECK(info.resource_count == 2 && info.input_count == 3 && info.output_count == 1 && info.note_count == 0);
    DO(rx_translation_resource(translation, 0, &resource));
    CHECK(strcmp(resource.name, "atlas") == 0 && resource.resource_class == RX_CLASS_SRV);
    CHECK(resource.dimension == RX_DIMENSION_2D && resource.component == RX_COMPONENT_FLOAT);
    CHECK(resource.descriptor_type == 2 /* VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE */ && resource.count == 1);
    DO(rx_translation_resource(translation, 1, &resource));
    CHECK(strcmp(resource.name, "point_clamp") == 0 && resource.resource_class == RX_CLASS_SAMPLER);
    CHECK(resource.register_number == 1 && resource.binding == 1 && resource.used);
    FAILS(rx_translation_resource(translation, 2, &resource), RX_ERROR_ARGUMENT, "RX0562: index: 2");
    DO(rx_translation_input(translation, 0, &element));
    CHECK(strcmp(element.semantic, "SV_Position") == 0 && element.location == RX_NONE);
    DO(rx_translation_input(translation, 2, &element));
    CHECK(strcmp(element.semantic, "COLOR") == 0 && element.location == 2 && element.mask == 0xf);
    CHECK(element.interpolation == RX_INTERPOLATION_LINEAR);
    DO(rx_translation_output(translation, 0, &element));
    CHECK(strcmp(element.semantic, "SV_Target") == 0 && element.location == 0);
    rx_translation_destroy(translation);
    free_shader(&shader);
}

static void options(const char *path)
{
    rx_shader shader = read_shader(path);
    rx_translate_options desc;
    rx_binding_rule rule;
    rx_translation *translation;
    rx_resource resource;
    memset(&desc, 0, sizeof desc);
    desc.target = RX_TARGET_VULKAN_1_1;
    desc.first_binding = 7;
    desc.set = 2;
    desc.robustness = RX_ROBUSTNESS_EXPLICIT;
    DO(rx_translate(RX_API_VERSION, &shader, &desc, &translation));
    CHECK(rx_translation_words(translation, NULL)[1] == 0x00010300);
    DO(rx_translation_resource(translation, 0, &resource));
    CHECK(resource.set == 2 && resource.binding == 7);
    rx_translation_destroy(translation);

    memset(&rule, 0, sizeof rule);
    rule.resource_class = RX_CLASS_SRV;
    rule.stages = 1u << RX_STAGE_FRAGMENT;
    rule.binding = 40;
    desc.rules = &rule;
    desc.rule_count = 1;
    /* No rule for the sampler. */
    FAILS(rx_translate(RX_API_VERSION, &shader, &desc, &translation), RX_ERROR_REFUSED, "RX0210");
    CHECK(translation == NULL && rx_last_error_code() == 210);
    free_shader(&shader);
}

static void other_languages(void)
{
    rx_shader shader = text_shader(wgsl, RX_SOURCE_WGSL, RX_STAGE_NONE);
    rx_translation *translation, *again;
    rx_stage_info info;
    rx_resource resource;
    size_t count;
    /* Two entry points, and none is named. */
    FAILS(rx_translate(RX_API_VERSION, &shader, NULL, &translation), RX_ERROR_REFUSED, "RX03");
    shader.entry = "main";
    DO(rx_translate(RX_API_VERSION, &shader, NULL, &translation));
    DO(rx_translation_info(translation, &info));
    CHECK(info.stage == RX_STAGE_COMPUTE && info.reads_array_length);
    CHECK(info.workgroup_size[0] == 8 && info.workgroup_size[1] == 4 && info.workgroup_size[2] == 2);
    DO(rx_translation_resource(translation, 0, &resource));
    CHECK(strcmp(resource.name, "results") == 0);
    CHECK(resource.descriptor_type == 7 /* VK_DESCRIPTOR_TYPE_STORAGE_BUFFER */);

    /* SPIR-V goes through word for word, and is known by its first bytes. */
    memset(&shader, 0, sizeof shader);
    shader.data = rx_translation_words(translation, &count);
    shader.size = count * 4;
    DO(rx_translate(RX_API_VERSION, &shader, NULL, &again));
    CHECK(memcmp(rx_translation_words(again, NULL), shader.data, shader.size) == 0);
    rx_translation_destroy(again);
    rx_translation_destroy(translation);

    shader = text_shader(glsl, RX_SOURCE_GLSL, RX_STAGE_FRAGMENT);
    DO(rx_translate(RX_API_VERSION, &shader, NULL, &translation));
    rx_translation_destroy(translation);
    shader.stage = RX_STAGE_NONE;
    FAILS(rx_translate(RX_API_VERSION, &shader, NULL, &translation), RX_ERROR_ARGUMENT, "RX0562: stage: 0");
}

/* A shader behind three other bytes: found by a scan, and translated where it is. */
static void inside_a_file(const char *path)
{
    static char file[1 << 16];
    rx_shader shader = read_shader(path), found_shader;
    rx_embedded *found;
    rx_embedded_shader inside;
    rx_translation *translation;
    CHECK(shader.size < sizeof file - 3);
    memset(file, 1, 3);
    memcpy(file + 3, shader.data, shader.size);
    DO(rx_embedded_find(RX_API_VERSION, file, shader.size + 3, &found));
    CHECK(rx_embedded_count(found) == 1 && rx_embedded_scanned(found));
    DO(rx_embedded_get(found, 0, &inside));
    CHECK(strcmp(inside.name, "at_0x3") == 0 && strncmp(inside.profile, "ps_5_", 5) == 0);
    CHECK(inside.offset == 3 && inside.size == shader.size);
    FAILS(rx_embedded_get(found, 1, &inside), RX_ERROR_ARGUMENT, "RX0562: index: 1");
    memset(&found_shader, 0, sizeof found_shader);
    found_shader.data = file + inside.offset;
    found_shader.size = inside.size;
    DO(rx_translate(RX_API_VERSION, &found_shader, NULL, &translation));
    rx_translation_destroy(translation);
    rx_embedded_destroy(found);
    FAILS(rx_embedded_find(RX_API_VERSION, "PK\3\4", 4, &found), RX_ERROR_MALFORMED, "RX0121");
    free_shader(&shader);
}

static void planned_as_switches_say(const rx_translated *program, const rx_facts *facts)
{
    rx_switch policy = {"RX_VK_POLICY", "set"}, unknown = {"RX_VK_POLICI", "set"};
    rx_switches *switches;
    rx_plan *plan;
    rx_set_plan set;
    DO(rx_switches_create(RX_API_VERSION, &policy, 1, &switches));
    CHECK(rx_switches_warning(switches, 0) == NULL);
    DO(rx_plan_create(program, facts, switches, &plan));
    DO(rx_plan_set(plan, 0, &set));
    CHECK(set.decision == RX_DECISION_SET && (set.layout_flags & 1) == 0);
    rx_plan_destroy(plan);
    rx_switches_destroy(switches);
    DO(rx_switches_create(RX_API_VERSION, &unknown, 1, &switches));
    CHECK(strstr(rx_switches_warning(switches, 0), "RX_VK_POLICY") != NULL);
    CHECK(rx_switches_warning(switches, 1) == NULL);
    rx_switches_destroy(switches);
}

static void planned(const char *vertex, const char *pixel)
{
    rx_shader shaders[2];
    rx_translated *program;
    rx_facts *facts, *none;
    rx_plan *plan;
    rx_set_plan set;
    rx_layout_binding binding;
    rx_vertex_input input = {RX_VERTEX_INPUT_BINDINGS, 0, 0};
    rx_stage_info info;
    shaders[0] = read_shader(vertex);
    shaders[1] = read_shader(pixel);
    DO(rx_translated_create(RX_API_VERSION, "ui", shaders, 2, NULL, &input, &program));
    CHECK(rx_translated_stage(program, 2) == NULL);
    DO(rx_translation_info(rx_translated_stage(program, 0), &info));
    CHECK(info.stage == RX_STAGE_VERTEX);
    FAILS(rx_facts_open(RX_API_VERSION, "radw", &none), RX_ERROR_NOT_FOUND, "radv");
    DO(rx_facts_open(RX_API_VERSION, "radv", &facts));
    CHECK(strcmp(rx_facts_name(facts), "radv") == 0);

    DO(rx_plan_create(program, facts, NULL, &plan));
    CHECK(rx_plan_set_count(plan) == 1);
    DO(rx_plan_set(plan, 0, &set));
    CHECK(set.set == 0 && set.decision == RX_DECISION_PUSH && set.binding_count == 3 && set.error == NULL);
    CHECK(set.layout_flags == 1 /* VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR */);
    CHECK(strstr(set.line, "ui") != NULL && strstr(set.json, "\"decision\":\"push\"") != NULL);
    DO(rx_plan_binding(plan, 0, 2, &binding));
    CHECK(binding.binding == 2 && binding.descriptor_type == 0 /* VK_DESCRIPTOR_TYPE_SAMPLER */);
    CHECK(binding.count == 1 && binding.stages == 0x10 /* VK_SHADER_STAGE_FRAGMENT_BIT */);
    FAILS(rx_plan_binding(plan, 0, 3, &binding), RX_ERROR_ARGUMENT, "index: 3");
    FAILS(rx_plan_set(plan, 1, &set), RX_ERROR_ARGUMENT, "index: 1");
    rx_plan_destroy(plan);
    planned_as_switches_say(program, facts);
    rx_facts_destroy(facts);
    rx_translated_destroy(program);
    input.known = 7;
    FAILS(rx_translated_create(RX_API_VERSION, "ui", shaders, 2, NULL, &input, &program), RX_ERROR_ARGUMENT, "known: 7");
    free_shader(&shaders[0]);
    free_shader(&shaders[1]);
}

/* Metal has no geometry stage: a plan that is an error says so and is no error itself. */
static void plan_that_is_an_error(const char *vertex, const char *geometry)
{
    rx_shader shaders[2];
    rx_translated *program;
    rx_facts *facts;
    rx_plan *plan;
    rx_set_plan set;
    shaders[0] = read_shader(vertex);
    shaders[1] = read_shader(geometry);
    DO(rx_translated_create(RX_API_VERSION, NULL, shaders, 2, NULL, NULL, &program));
    DO(rx_facts_open(RX_API_VERSION, "moltenvk-1.4.2-apple7", &facts));
    DO(rx_plan_create(program, facts, NULL, &plan));
    DO(rx_plan_set(plan, 0, &set));
    CHECK(set.decision == RX_DECISION_ERROR && set.error_code == 511 && set.binding_count == 0);
    CHECK(set.error != NULL && strncmp(set.error, "RX0511: program: ", 17) == 0);
    rx_plan_destroy(plan);
    rx_facts_destroy(facts);
    rx_translated_destroy(program);
    free_shader(&shaders[0]);
    free_shader(&shaders[1]);
}

int main(int argc, char **argv)
{
    size_t presets = 0;
    use_all();
    if (argc != 5) {
        return 1;
    }
    CHECK(rx_api_version() == RX_API_VERSION);
    while (rx_preset_name(presets) != NULL) {
        presets++;
    }
    CHECK(presets > 20);
    one_shader(argv[2]);
    options(argv[2]);
    inside_a_file(argv[2]);
    other_languages();
    planned(argv[1], argv[2]);
    plan_that_is_an_error(argv[3], argv[4]);
    printf("%u presets\n", (unsigned)presets);
    return 0;
}
