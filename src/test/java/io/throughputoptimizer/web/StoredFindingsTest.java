package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.SampleFindings;
import io.throughputoptimizer.web.problem.ProblemException;
import org.junit.jupiter.api.Test;

class StoredFindingsTest {
    private final StoredFindings stored = new StoredFindings();

    private static JobResult comparison(String request, String spaces) {
        return JobResult.whole(
                request, WireFormat.write(SampleFindings.comparison().result()) + spaces);
    }

    private static JobResult comparison() {
        return comparison(WireFormat.write(SampleFindings.comparison().request()), "");
    }

    @Test
    void whatWasReadLastIsNotReadAgain() {
        Findings first = stored.of(comparison());

        assertThat(stored.of(comparison())).isSameAs(first);
        assertThat(first.result()).isEqualTo(SampleFindings.comparison().result());
    }

    @Test
    void anotherRequestOrResultHasItsOwn() {
        Findings first = stored.of(comparison());
        Findings other = stored.of(comparison("{\"model_id\": \"another\"}", ""));

        assertThat(other.request().modelId()).isEqualTo("another");
        assertThat(stored.of(comparison()).request()).isEqualTo(first.request());
        assertThat(stored.of(comparison("{\"model_id\": \"another\"}", " "))).isNotSameAs(other);
    }

    @Test
    void whatIsLongIsNotKept() {
        JobResult padded = comparison("{}", " ".repeat(1 << 18));

        assertThat(stored.of(padded)).isNotSameAs(stored.of(padded));
    }

    @Test
    void aNewerResultIsRefusedEachTime() {
        JobResult newer = JobResult.whole("{}", "{\"result_version\": 3}");

        for (int time = 0; time < 2; time++) {
            assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> stored.of(newer));
        }
    }
}
