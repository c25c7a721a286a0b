package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.EveryNight;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// On the embedded database of a service that nothing was set for, started on an empty folder.
@EveryNight
@DirtiesContext
class LongLivedOnH2IT extends LongLivedContract {
    @TempDir
    private static Path folder;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry settings) {
        onDefaultDatabase(settings, folder);
    }

    /// The database that the service takes by itself, in a folder.
    static void onDefaultDatabase(DynamicPropertyRegistry settings, Path folder) {
        settings.add("optimizer.storage.folder", folder::toString);
        settings.add("spring.datasource.url", LongLivedOnH2IT::defaultUrl);
    }

    private static String defaultUrl() {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ClassPathResource("application.yaml"));
        Properties settings = Objects.requireNonNull(yaml.getObject());
        return settings.getProperty("spring.datasource.url");
    }
}
