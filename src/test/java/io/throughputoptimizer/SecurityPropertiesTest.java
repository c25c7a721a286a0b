package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.security.Protection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.annotation.Configuration;

class SecurityPropertiesTest {

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(SecurityProperties.class)
    static class Settings {}

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
            .withUserConfiguration(Settings.class);

    @Test
    void theDefaults() {
        service.run(context -> assertThat(context.getBean(SecurityProperties.class))
                .isEqualTo(new SecurityProperties(
                        Protection.Setting.AUTOMATIC,
                        600,
                        20,
                        List.of(),
                        new SecurityProperties.Jwt(null, null, null, "scope", "optimizer:"))));
    }

    @Test
    void everySettingHasItsName() {
        service.withPropertyValues(
                        "optimizer.security.access=open",
                        "optimizer.security.requests-per-minute=1",
                        "optimizer.security.maximum-streams=2",
                        "optimizer.security.allowed-origins=https://a.example,https://b.example",
                        "optimizer.security.jwt.issuer=i",
                        "optimizer.security.jwt.jwk-set=j",
                        "optimizer.security.jwt.audience=a",
                        "optimizer.security.jwt.roles-claim=c",
                        "optimizer.security.jwt.role-prefix=p")
                .run(context -> assertThat(context.getBean(SecurityProperties.class))
                        .isEqualTo(new SecurityProperties(
                                Protection.Setting.OPEN,
                                1,
                                2,
                                List.of("https://a.example", "https://b.example"),
                                new SecurityProperties.Jwt("i", "j", "a", "c", "p"))));
    }
}
