package io.throughputoptimizer.api.imported;

import io.throughputoptimizer.api.WireFormat;
import java.util.List;

/// Another tool's file, as far as requests can be made of it.
public record ImportedFile(List<ImportedRequest> experiments) {
    public ImportedFile {
        experiments = List.copyOf(experiments);
    }

    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the document is malformed, or of
    ///     no tool that is known
    public static ImportedFile read(WireFormat.Syntax syntax, byte[] document) {
        return new ImportedFile(AiconfiguratorReader.read(syntax, document));
    }
}
