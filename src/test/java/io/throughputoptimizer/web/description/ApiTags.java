package io.throughputoptimizer.web.description;

/// Tags of operations in the API description.
public final class ApiTags {
    public static final String OPTIMIZATIONS = "Optimizations";
    public static final String RESULTS = "Results";
    public static final String LAUNCH = "Launch";
    public static final String SHARING = "Sharing";
    public static final String SWEEPS = "Sweeps";
    public static final String ESTIMATES = "Estimates";
    public static final String SIMULATIONS = "Simulations";
    public static final String PORTFOLIOS = "Portfolios";
    public static final String MEASUREMENTS = "Measurements";
    public static final String CATALOG = "Catalog";
    public static final String KEYS = "Keys";

    private ApiTags() {}
}
