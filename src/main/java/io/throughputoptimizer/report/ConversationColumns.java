package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.ConversationsResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.report.table.Column;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Columns of what a prefix cache keeps from turn to turn; none where requests are no turns of conversations.
final class ConversationColumns {
    private static final int DIGITS = 4;

    private ConversationColumns() {}

    /// For programs.
    static List<Column<Line>> recorded() {
        return recorded(ConversationColumns::kept);
    }

    /// Returns the columns of pairs in records.
    static List<Column<PairLine>> recordedOfPairs() {
        return recorded(line -> line.row().conversations());
    }

    private static <R> List<Column<R>> recorded(Function<R, @Nullable ConversationsResponse> kept) {
        return Stream.concat(
                        shown(kept).stream(),
                        Stream.of(
                                figure("needed_kv_tokens", Column.NONE, kept, ConversationsResponse::neededKvTokens),
                                figure("room_kv_tokens", Column.NONE, kept, ConversationsResponse::roomKvTokens)))
                .toList();
    }

    /// For people.
    static List<Column<Line>> shown() {
        return shown(ConversationColumns::kept);
    }

    /// Returns the columns of pairs in tables.
    static List<Column<PairLine>> shownOfPairs() {
        return shown(line -> line.row().conversations());
    }

    private static <R> List<Column<R>> shown(Function<R, @Nullable ConversationsResponse> kept) {
        return List.of(
                figure("hit_rate", "Cache hits", kept, ConversationsResponse::hitRate)
                        .decimals(DIGITS, DIGITS),
                figure("turns_found", "Turns found", kept, ConversationsResponse::turnsFound)
                        .decimals(DIGITS, DIGITS),
                figure("open_conversations", "Conversations", kept, ConversationsResponse::openConversations));
    }

    private static @Nullable ConversationsResponse kept(Line line) {
        RowResponse row = line.own();
        return row == null ? null : row.conversations();
    }

    private static <R> Column<R> figure(
            String name,
            String title,
            Function<R, @Nullable ConversationsResponse> kept,
            Function<ConversationsResponse, @Nullable Double> figure) {
        return Column.<R>figure(name, title, line -> {
                    ConversationsResponse known = kept.apply(line);
                    return known == null ? null : figure.apply(known);
                })
                .optional();
    }
}
