package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.OldDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// On an embedded database that an older version has made, and this one migrates.
@DirtiesContext
@EveryNight
class LongLivedOnOldH2IT extends LongLivedContract {
    @TempDir
    private static Path folder;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry settings) {
        OldDatabase.unpack("h2-schema-2.zip", folder);
        LongLivedOnH2IT.onDefaultDatabase(settings, folder);
    }
}
