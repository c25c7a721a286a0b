package io.throughputoptimizer;

import io.throughputoptimizer.security.UnprotectedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Says how a service that others can reach is protected, or meant to be open.
final class UnprotectedFailureAnalyzer extends AbstractFailureAnalyzer<UnprotectedException> {

    @Override
    protected FailureAnalysis analyze(Throwable root, UnprotectedException failure) {
        return new FailureAnalysis(failure.getMessage(), """
                        One of these:
                         - make a key with the same database: java -jar throughput-optimizer.jar keys create NAME --role admin
                           (docs/how-to/secure.md), and start again;
                         - name an issuer of tokens: OPTIMIZER_SECURITY_JWT_ISSUER=https://...;
                         - listen on this machine only: SERVER_ADDRESS=127.0.0.1;
                         - where something else keeps strangers out, say so: OPTIMIZER_SECURITY_ACCESS=open.""", failure);
    }
}
