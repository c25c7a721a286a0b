package io.throughputoptimizer.web;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// How the API is spoken.
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {
    private final HttpLimits limits;

    WebConfiguration(HttpLimits limits) {
        this.limits = limits;
    }

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.addCustomConverter(new CurveMessageConverter());
        builder.addCustomConverter(new ReportMessageConverter());
        builder.addCustomConverter(new WireMessageConverter(limits.longestBody()));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemErrorValve.class.getName());
            }
        });
    }

    /// The catalogue changes only when the service starts anew, so callers may keep what they have.
    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> catalogETags() {
        FilterRegistrationBean<ShallowEtagHeaderFilter> tags =
                new FilterRegistrationBean<>(new ShallowEtagHeaderFilter());
        tags.addUrlPatterns(
                "/api/v1/devices",
                "/api/v1/devices/*",
                "/api/v1/models",
                "/api/v1/models/*",
                "/api/v1/length-distributions/*");
        return tags;
    }

    @Bean
    FilterRegistrationBean<PageHeaders> pageHeaders() {
        FilterRegistrationBean<PageHeaders> headers = new FilterRegistrationBean<>(new PageHeaders());
        headers.addUrlPatterns("/", "/index.html", "/favicon.svg", "/dashboard/*", "/vendor/*");
        return headers;
    }
}
