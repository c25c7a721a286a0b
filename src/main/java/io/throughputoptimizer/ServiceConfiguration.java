package io.throughputoptimizer;

import io.throughputoptimizer.api.portfolio.PortfolioReader;
import io.throughputoptimizer.api.reading.EstimateReader;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.SimulationReader;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.cache.CachingForwardPlanner;
import io.throughputoptimizer.catalog.CatalogReader;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.ModelHub;
import io.throughputoptimizer.catalog.ModelSource;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.portfolio.PlanPortfolio;
import io.throughputoptimizer.web.bound.AllowedHosts;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.description.DevicePrices;
import jakarta.validation.ValidatorFactory;
import java.net.URI;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Puts the service together.
@Configuration(proxyBeanMethods = false)
class ServiceConfiguration {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    DevicePrices devicePrices(OptimizerProperties settings) {
        return settings.prices().byDevice();
    }

    @Bean
    Catalogs catalogs(OptimizerProperties settings) {
        OptimizerProperties.Catalog own = settings.catalog();
        return CatalogReader.read(
                own.devicesFolder(), own.modelsFolder(), own.lengthDistributionsFolder(), hub(settings));
    }

    private static ModelSource hub(OptimizerProperties settings) {
        OptimizerProperties.Hub hub = settings.hub();
        return hub.url() == null
                ? ModelSource.NONE
                : new ModelHub(
                        URI.create(hub.url()),
                        hub.folder(settings.storage()),
                        hub.timeout(),
                        hub.maximumSize().toBytes());
    }

    @Bean
    RequestValidator requestValidator(ValidatorFactory validators) {
        return new RequestValidator(validators);
    }

    @Bean
    ProblemReader problemReader(Catalogs catalogs, OptimizerProperties settings) {
        return new ProblemReader(catalogs, settings.jobs().maximumPoints());
    }

    @Bean
    EstimateReader estimateReader(Catalogs catalogs) {
        return new EstimateReader(catalogs);
    }

    @Bean
    SimulationReader simulationReader(Catalogs catalogs) {
        return new SimulationReader(catalogs);
    }

    @Bean
    PortfolioReader portfolioReader(RequestValidator validator, ProblemReader problems) {
        return new PortfolioReader(validator, problems);
    }

    @Bean
    PlanPortfolio planPortfolio(Optimizer optimizer) {
        return new PlanPortfolio(optimizer);
    }

    @Bean
    CachingForwardPlanner forwardPlanner(OptimizerProperties settings) {
        return new CachingForwardPlanner(settings.cache().maximumOperators());
    }

    @Bean
    AnalyticForwardEstimator analyticForwardEstimator(CachingForwardPlanner planner) {
        return new AnalyticForwardEstimator(planner);
    }

    /// Threads that search layouts beside the one that runs the job. No default candidate, or Spring Boot would
    /// make no executor of its own for requests.
    @Bean(defaultCandidate = false)
    ExecutorService searchHelpers(OptimizerProperties settings) {
        return Executors.newFixedThreadPool(
                searchParallelism(settings),
                Thread.ofPlatform().name("search-", 1).daemon().factory());
    }

    @Bean
    Optimizer optimizer(
            ForwardEstimator estimator,
            @Qualifier("searchHelpers") ExecutorService searchHelpers,
            OptimizerProperties settings) {
        long memoryBytes = settings.jobs().memoryBytes(Runtime.getRuntime().maxMemory());
        return new Optimizer(estimator, searchHelpers, searchParallelism(settings), memoryBytes);
    }

    @Bean
    WarmUp warmUp(RequestValidator validator, ProblemReader problems, Catalogs catalogs) {
        return new WarmUp(validator, problems, catalogs);
    }

    @Bean
    HttpLimits httpLimits(OptimizerProperties settings) {
        OptimizerProperties.Http http = settings.http();
        return new HttpLimits(
                http.maximumBody(),
                http.withModel(Runtime.getRuntime().maxMemory()),
                http.bodies(Runtime.getRuntime().maxMemory()),
                http.maximumTrace(),
                http.maximumWait(),
                http.maximumWaiting(),
                http.keepAlive(),
                settings.jobs().promptTime(),
                http.retryAfter());
    }

    @Bean
    AllowedHosts allowedHosts(OptimizerProperties settings, @Value("${server.address:}") String bound) {
        return AllowedHosts.of(settings.http().allowedHosts(), bound);
    }

    private static int searchParallelism(OptimizerProperties settings) {
        int given = settings.jobs().searchParallelism();
        return given == 0 ? Runtime.getRuntime().availableProcessors() : given;
    }
}
