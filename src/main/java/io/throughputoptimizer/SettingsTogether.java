package io.throughputoptimizer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.util.unit.DataSize;

/// What is wrong with settings beside each other, each of which is in order by itself.
final class SettingsTogether {
    private static final String STORAGE = "optimizer.storage.folder";
    private static final String MEMORY = "optimizer.jobs.maximum-memory";
    private static final String AUDIENCE = "optimizer.security.jwt.audience";

    private SettingsTogether() {}

    static List<String> complaints(Binder binder) {
        List<String> complaints = new ArrayList<>();
        String folder = text(binder, STORAGE);
        if (!folder.isEmpty() && isUsed(folder, binder) && !isWritable(folder)) {
            complaints.add(STORAGE + " is \"" + SettingsCheck.shown(folder)
                    + "\": a folder that can be written, or made, is needed for the embedded database");
        }
        DataSize memory = binder.bind(MEMORY, Bindable.of(DataSize.class)).orElse(DataSize.ofBytes(0));
        long heap = Runtime.getRuntime().maxMemory();
        if (memory.toBytes() > heap) {
            complaints.add(MEMORY + " is \"" + text(binder, MEMORY) + "\": no more than the heap is needed, which has "
                    + DataSize.ofBytes(heap).toMegabytes() + "MB");
        }
        if (!text(binder, AUDIENCE).isEmpty()
                && text(binder, "optimizer.security.jwt.issuer").isEmpty()
                && text(binder, "optimizer.security.jwt.jwk-set").isEmpty()) {
            complaints.add(AUDIENCE + " is \"" + SettingsCheck.shown(text(binder, AUDIENCE))
                    + "\": optimizer.security.jwt.issuer or optimizer.security.jwt.jwk-set is needed besides, or no token"
                    + " is taken");
        }
        return complaints;
    }

    /// By the embedded database, or for models that are fetched.
    private static boolean isUsed(String folder, Binder binder) {
        boolean fetched = !text(binder, "optimizer.hub.url").isEmpty()
                && text(binder, "optimizer.hub.folder").isEmpty();
        return fetched || text(binder, "spring.datasource.url").startsWith("jdbc:h2:file:" + folder);
    }

    private static boolean isWritable(String folder) {
        return WritableFolder.isOrCanBe(Path.of(new OptimizerProperties.Storage(folder).inFull()));
    }

    private static String text(Binder binder, String name) {
        return binder.bind(name, Bindable.of(String.class)).orElse("");
    }
}
