package io.throughputoptimizer.core.model.stored;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.StoredFormat.Activations;
import io.throughputoptimizer.core.model.StoredFormat.WeightType;
import io.throughputoptimizer.core.model.StoredQuantization;
import io.throughputoptimizer.core.model.StoredQuantization.StoredCache;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.stored.StoredLayers.Targeted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the `quantization_config` of a configuration in the formats of its writers: `fp8` of DeepSeek and
/// MiniMax, `compressed-tensors`, `modelopt`, `gptq`, `awq`, `auto-round` and `mxfp4`.
///
/// It does not affect cost, so errors do not reject the configuration: an unreadable section becomes a reason.
final class StoredQuantizationConfig {
    static final String KEY = "quantization_config";
    static final String LAYERS = "quantized_layers";

    /// Earlier name of the section.
    static final String OLD_KEY = "compression_config";

    private static final String EXPERT_TYPE = "expert_dtype";
    private static final String METHOD = "quant_method";
    /// Keys of lists of excluded modules.
    static final List<String> IGNORED =
            List.of("ignore", "modules_to_not_convert", "ignored_layers", "exclude_modules");
    private static final String INSIDE = "quantization";
    private static final String ALGORITHM = "quant_algo";
    private static final String MODEL_OPT = "modelopt";
    private static final int NV_BLOCK = 16;
    private static final int MX_BLOCK = 32;
    private static final int MOST_BITS = 64;
    private static final String GROUP = "group_size";
    private static final int USUAL_GROUP = 128;
    private static final StoredFormat FLOAT8_ROWS =
            new StoredFormat(WeightType.FLOAT8, List.of(), Activations.DYNAMIC, false);

    private final HuggingFaceConfig config;
    private final ModuleComparison comparison = new ModuleComparison();
    private final ModuleNames ignored;

    private StoredQuantizationConfig(HuggingFaceConfig config) {
        this.config = config;
        List<Object> names = new ArrayList<>();
        IGNORED.forEach(key -> names.addAll(config.list(key)));
        this.ignored = ModuleNames.of(names, comparison);
    }

    /// Returns the quantization, or null if the configuration has none.
    static @Nullable StoredQuantization read(HuggingFaceConfig config, ModelArchitecture model) {
        String method = "unknown";
        try {
            HuggingFaceConfig around = around(config);
            HuggingFaceConfig section = section(config);
            if (section == null) {
                return null;
            }
            method = method(section);
            if (around.has(EXPERT_TYPE)) {
                return StoredQuantization.unread(
                        method, EXPERT_TYPE + " gives routed experts a format of their own, which is not read");
            }
            StoredQuantizationConfig read = new StoredQuantizationConfig(section);
            List<Targeted> formats = read.formats(method);
            StoredLayers layers = new StoredLayers(model, read.ignored, formats);
            return new StoredQuantization(
                    method,
                    layers.experts().orElse(null),
                    layers.others().orElse(null),
                    read.cache(),
                    layers.exceptions(),
                    null,
                    unmeasured(formats));
        } catch (IllegalArgumentException e) {
            return StoredQuantization.unread(method, KEY + " cannot be read: " + e.getMessage());
        }
    }

    /// Returns the reason no measured kernels multiply weights that alone are quantized: floats, or integers of
    /// several sizes.
    private static @Nullable String unmeasured(List<Targeted> formats) {
        List<StoredFormat> alone = formats.stream()
                .map(Targeted::format)
                .filter(format -> format.activations() == Activations.NONE)
                .distinct()
                .toList();
        if (alone.stream().anyMatch(format -> format.type() == WeightType.FLOAT8)) {
            return "weights in FP8 with activations in 16 bits are not priced";
        }
        boolean integers =
                alone.stream().anyMatch(format -> format.type() == WeightType.INT4 || format.type() == WeightType.INT8);
        return integers && alone.size() > 1 ? "integer weights whose groups differ are not priced" : null;
    }

    /// Returns the configuration, or its section, that names the quantization, under its present key.
    private static HuggingFaceConfig around(HuggingFaceConfig config) {
        HuggingFaceConfig around =
                config.has(KEY) || config.has(OLD_KEY) ? config : config.section(HuggingFaceConfig.TEXT);
        return around.has(KEY) ? around : around.renamed(Map.of(KEY, OLD_KEY));
    }

    /// Returns the quantization section, or null if the configuration has none.
    private static @Nullable HuggingFaceConfig section(HuggingFaceConfig config) {
        HuggingFaceConfig around = around(config);
        HuggingFaceConfig beside = config.section(FoldedNames.FILE_BESIDE).section(INSIDE);
        if (!around.has(KEY) && beside.keys().isEmpty()) {
            return null;
        }
        HuggingFaceConfig section = around.section(KEY);
        return section.has(METHOD) ? section : ofModelOpt(section, beside);
    }

    private static String method(HuggingFaceConfig section) {
        return section.has(METHOD) ? section.text(METHOD) : MODEL_OPT;
    }

