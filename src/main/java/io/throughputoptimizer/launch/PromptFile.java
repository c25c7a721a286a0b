package io.throughputoptimizer.launch;

import static java.util.stream.Collectors.joining;

import io.throughputoptimizer.api.request.LengthDistributionRequest.Share;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.launch.LaunchPlan.Load;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.util.List;
import java.util.Map;

/// A program that writes prompts with the lengths of a plan, for benchmarks without options for them.
final class PromptFile {
    static final String NAME = "prompts.py";

    /// Command that runs it before a benchmark.
    static final String WRITTEN = "python " + NAME + " \"$MODEL\" > prompts.jsonl && ";

    /// Program text. Prompts consist of one-token words and share a prefix as long as the prefix cache hit.
    private static final String PROGRAM = """
            # Writes {prompts} prompts of the plan's lengths. Usage: python prompts.py MODEL > prompts.jsonl
            import json
            import random
            import sys

            from transformers import AutoTokenizer

            INPUTS = {inputs}
            OUTPUTS = {outputs}
            LEAST = {least}
            CACHED = {cached}

            tokenizer = AutoTokenizer.from_pretrained(sys.argv[1], trust_remote_code=True)
            vocabulary = []
            for token in random.sample(range(len(tokenizer)), min(len(tokenizer), 50000)):
                word = tokenizer.decode([token])
                plain = word[:1] == " " and word[1:].isascii() and word[1:].isalpha()
                if plain and len(tokenizer.encode(word, add_special_tokens=False)) == 1:
                    vocabulary.append(word)
            if not vocabulary:
                sys.exit("no words of this tokenizer are one token each")


            def words(count):
                return random.choices(vocabulary, k=count)


            def text(some):
                return "".join(some)


            def length(shares):
                longest = random.choices([tokens for tokens, _ in shares], [share for _, share in shares])[0]
                return max(1, round(longest * random.uniform(LEAST, 1)))


            prefix = words(max(tokens for tokens, _ in INPUTS))
            for _ in range({prompts}):
                tokens = length(INPUTS)
                output = length(OUTPUTS)
                cached = int(tokens * CACHED)
                prompt = prefix[:cached] + words(tokens - cached)
                print(json.dumps({line}))
            """;

    private PromptFile() {}

    /// Returns whether no benchmark has options for the load.
    static boolean isNeeded(Load load, Served served) {
        return load.isMixed() || (load.isVaried() && served.prefixShare() > 0);
    }

    /// @param line one output line, as a Python expression
    static FileResponse of(Load load, Served served, int mostOutput, String line) {
        return new FileResponse(
                NAME,
                Settings.filled(
                        PROGRAM,
                        Map.of(
                                "prompts",
                                load.prompts(),
                                "inputs",
                                list(load.inputs(), Integer.MAX_VALUE),
                                "outputs",
                                list(load.outputs(), mostOutput),
                                "least",
                                load.least(),
                                "cached",
                                served.prefixShare(),
                                "line",
                                line)));
    }

    private static String list(List<Share> shares, int most) {
        return shares.stream()
                .map(share -> "(" + Math.min(most, share.tokens()) + ", " + share.share() + ")")
                .collect(joining(", ", "[", "]"));
    }
}
