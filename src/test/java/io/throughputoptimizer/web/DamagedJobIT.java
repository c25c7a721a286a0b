package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

/// What is stored of a job is damaged.
class DamagedJobIT extends HttpTest {
    @Autowired
    private JdbcClient jdbc;

    @Test
    void aDamagedResultIsToldAndCanBeRemoved() {
        String path = OPTIMIZATIONS + "/" + damaged("result");

        for (String part : new String[] {"", "/result", "/curves", "/launch?engine=vllm"}) {
            api().get(path + part)
                    .then()
                    .statusCode(500)
                    .contentType("application/problem+json")
                    .body("type", endsWith("/stored-unreadable"))
                    .body("detail", containsString("it is damaged. It can be removed"))
                    .body("retryable", equalTo(false));
        }
        api().get(OPTIMIZATIONS).then().statusCode(200).body("optimizations[0].status", equalTo("succeeded"));
        api().delete(path).then().statusCode(204);
        api().get(path).then().statusCode(404);
    }

    @Test
    void aDamagedRequestDoesNotHideOtherJobs() {
        String id = damaged("request");

        api().get(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .body("optimizations.id", hasItem(id))
                .body("optimizations[0].status", equalTo("failed"))
                .body("optimizations[0].problem.type", endsWith("/stored-unreadable"));
        api().get(OPTIMIZATIONS + "/" + id).then().statusCode(500).body("type", endsWith("/stored-unreadable"));
        api().delete(OPTIMIZATIONS + "/" + id).then().statusCode(204);
    }

    private String damaged(String column) {
        String id = optimize(PREFILL).extract().path("id");
        jdbc.sql("UPDATE optimization_job SET " + column + " = :bytes WHERE id = :id")
                .param("bytes", new byte[] {0x1f, (byte) 0x8b, 8, 0})
                .param("id", UUID.fromString(id))
                .update();
        return id;
    }
}
