package io.throughputoptimizer.catalog;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// Response bytes up to a limit; empty for a longer body, whose rest is not read.
final class LimitedBody implements BodySubscriber<Optional<byte[]>> {
    private final long most;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final CompletableFuture<Optional<byte[]>> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    LimitedBody(long most) {
        this.most = most;
    }

    @Override
    public CompletionStage<Optional<byte[]>> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> parts) {
        for (ByteBuffer part : parts) {
            if (body.isDone()) {
                return;
            }
            if (read.size() + (long) part.remaining() > most) {
                body.complete(Optional.empty());
                cancel();
            } else {
                byte[] bytes = new byte[part.remaining()];
                part.get(bytes);
                read.writeBytes(bytes);
            }
        }
    }

    private void cancel() {
        if (subscription != null) {
            subscription.cancel();
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(Optional.of(read.toByteArray()));
    }
}