    /// Returns the formats by module, or empty if the configuration names none.
    ///
    /// @throws IllegalArgumentException if the section cannot be read
    static Optional<CheckpointFormats> formats(HuggingFaceConfig config) {
        HuggingFaceConfig section = section(config);
        if (section == null) {
            return Optional.empty();
        }
        StoredQuantizationConfig read = new StoredQuantizationConfig(section);
        String method = method(section);
        List<Targeted> formats = switch (method) {
            case "fbgemm_fp8" -> read.everywhere(FLOAT8_ROWS);
            default -> read.formats(method);
        };
        return Optional.of(new CheckpointFormats(method, read.ignored, formats, read.cache() != null));
    }

    /// Returns the section of ModelOpt, which names no method: from its separate file if present, else the
    /// section itself or the object inside it.
    private static HuggingFaceConfig ofModelOpt(HuggingFaceConfig section, HuggingFaceConfig beside) {
        if (!beside.keys().isEmpty()) {
            return beside;
        } else if (section.has(INSIDE)) {
            return section.section(INSIDE);
        } else if (section.has(ALGORITHM)) {
            return section;
        }
        throw section.invalid(METHOD, "a string");
    }

    private List<Targeted> formats(String method) {
        return switch (method) {
            case "fp8" ->
                everywhere(new StoredFormat(WeightType.FLOAT8, block("weight_block_size"), activations(), false));
            case "mxfp4" -> everywhere(new StoredFormat(WeightType.MXFP4, List.of(MX_BLOCK), Activations.NONE, false));
            case "awq", "awq_marlin" -> everywhere(packed(!config.has("zero_point") || config.flag("zero_point")));
            case "gptq", "gptq_marlin" -> {
                readExclusions();
                yield everywhere(packed(config.has("sym") && !config.flag("sym")));
            }
            case "auto-round", "intel/auto-round" -> {
                readExceptions();
                yield everywhere(packed(config.has("sym") && !config.flag("sym")));
            }
            case "compressed-tensors" -> groups();
            case MODEL_OPT, "modelopt_fp4" -> modelOpt();
            default ->
                throw config.refused(
                        METHOD,
                        "fp8, mxfp4, awq, gptq, auto-round, compressed-tensors and modelopt are turned into a scheme");
        };
    }

    private List<Targeted> everywhere(StoredFormat format) {
        return List.of(new Targeted(format, true, ModuleNames.of(List.of(), comparison)));
    }

    private Activations activations() {
        return config.has("activation_scheme")
                        && config.text("activation_scheme").equals("static")
                ? Activations.STATIC
                : Activations.DYNAMIC;
    }

    private StoredFormat packed(boolean zeroPoints) {
        String bits = config.has("w_bit") ? "w_bit" : "bits";
        WeightType type = switch (config.count(bits, MOST_BITS)) {
            case 4 -> WeightType.INT4;
            case 8 -> WeightType.INT8;
            default -> throw config.refused(bits, "weights of 4 and 8 bits are turned into a scheme");
        };
        String group = config.has("q_group_size") ? "q_group_size" : GROUP;
        List<Integer> block = config.has(group) ? group(config, group) : List.of(USUAL_GROUP);
        return new StoredFormat(type, block, Activations.NONE, zeroPoints);
    }

    /// Returns the weights of a row that share a scale; empty for whole rows, which some tools write as -1.
    private static List<Integer> group(HuggingFaceConfig section, String key) {
        boolean whole = !section.has(key) || section.isNumber(key, -1);
        return whole ? List.of() : List.of(section.count(key, ModelArchitecture.MAX_INNER_WIDTH));
    }

    private List<Integer> block(String key) {
        List<Integer> sides = new ArrayList<>();
        for (Object side : config.list(key)) {
            if (!(side instanceof Number number) || number.intValue() < 1) {
                throw config.invalid(key, "a list of whole numbers above 0");
            }
            sides.add(number.intValue());
        }
        return sides;
    }

    /// Reads the modules that `dynamic` excludes. Modules with another quantization there are not
    /// distinguished.
    private void readExclusions() {
        for (String rule : config.section("dynamic").keys()) {
            if (!rule.startsWith("-:")) {
                throw config.refused("dynamic", "modules quantized otherwise are not told apart");
            }
            ignored.addRegular(rule.substring(2));
        }
    }

    /// Reads the modules that AutoRound keeps in 16 bits.
    private void readExceptions() {
        if (config.has("data_type") && !config.text("data_type").equals("int")) {
            throw config.refused("data_type", "only int is turned into a scheme");
        }
        HuggingFaceConfig exceptions = config.section("extra_config");
        for (String module : exceptions.keys()) {
            HuggingFaceConfig exception = exceptions.section(module);
            if (exception.isNumber("bits", 16)) {
                ignored.add(module);
            } else if (!exception.numberAt("bits").equals(config.numberAt("bits"))) {
                throw exceptions.refused(module, "modules quantized otherwise are not told apart");
            }
        }
    }

