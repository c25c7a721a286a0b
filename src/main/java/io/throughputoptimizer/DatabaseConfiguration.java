package io.throughputoptimizer;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import java.util.Properties;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Sets up the connections to the database, so that they fail in time and the service goes on afterwards.
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

    @Bean
    static BeanPostProcessor guardedPool() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                if (bean instanceof HikariDataSource pool) {
                    guard(pool);
                }
                return bean;
            }
        };
    }

    private static void guard(HikariDataSource pool) {
        pool.setAllowPoolSuspension(true);
        pool.setExceptionOverride(new DatabaseGuard(pool));
        if (pool.getJdbcUrl() != null && pool.getJdbcUrl().startsWith("jdbc:postgresql:")) {
            Properties connection = pool.getDataSourceProperties();
            connection.putIfAbsent("connectTimeout", "5");
            connection.putIfAbsent("socketTimeout", "10");
            connection.putIfAbsent("tcpKeepAlive", "true");
        }
    }

    /// Takes the place of Spring Boot's, which asks a connection whether it is open, not the database whether it takes
    /// submissions.
    @Bean
    HealthIndicator dbHealthIndicator(HikariDataSource pool, JobStore jobs, JobRunner runner) {
        return new DatabaseHealthIndicator((DatabaseGuard) pool.getExceptionOverride(), jobs, runner);
    }
}
