package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GzipTest {
    private static final String TEXT = "TTFT \u2264 2 s, caf\u00e9, \ud83d\ude80".repeat(100);
    private static final int BYTES = TEXT.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;

    @Test
    void textComesBack() {
        assertThat(Gzip.decompress(stream(Gzip.compress(TEXT)), BYTES)).isEqualTo(TEXT);
        assertThat(Gzip.decompress(stream(Gzip.compress("")), 0)).isEmpty();
    }

    @Test
    void aLongerTextThanTheLimitIsToldBeforeAndAfter() {
        assertThat(Gzip.isTooLong(TEXT, BYTES)).isFalse();
        assertThat(Gzip.isTooLong(TEXT, BYTES - 1)).isTrue();
        assertThatThrownBy(() -> Gzip.decompress(stream(Gzip.compress(TEXT)), BYTES - 1))
                .isInstanceOf(StoredTextException.class)
                .hasMessageContaining(BYTES - 1 + " bytes");
    }

    @Test
    void aBombDoesNotFillTheHeap() {
        byte[] bomb = Gzip.compress("0".repeat(50_000_000));
        assertThat(bomb.length).isLessThan(300_000);
        long limit = Runtime.getRuntime().maxMemory();

        assertThatThrownBy(() -> Gzip.decompress(stream(bomb), 1_000_000)).isInstanceOf(StoredTextException.class);
        assertThat((long) Gzip.LONGEST).isLessThanOrEqualTo(limit / 8);
    }

    @Test
    void whateverIsDamagedIsToldAsSuch() {
        byte[] whole = Gzip.compress(TEXT);
        Random random = new Random(16);
        for (int cut = 0; cut < whole.length; cut++) {
            assertUnreadable(Arrays.copyOf(whole, cut));
        }
        for (int round = 0; round < 1_000; round++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
            assertUnreadableOrSame(damaged);
        }
    }

    /// A flipped bit of the header may mean nothing, such as the time.
    private static void assertUnreadableOrSame(byte[] bytes) {
        try {
            assertThat(Gzip.decompress(stream(bytes), BYTES)).isEqualTo(TEXT);
        } catch (StoredTextException expected) {
            assertThat(expected).hasMessageMatching("it is (damaged|longer than .*)");
        }
    }

    private static void assertUnreadable(byte[] bytes) {
        assertThatThrownBy(() -> Gzip.decompress(stream(bytes), BYTES))
                .isInstanceOf(StoredTextException.class)
                .hasMessage("it is damaged");
    }

    @Test
    void aDatabaseThatBreaksOffIsNoDamage() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the connection is gone");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }
        };

        assertThatThrownBy(() -> Gzip.decompress(broken)).isInstanceOf(UncheckedIOException.class);
    }

    private static InputStream stream(byte[] bytes) {
        return new ByteArrayInputStream(bytes);
    }
}
