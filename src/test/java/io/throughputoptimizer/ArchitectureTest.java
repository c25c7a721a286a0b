package io.throughputoptimizer;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import io.throughputoptimizer.core.hardware.DataType;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/// Which package may use which: the arrows of the house. A rule about a package that has no classes yet passes.
@AnalyzeClasses(packages = "io.throughputoptimizer", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

    private static final String ROOT = "io.throughputoptimizer";
    private static final String[] PACKAGES = {
        "core.hardware",
        "core.model",
        "core.model.config",
        "core.model.family",
        "core.model.stored",
        "core.deployment",
        "core.operator",
        "core.operator.attention",
        "core.operator.experts",
        "core.cost",
        "core.forward",
        "core.forward.attention",
        "core.forward.decoder",
        "core.forward.feedforward",
        "core.forward.layer",
        "core.forward.pass",
        "core.forward.vision",
        "core.memory",
        "core.kernels",
        "core.kernels.calibration",
        "core.kernels.operator",
        "core.workload",
        "core.serving",
        "core.load",
        "core.accuracy",
        "core.replica",
        "core.feedback",
        "core.search",
        "core.search.batch",
        "core.search.space",
        "core.explain",
        "core.capacity",
        "core.calibrated",
        "core.portfolio",
        "cache",
        "catalog",
        "api",
        "api.autoscaling",
        "api.benchmark",
        "api.enginelog",
        "api.portfolio",
        "api.problem",
        "api.reading",
        "api.request",
        "api.sweep",
        "api.result",
        "api.result.catalog",
        "api.result.estimate",
        "api.result.figure",
        "api.result.measurement",
        "api.result.portfolio",
        "api.trace",
        "api.job",
        "api.key",
        "api.metrics",
        "api.wire",
        "report",
        "report.curve",
        "report.explanation",
        "report.table",
        "launch",
        "quota",
        "job",
        "measurement",
        "sweep",
        "portfolio",
        "security",
        "web",
        "web.bound",
        "web.description",
        "web.mcp",
        "web.parameter",
        "web.problem"
    };

    @ArchTest
    static final ArchRule coreUsesOnlyJavaJSpecifyAndItself = classes()
            .that()
            .resideInAPackage(ROOT + ".core..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", ROOT + ".core.."))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule hardwareUsesNothing = packageUses("core.hardware");

    @ArchTest
    static final ArchRule modelUsesNothing = packageUses("core.model");

    @ArchTest
    static final ArchRule architecturesUseNothing = roomUses("core.model");

    @ArchTest
    static final ArchRule configurationsAreReadAsArchitectures = roomUses("core.model.config", "core.model");

    @ArchTest
    static final ArchRule familiesReadConfigurations = roomUses("core.model.family", "core.model", "core.model.config");

    @ArchTest
    static final ArchRule storedModelsKnowFamilies =
            roomUses("core.model.stored", "core.model", "core.model.config", "core.model.family");

    @ArchTest
    static final ArchRule deploymentUsesHardwareAndModel =
            packageUses("core.deployment", "core.hardware", "core.model");

    @ArchTest
    static final ArchRule operatorUsesOnlyDataTypes = packageUses("core.operator", type(DataType.class));

    @ArchTest
    static final ArchRule costUsesOperatorAndHardware = packageUses("core.cost", "core.operator", "core.hardware");

    @ArchTest
    static final ArchRule forwardUsesWhatAPassIsMadeOf =
            packageUses("core.forward", "core.hardware", "core.model", "core.deployment", "core.operator", "core.cost");

    @ArchTest
    static final ArchRule passUsesOperator = packageUses("core.forward.pass", "core.operator");

    @ArchTest
    static final ArchRule layerUsesPassAndOperator = packageUses(
            "core.forward.layer",
            "core.forward.pass",
            "core.operator",
            "core.deployment",
            "core.hardware",
            "core.model");

    @ArchTest
    static final ArchRule attentionUsesLayerAndBelow = blocksUseLayerAndBelow("core.forward.attention");

    @ArchTest
    static final ArchRule feedForwardUsesLayerAndBelow = blocksUseLayerAndBelow("core.forward.feedforward");

    @ArchTest
    static final ArchRule visionUsesLayerAndBelow = blocksUseLayerAndBelow("core.forward.vision");

    @ArchTest
    static final ArchRule decoderUsesBlocksAndBelow = packageUses(
            "core.forward.decoder",
            "core.forward.attention",
            "core.forward.feedforward",
            "core.forward.vision",
            "core.forward.layer",
            "core.forward.pass",
            "core.operator",
            "core.deployment",
            "core.hardware",
            "core.model");

    @ArchTest
    static final ArchRule roomsOfForwardAreItsOwn = noClasses()
            .that()
            .resideOutsideOfPackage(in("core.forward"))
            .should()
            .dependOnClassesThat(resideInAPackage(ROOT + ".core.forward.*.."));

    @ArchTest
    static final ArchRule calibrationUsesNothing = packageUses("core.kernels.calibration");

    @ArchTest
    static final ArchRule memoryUsesModels = packageUses("core.memory", "core.model");

    @ArchTest
    static final ArchRule kernelUsesCalibration = packageUses("core.kernels.operator", "core.kernels.calibration");

    @ArchTest
    static final ArchRule siliconUsesItsRoomsAndWhatIsAskedAbout =
            packageUses("core.kernels", "core.memory", "core.deployment", "core.model", "core.load");

    @ArchTest
    static final ArchRule kernelsAreSiliconsOwn = noClasses()
            .that()
            .resideOutsideOfPackage(in("core.kernels"))
            .should()
            .dependOnClassesThat(resideInAPackage(in("core.kernels.operator")));

    @ArchTest
    static final ArchRule workloadUsesNothing = packageUses("core.workload");

    // An estimate's breakdown is a value of the cost package, and serving averages it over waves.
    @ArchTest
    static final ArchRule servingUsesForwardWorkloadAndDeployment =
            packageUses("core.serving", "core.forward", "core.cost", "core.load", "core.workload", "core.deployment");

    @ArchTest
    static final ArchRule steadyUsesLimits = packageUses("core.load", "core.workload");

    @ArchTest
    static final ArchRule accuracyUsesSiliconAndSteady = packageUses(
            "core.accuracy",
            "core.replica",
            "core.kernels",
            "core.load",
            "core.memory",
            "core.deployment",
            "core.model");

    // A simulated deployment has a layout and a model.
    @ArchTest
    static final ArchRule replicaJoinsSiliconAndSteady = packageUses(
            "core.replica",
            "core.memory",
            "core.kernels",
            "core.load",
            "core.workload",
            "core.deployment",
            "core.model");

    // Rows are those of a model laid out on a measured device.
    @ArchTest
    static final ArchRule feedbackUsesReplicasAndWhatTheyAreMadeOf = packageUses(
            "core.feedback",
            "core.replica",
            "core.workload",
            "core.kernels",
            "core.load",
            "core.deployment",
            "core.model");

    // Every search is followed in the same way.
    @ArchTest
    static final ArchRule measuredUsesReplicasAndMonitorsOfSearches = packageUses(
            "core.calibrated",
            "core.feedback",
            "core.replica",
            "core.memory",
            "core.kernels",
            "core.load",
            "core.workload",
            "core.deployment",
            "core.model",
            "core.search");

    @ArchTest
    static final ArchRule batchSizesAreTriedOnServingPoints =
            packageUses("core.search.batch", "core.serving", "core.workload", "core.forward");

    // What there is to choose from is told apart from how it is chosen.
    @ArchTest
    static final ArchRule spacesKnowNoSearch = roomUses(
            "core.search.space", "core.serving", "core.workload", "core.forward", "core.deployment", "core.model");

    // Explanations ask changed questions of a search, which knows nothing of them, and say what operators cost.
    @ArchTest
    static final ArchRule explanationsUseSearchesAndTheirProblems = packageUses(
            "core.explain",
            "core.calibrated",
            "core.replica",
            "core.memory",
            "core.kernels",
            "core.load",
            "core.model",
            "core.search",
            "core.serving",
            "core.workload",
            "core.forward",
            "core.cost",
            "core.deployment",
            "core.hardware");

    // Deployments are put together of instances that a search finds.
    @ArchTest
    static final ArchRule capacityUsesSearchesOfSingleInstances = packageUses(
            "core.capacity",
            "core.calibrated",
            "core.kernels",
            "core.load",
            "core.search",
            "core.serving",
            "core.workload",
            "core.deployment",
            "core.hardware",
            "core.model");

    // A stock is assigned to units that a capacity planner finds; the solver is behind an interface of its own.
    @ArchTest
    static final ArchRule portfoliosUseUnitsOfCapacity = packageUses("core.portfolio", "core.capacity");

    // The signature of the estimator that the cache wraps names a deployment.
    @ArchTest
    static final ArchRule cacheUsesForwardAndItsArguments = packageUses("cache", "core.forward", "core.deployment");

    @ArchTest
    static final ArchRule catalogUsesWhatItsFilesDescribe = packageUses(
            "catalog",
            "core.hardware",
            "core.model",
            "core.workload",
            "core.memory",
            "core.kernels",
            "core.load",
            "core.accuracy",
            "core.deployment");

    @ArchTest
    static final ArchRule apiUsesCatalogAndCore = packageUses("api", "catalog", "core");

    // The wire names constants of the core, and words faults of reading as the catalogue does.
    @ArchTest
    static final ArchRule wireUsesProblemsCatalogAndCore = roomUses("api", "api.problem", "catalog", "core..");

    @ArchTest
    static final ArchRule problemUsesNothing = packageUses("api.problem");

    @ArchTest
    static final ArchRule membersUseTheWire = roomUses("api.wire", "api", "api.problem");

    @ArchTest
    static final ArchRule requestUsesWireAndBelow =
            roomUses("api.request", "api", "api.wire", "api.problem", "catalog", "core..");

    @ArchTest
    static final ArchRule problemsAreReadFromRequests =
            roomUses("api.reading", "api.request", "api", "api.wire", "api.problem", "catalog", "core..");

    @ArchTest
    static final ArchRule portfoliosAreReadAsTheirQuestions = roomUses(
            "api.portfolio", "api.reading", "api.request", "api", "api.wire", "api.problem", "catalog", "core..");

    // Files that tools write become requests.
    @ArchTest
    static final ArchRule benchmarkUsesRequestProblemAndWire =
            roomUses("api.benchmark", "api", "api.problem", "api.request");

    @ArchTest
    static final ArchRule enginelogPredictsFigures =
            roomUses("api.enginelog", "api", "api.problem", "api.request", "api.result.figure", "catalog", "core..");

    // Traffic of a running server becomes fields of requests, and is compared with their results.
    @ArchTest
    static final ArchRule metricsUseRequestsAndResults = roomUses(
            "api.metrics",
            "api",
            "api.wire",
            "api.problem",
            "api.request",
            "api.enginelog",
            "api.result",
            "api.result.figure",
            "core.workload",
            "core.serving");

    // Thresholds are those of a deployment in a result, at loads that its search did not try.
    @ArchTest
    static final ArchRule autoscalingUsesResultsAndTheirQuestions = roomUses(
            "api.autoscaling",
            "api",
            "api.reading",
            "api.request",
            "api.wire",
            "api.result",
            "api.result.figure",
            "core..");

    @ArchTest
    static final ArchRule tracesUseProblemsWireAndLengths =
            roomUses("api.trace", "api", "api.problem", "core.workload");

    @ArchTest
    static final ArchRule resultUsesItsRoomsAndWhatTheyUse = roomUses(
            "api.result",
            "api",
            "api.wire",
            "api.request",
            "api.reading",
            "api.result.estimate",
            "api.result.figure",
            "catalog",
            "core..");

    @ArchTest
    static final ArchRule figuresUseWireRequestAndCore =
            roomUses("api.result.figure", "api", "api.request", "catalog", "core..");

    @ArchTest
    static final ArchRule estimatesUseFigures =
            roomUses("api.result.estimate", "api", "api.request", "api.reading", "api.result.figure", "core..");

    @ArchTest
    static final ArchRule documentsOfTheCatalogUseFigures =
            roomUses("api.result.catalog", "api", "api.request", "api.result.figure", "core..");

    @ArchTest
    static final ArchRule documentsOfMeasurementsUseFigures = roomUses(
            "api.result.measurement", "api", "api.request", "api.reading", "api.trace", "api.result.figure", "core..");

    @ArchTest
    static final ArchRule documentsOfPortfoliosUseFigures =
            roomUses("api.result.portfolio", "api", "api.request", "api.portfolio", "api.result.figure", "core..");

    @ArchTest
    static final ArchRule jobDocumentsUseRequestResultAndProblem =
            roomUses("api.job", "api", "api.request", "api.result..", "api.problem");

    @ArchTest
    static final ArchRule sweepDocumentsUseRequestsAndJobs =
            roomUses("api.sweep", "api", "api.job", "api.problem", "api.request");

    @ArchTest
    static final ArchRule keyDocumentsUseTheWire = roomUses("api.key", "api");

    // A request names its quantization by constants of the deployment package; serving writes numbers and knows which
    // accounting is the reference's.
    @ArchTest
    static final ArchRule reportUsesRequestAndResult = roomUses(
            "report",
            "report.table",
            "report.explanation",
            "api",
            "api.request",
            "api.portfolio",
            "api.result..",
            "core.deployment",
            "core.serving");

    // Serving writes numbers.
    @ArchTest
    static final ArchRule tablesUseAnswers =
            roomUses("report.table", "api", "api.request", "api.result..", "core.serving");

    @ArchTest
    static final ArchRule explanationsAreTables =
            roomUses("report.explanation", "report.table", "api", "api.request", "api.result..", "core.serving");

    @ArchTest
    static final ArchRule curvesAreDrawnOfReports = roomUses("report.curve", "report", "report.table", "core.serving");

    // A row names its quantization by constants of the deployment and silicon packages, its model by that of the
    // catalogue.
    @ArchTest
    static final ArchRule launchUsesRequestResultAndCatalog = roomUses(
            "launch", "api", "api.request", "api.result..", "catalog", "core.deployment", "core.model", "core.kernels");

    @ArchTest
    static final ArchRule quotaUsesNothing = packageUses("quota");

    @ArchTest
    static final ArchRule jobUsesApiCoreAndQuota = packageUses("job", "api", "core", "quota");

    // Measurements are stored and forgotten as jobs are.
    @ArchTest
    static final ArchRule measurementUsesApiJobAndQuota = packageUses("measurement", "api", "job", "quota");

    // Sweeps are worked off as jobs are, and their rows are those of reports.
    @ArchTest
    static final ArchRule sweepUsesJobReportAndBelow = packageUses("sweep", "api", "job", "report", "quota", "core");

    // Instances of a service are searched as a request of mode capacity is.
    @ArchTest
    static final ArchRule portfolioUsesApiAndCore = packageUses("portfolio", "api", "core");

    @ArchTest
    static final ArchRule descriptionUsesTheWire = roomUses("web.description", "api..", "report..", "core..");

    // What was submitted says why it is refused.
    @ArchTest
    static final ArchRule webProblemUsesTheWireAndSubmissions = roomUses("web.problem", "api..", "job", "quota");

    @ArchTest
    static final ArchRule boundUsesProblemsAndCallers =
            roomUses("web.bound", "web.problem", "api..", "job", "security", "quota");

    @ArchTest
    static final ArchRule parametersUseTheWire =
            roomUses("web.parameter", "web.problem", "api", "api.job", "api.result", "api.trace", "core.workload");

    // Results of tools are made of the JSON of the API.
    @ArchTest
    static final ArchRule agentsUseTheWire = roomUses("web.mcp", "api", "api.problem");

    @ArchTest
    static final ArchRule webUsesTheRestButCacheAndRoot = packageUses(
            "web",
            "api",
            "job",
            "measurement",
            "portfolio",
            "sweep",
            "report",
            "launch",
            "security",
            "quota",
            "catalog",
            "core");

    // Refusals are problems, and the wire has a document for keys.
    @ArchTest
    static final ArchRule securityUsesTheWire = packageUses("security", "api", "quota");

    @ArchTest
    static final ArchRule springLivesInRootStoresSecurityAndWeb = libraryLivesIn(
            "Spring",
            resideInAPackage("org.springframework.."),
            ROOT,
            in("job"),
            in("measurement"),
            in("sweep"),
            in("security"),
            in("web"));

    @ArchTest
    static final ArchRule springSecurityLivesInSecurityAndRoot =
            libraryLivesIn("Spring Security", resideInAPackage("org.springframework.security.."), ROOT, in("security"));

    @ArchTest
    static final ArchRule jacksonLivesInCatalogApiAndJob = libraryLivesIn(
            "Jackson",
            resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson.."),
            in("catalog"),
            in("api"),
            in("job"));

    @ArchTest
    static final ArchRule mcpLivesInWeb =
            libraryLivesIn("MCP SDK", resideInAnyPackage("io.modelcontextprotocol..", "reactor.."), in("web"));

    @ArchTest
    static final ArchRule caffeineLivesInCacheAndSecurity =
            libraryLivesIn("Caffeine", resideInAPackage("com.github.benmanes.caffeine.."), in("cache"), in("security"));

    @ArchTest
    static final ArchRule bucket4jLivesInSecurity =
            libraryLivesIn("Bucket4j", resideInAPackage("io.github.bucket4j.."), in("security"));

    @ArchTest
    static final ArchRule fastCsvLivesWhereValuesAreReadAndWritten = libraryLivesIn(
            "FastCSV", resideInAPackage("de.siegmar.fastcsv.."), in("report"), in("catalog"), in("api.benchmark"));

    @ArchTest
    static final ArchRule orToolsLivesInPortfolio =
            libraryLivesIn("OR-Tools", resideInAPackage("com.google.ortools.."), in("portfolio"));

    @ArchTest
    static final ArchRule dbSchedulerLivesInJob =
            libraryLivesIn("db-scheduler", resideInAPackage("com.github.kagkarlsson.scheduler.."), in("job"));

    @ArchTest
    static final ArchRule packagesAreFreeOfCycles =
            slices().matching(ROOT + ".(**)").should().beFreeOfCycles().allowEmptyShould(true);

    @ArchTest
    static final ArchRule everyClassLivesInAKnownPackage = classes().should().resideInAnyPackage(withRoot(PACKAGES));

    @ArchTest
    static final ArchRule everyPackageIsNullMarked = classes().should(liveInANullMarkedPackage());

    private static ArchRule blocksUseLayerAndBelow(String name) {
        return packageUses(
                name,
                "core.forward.layer",
                "core.forward.pass",
                "core.operator",
                "core.deployment",
                "core.hardware",
                "core.model");
    }

    private static ArchRule packageUses(String name, String... others) {
        String[] used = Arrays.stream(others).map(ArchitectureTest::in).toArray(String[]::new);
        return packageUses(name, resideInAnyPackage(used));
    }

    /// @param others packages without those inside them, unless they end in two dots
    private static ArchRule roomUses(String name, String... others) {
        String[] used = Stream.concat(Stream.of(name), Arrays.stream(others))
                .map(other -> ROOT + "." + other)
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(ROOT + "." + name)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(used).or(not(resideInAPackage(ROOT + ".."))));
    }

    private static ArchRule packageUses(String name, DescribedPredicate<JavaClass> used) {
        return classes()
                .that()
                .resideInAPackage(in(name))
                .should()
                .onlyDependOnClassesThat(used.or(resideInAPackage(in(name))).or(not(resideInAPackage(ROOT + ".."))))
                .as("%s uses, of this project, only itself and %s".formatted(name, used.getDescription()))
                .allowEmptyShould(true);
    }

    private static ArchRule libraryLivesIn(
            String library, DescribedPredicate<JavaClass> itsClasses, String... packages) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat(itsClasses)
                .as("%s is used only in %s".formatted(library, String.join(", ", packages)))
                .allowEmptyShould(true);
    }

    private static ArchCondition<JavaClass> liveInANullMarkedPackage() {
        return new ArchCondition<>("live in a package whose package-info says @NullMarked") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                if (!item.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(violated(item, item.getName() + " lives in a package that is not @NullMarked"));
                }
            }
        };
    }

    private static String in(String name) {
        return ROOT + "." + name + "..";
    }

    private static String[] withRoot(String[] names) {
        return Stream.concat(Stream.of(ROOT), Arrays.stream(names).map(name -> ROOT + "." + name))
                .toArray(String[]::new);
    }
}
