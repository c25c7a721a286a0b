package io.throughputoptimizer.web;

import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.bound.AllowedHosts;
import io.throughputoptimizer.web.bound.AllowedHosts.HostCheck;
import io.throughputoptimizer.web.bound.BodiesInFlightFilter;
import io.throughputoptimizer.web.bound.HealthPaths;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.bound.SecurityHeaders;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.problem.ProblemErrorValve;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.catalina.core.StandardHost;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointProperties;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.AbstractHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.util.DigestUtils;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.i18n.FixedLocaleResolver;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/// Registers message converters and limits of the HTTP API.
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {
    /// Request paths of the dashboard and of pages for agents, and the folders of their files.
    private static final Map<String, String> PAGE = Map.of(
            "/index.html", "",
            "/favicon.svg", "",
            "/dashboard/**", "dashboard/",
            "/help/**", "help/",
            "/vendor/**", "vendor/",
            "/llms.txt", "",
            "/agents/**", "agents/",
            "/skills/**", "skills/");

    /// Files of the library; `swagger-initializer.js` is our own.
    private static final String SWAGGER_UI =
            "classpath:/META-INF/resources/webjars/swagger-ui/" + swaggerUiVersion() + "/";

    private final HttpLimits limits;
    private final StoredFindings stored;

    WebConfiguration(HttpLimits limits, StoredFindings stored) {
        this.limits = limits;
        this.stored = stored;
    }

    private static String swaggerUiVersion() {
        try {
            return PropertiesLoaderUtils.loadProperties(
                            new ClassPathResource("META-INF/maven/org.webjars/swagger-ui/pom.properties"))
                    .getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.addCustomConverter(new CurveMessageConverter());
        builder.addCustomConverter(new ReportMessageConverter(stored));
        builder.addCustomConverter(new StreamedMessageConverter());
        builder.addCustomConverter(new WireMessageConverter(limits.longestBody(), limits.longestWithModel()));
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new KnownParameters()).addPathPatterns("/api/v1/**");
    }

    /// The page's parts must be of one version: browsers ask each time, and get 304 while a part is the same.
    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        ContentTags tags = new ContentTags();
        PAGE.forEach((paths, folder) -> registry.addResourceHandler(paths)
                .addResourceLocations("classpath:/static/" + folder)
                .setCacheControl(CacheControl.noCache())
                .setEtagGenerator(tags));
        registry.addResourceHandler("/swagger-ui/**")
                .addResourceLocations("classpath:/static/swagger-ui/", SWAGGER_UI)
                .setCacheControl(CacheControl.noCache())
                .setEtagGenerator(tags);
    }

    @Bean
    WebMvcRegistrations reportedMappings() {
        return new WebMvcRegistrations() {
            @Override
            public RequestMappingHandlerMapping getRequestMappingHandlerMapping() {
                return new ReportedMappings();
            }
        };
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemErrorValve.class.getName());
            }
        });
    }

    /// Registers the checks that hold for every request, whatever its path.
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> guards(AllowedHosts hosts) {
        return factory -> factory.addEngineValves(new SecurityHeaders(), new HostCheck(hosts));
    }

    /// The service speaks one language. A caller's would choose among what libraries keep for each, which is
    /// as much as there are languages.
    @Bean
    LocaleResolver localeResolver() {
        return new FixedLocaleResolver(Locale.ENGLISH);
    }

    @Bean
    HealthPaths healthPaths(
            HealthContributorRegistry components, HealthEndpointGroups groups, HealthEndpointProperties settings) {
        return new HealthPaths(components, groups, settings.getLogging().getSlowIndicatorThreshold());
    }

    @Bean
    FilterRegistrationBean<ReadableParameters> readableParameters() {
        FilterRegistrationBean<ReadableParameters> filter = new FilterRegistrationBean<>(new ReadableParameters());
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    /// After it is known who calls.
    @Bean
    FilterRegistrationBean<BodiesInFlightFilter> bodiesInFlight() {
        FilterRegistrationBean<BodiesInFlightFilter> filter = new FilterRegistrationBean<>(
                new BodiesInFlightFilter(limits.allBodies(), limits.retryAfter(), Uploads.PATHS));
        filter.setOrder(0);
        return filter;
    }

    /// The catalogue changes only when the service starts anew, so callers may keep what they have. The tags
    /// are weak, since Tomcat compresses nothing that has a strong one.
    @Bean
    FilterRegistrationBean<ShallowEtagHeaderFilter> catalogETags() {
        ShallowEtagHeaderFilter filter = new ShallowEtagHeaderFilter();
        filter.setWriteWeakETag(true);
        FilterRegistrationBean<ShallowEtagHeaderFilter> tags = new FilterRegistrationBean<>(filter);
        tags.addUrlPatterns(
                "/api/v1/devices",
                "/api/v1/devices/*",
                "/api/v1/models",
                "/api/v1/models/*",
                "/api/v1/length-distributions",
                "/api/v1/length-distributions/*",
                "/api/v1/capabilities");
        return tags;
    }

    /// Unless a proxy is known that sets them, forwarded headers are a stranger's word.
    @Bean
    @ConditionalOnProperty(name = "server.forward-headers-strategy", havingValue = "none", matchIfMissing = true)
    FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
        ForwardedHeaderFilter filter = new ForwardedHeaderFilter();
        filter.setRemoveOnly(true);
        FilterRegistrationBean<ForwardedHeaderFilter> removal = new FilterRegistrationBean<>(filter);
        removal.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return removal;
    }

    /// Has [Reported] operations produce every format of reports there is, so that others are refused before
    /// anything is done.
    static final class ReportedMappings extends RequestMappingHandlerMapping {
        @Override
        protected @Nullable RequestMappingInfo getMappingForMethod(Method method, Class<?> handlerType) {
            RequestMappingInfo mapping = super.getMappingForMethod(method, handlerType);
            return mapping == null || !method.isAnnotationPresent(Reported.class)
                    ? mapping
                    : mapping.mutate().produces(Reported.Types.all()).build();
        }
    }

    /// `ETag`s of files by what they hold: files of a jar all carry the time of its sources, whatever
    /// changed. The tags are weak, since Tomcat compresses nothing that has a strong one.
    static final class ContentTags implements Function<Resource, String> {
        /// Each file that the service has is read once, and again when it was written anew.
        private final Map<String, Tagged> known = new ConcurrentHashMap<>();

        private record Tagged(long modified, String tag) {}

        @Override
        public String apply(Resource file) {
            try {
                long modified = file.lastModified();
                return known.compute(
                                file.getURL().toString(),
                                (_, before) -> before != null && before.modified == modified
                                        ? before
                                        : new Tagged(modified, tagOf(file)))
                        .tag;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String tagOf(Resource file) {
            try (InputStream content = file.getInputStream()) {
                return "W/\"" + DigestUtils.md5DigestAsHex(content) + "\"";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Writes output while it is made, so that all of it is never in memory.
    static final class StreamedMessageConverter extends AbstractHttpMessageConverter<Streamed> {
        StreamedMessageConverter() {
            super(
                    StandardCharsets.UTF_8,
                    MediaType.APPLICATION_JSON,
                    MediaType.parseMediaType(ReportFormat.VALUES),
                    MediaType.parseMediaType(TraceController.JSON_LINES),
                    MediaType.parseMediaType(ReportFormat.PLAIN));
        }

        @Override
        protected boolean supports(Class<?> type) {
            return type == Streamed.class;
        }

        @Override
        protected boolean canRead(@Nullable MediaType mediaType) {
            return false;
        }

        @Override
        protected Streamed readInternal(Class<? extends Streamed> type, HttpInputMessage message) {
            throw new UnsupportedOperationException("answers are only written");
        }

        @Override
        protected void writeInternal(Streamed answer, HttpOutputMessage message) throws IOException {
            MediaType type = message.getHeaders().getContentType();
            Streamed.Form form = answer.forms().entrySet().stream()
                    .filter(known -> MediaType.parseMediaType(known.getKey()).isCompatibleWith(type))
                    .findFirst()
                    .orElseThrow()
                    .getValue();
            Writer writer = new BufferedWriter(new OutputStreamWriter(message.getBody(), StandardCharsets.UTF_8));
            form.write(writer);
            writer.flush();
        }
    }
}
