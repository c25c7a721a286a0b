package io.throughputoptimizer;

import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Settings, bound and validated by Spring Boot.
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OptimizerProperties.class)
class SettingsConfiguration {

    /// Opens the database after the settings are validated.
    @Bean
    static BeanFactoryPostProcessor databaseAfterSettings() {
        return new AbstractDependsOnBeanFactoryPostProcessor(DataSource.class, OptimizerProperties.class) {};
    }

    @Bean
    static ConfigurationPropertiesBindHandlerAdvisor unknownVariables() {
        return UnknownVariables::new;
    }

    @Bean
    SecurityProperties securityProperties(OptimizerProperties settings) {
        return settings.security();
    }
}