    private List<Targeted> modelOpt() {
        if (config.has("config_groups")) {
            return groups();
        }
        String algorithm = config.text(ALGORITHM).toUpperCase(Locale.ROOT);
        return algorithm.equals("MIXED_PRECISION") ? layerByLayer() : everywhere(format(config));
    }

    /// Returns the format of a section that names its algorithm.
    private static StoredFormat format(HuggingFaceConfig section) {
        return switch (section.text(ALGORITHM).toUpperCase(Locale.ROOT)) {
            case "NVFP4" -> new StoredFormat(WeightType.NVFP4, List.of(NV_BLOCK), Activations.DYNAMIC, false);
            case "W4A16_NVFP4" -> new StoredFormat(WeightType.NVFP4, List.of(NV_BLOCK), Activations.NONE, false);
            case "FP8" -> new StoredFormat(WeightType.FLOAT8, List.of(), Activations.STATIC, false);
            case "MXFP8" -> new StoredFormat(WeightType.FLOAT8, List.of(MX_BLOCK), Activations.DYNAMIC, false);
            default -> throw section.refused(ALGORITHM, "NVFP4, W4A16_NVFP4, FP8 and MXFP8 are turned into a scheme");
        };
    }

    /// Reads the format of each module.
    private List<Targeted> layerByLayer() {
        HuggingFaceConfig layers = config.section(LAYERS);
        Map<StoredFormat, List<String>> names = new LinkedHashMap<>();
        layers.keys().stream()
                .sorted()
                .forEach(name -> names.computeIfAbsent(format(layers.section(name)), _ -> new ArrayList<>())
                        .add(name));
        return names.entrySet().stream()
                .map(entry -> new Targeted(entry.getKey(), false, ModuleNames.of(entry.getValue(), comparison)))
                .toList();
    }

    private List<Targeted> groups() {
        HuggingFaceConfig groups = config.section("config_groups");
        return groups.keys().stream()
                .sorted()
                .map(groups::section)
                .map(this::grouped)
                .toList();
    }

    private Targeted grouped(HuggingFaceConfig group) {
        HuggingFaceConfig weights = group.section("weights");
        List<?> targets = group.list("targets");
        return new Targeted(
                new StoredFormat(type(weights), blockOf(weights), activations(group), hasZeroPoints(weights)),
                targets.isEmpty() || targets.contains("Linear"),
                ModuleNames.of(targets, comparison));
    }

    /// Returns whether weights have zero points; tools without them omit the key.
    private static boolean hasZeroPoints(HuggingFaceConfig weights) {
        return weights.has("symmetric") && !weights.isOn("symmetric");
    }

    private static WeightType type(HuggingFaceConfig weights) {
        int bits = weights.count("num_bits", MOST_BITS);
        boolean floats = weights.text("type").equals("float");
        if (bits == 8) {
            return floats ? WeightType.FLOAT8 : WeightType.INT8;
        }
        if (bits != 4) {
            throw weights.refused("num_bits", "weights of 4 and 8 bits are turned into a scheme");
        }
        if (!floats) {
            return WeightType.INT4;
        }
        return switch (weights.count("group_size", ModelArchitecture.MAX_INNER_WIDTH)) {
            case NV_BLOCK -> WeightType.NVFP4;
            case MX_BLOCK -> WeightType.MXFP4;
            default ->
                throw weights.refused("group_size", "4-bit floats in blocks of 16 and 32 are turned into a scheme");
        };
    }

    private static List<Integer> blockOf(HuggingFaceConfig weights) {
        return weights.has("block_structure")
                        && !weights.list("block_structure").isEmpty()
                ? weights.list("block_structure").stream()
                        .map(side -> side instanceof Number number ? number.intValue() : 1)
                        .toList()
                : group(weights, GROUP);
    }

    private static Activations activations(HuggingFaceConfig group) {
        HuggingFaceConfig inputs = group.section("input_activations");
        if (!inputs.has("num_bits")) {
            return Activations.NONE;
        }
        return inputs.isOn("dynamic") ? Activations.DYNAMIC : Activations.STATIC;
    }

    private @Nullable StoredCache cache() {
        if (config.has("kv_cache_quant_algo")) {
            return cache(config.text("kv_cache_quant_algo"), "kv_cache_quant_algo");
        }
        if (config.isText("kv_cache_scheme")) {
            return cache(config.text("kv_cache_scheme"), "kv_cache_scheme");
        }
        HuggingFaceConfig scheme = config.section("kv_cache_scheme");
        if (!scheme.has("num_bits")) {
            return null;
        }
        if (scheme.count("num_bits", MOST_BITS) != 8) {
            throw scheme.refused("num_bits", "a cache of 8 bits is turned into a scheme");
        }
        return scheme.text("type").equals("float") ? StoredCache.FLOAT8 : StoredCache.INT8;
    }

    private StoredCache cache(String algorithm, String key) {
        return switch (algorithm.toUpperCase(Locale.ROOT)) {
            case "FP8" -> StoredCache.FLOAT8;
            case "INT8" -> StoredCache.INT8;
            default -> throw config.refused(key, "a cache of FP8 or INT8 is turned into a scheme");
        };
    }
}
