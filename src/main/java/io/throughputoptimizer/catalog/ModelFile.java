package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.ContextConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.family.ModelFamily;
import io.throughputoptimizer.core.model.stored.FoldedNames;
import io.throughputoptimizer.core.model.stored.StoredModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A model of the catalog: a Hugging Face configuration in a file named after the model, `Owner--Name.json`.
final class ModelFile {
    /// `Owner--Name`, each part of letters, digits, `_`, `.` and single `-`.
    private static final Pattern NAME = Pattern.compile("(?!.*--.*--)([A-Za-z0-9_.-]+)--([A-Za-z0-9_.-]+)");

    private static final int MAX_ID_LENGTH = 256;

    private ModelFile() {}

    /// Returns the model with the id of a file name.
    ///
    /// @throws InvalidDocumentException if the file name or a key is invalid
    static ModelArchitecture architecture(String fileName, Map<String, @Nullable Object> entries) {
        String id = id(fileName);
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        ModelFamily family = ModelFamily.of(config);
        requireKnown(config, family);
        return StoredModel.of(id, config);
    }

    private static String id(String fileName) {
        Matcher matcher = NAME.matcher(fileName);
        if (!matcher.matches() || fileName.length() > MAX_ID_LENGTH) {
            throw new InvalidDocumentException(List.of(
                    new Defect("", "the file name must be Owner--Name.json, which stands for the model Owner/Name")));
        }
        return matcher.group(1) + "/" + matcher.group(2);
    }

    private static void requireKnown(HuggingFaceConfig config, ModelFamily family) {
        Set<String> known = new HashSet<>(family.knownKeys());
        known.add(ContextConfig.EXPLICIT);
        known.add(FoldedNames.FILE_BESIDE);
        List<Defect> unknown = new ArrayList<>(unknown(config, known));
        new TreeMap<>(family.knownSectionKeys())
                .forEach((section, keys) -> unknown.addAll(unknown(config.section(section), keys)));
        if (!unknown.isEmpty()) {
            throw new InvalidDocumentException(unknown);
        }
    }

    private static List<Defect> unknown(HuggingFaceConfig config, Set<String> known) {
        return config.keys().stream()
                .filter(key -> !known.contains(key))
                .sorted()
                .map(key -> new Defect(
                        config.pointer(key),
                        NearestNames.message("key", key, known.stream().sorted().toList())))
                .toList();
    }
}
