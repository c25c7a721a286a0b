package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.web.mcp.ToolTable;
import io.throughputoptimizer.web.mcp.ToolTable.Page;
import io.throughputoptimizer.web.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// Files that agents read of a running service: its skill, its index of pages and the pages. They need no key.
@Hidden
@RestController
class AgentFileController {
    private static final MediaType MARKDOWN = new MediaType("text", "markdown", StandardCharsets.UTF_8);

    @GetMapping("/llms.txt")
    ResponseEntity<byte[]> llms() {
        return file(
                new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8),
                ToolTable.get().llms());
    }

    @GetMapping("/skills/size-llm-serving/SKILL.md")
    ResponseEntity<byte[]> skill() {
        return file(MARKDOWN, ToolTable.skill());
    }

    @GetMapping("/agents/{page}.md")
    ResponseEntity<byte[]> page(@PathVariable String page) {
        return file(
                MARKDOWN,
                ToolTable.get().pages().stream()
                        .filter(known -> known.name().equals(page))
                        .findFirst()
                        .map(Page::text)
                        .orElseThrow(() -> ProblemException.notFound("There is nothing at /agents/" + page + ".md.")));
    }

    private static ResponseEntity<byte[]> file(MediaType type, String text) {
        return ResponseEntity.ok().contentType(type).body(text.getBytes(StandardCharsets.UTF_8));
    }
}
