package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.ConversationsResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.report.table.Column;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Columns of what a prefix cache keeps from turn to turn; none where requests are no turns of conversations.
final class ConversationColumns {
    private static final int DIGITS = 4;

    private static final Column<Line> HIT_RATE =
            figure("hit_rate", "Cache hits", ConversationsResponse::hitRate).decimals(DIGITS, DIGITS);
    private static final Column<Line> TURNS_FOUND = figure(
                    "turns_found", "Turns found", ConversationsResponse::turnsFound)
            .decimals(DIGITS, DIGITS);
    private static final Column<Line> OPEN =
            figure("open_conversations", "Conversations", ConversationsResponse::openConversations);

    private ConversationColumns() {}

    /// For programs.
    static List<Column<Line>> recorded() {
        return List.of(
                HIT_RATE,
                TURNS_FOUND,
                OPEN,
                figure("needed_kv_tokens", Column.NONE, ConversationsResponse::neededKvTokens),
                figure("room_kv_tokens", Column.NONE, ConversationsResponse::roomKvTokens));
    }

    /// For people.
    static List<Column<Line>> shown() {
        return List.of(HIT_RATE, TURNS_FOUND, OPEN);
    }

    private static Column<Line> figure(
            String name, String title, Function<ConversationsResponse, @Nullable Double> figure) {
        return Column.<Line>figure(name, title, line -> {
                    RowResponse row = line.own();
                    return row == null || row.conversations() == null ? null : figure.apply(row.conversations());
                })
                .optional();
    }
}
