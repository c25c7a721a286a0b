package io.throughputoptimizer.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// One connection on which bytes are sent as they are, which no HTTP client would send.
final class RawExchange implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Socket socket;

    RawExchange(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
    }

    /// @param from address of this machine that calls
    RawExchange(int port, InetAddress from) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
    }

    /// The whole answer to a request whose lines are given, on a connection of its own.
    static String answer(int port, String... lines) throws IOException {
        try (RawExchange exchange = new RawExchange(port)) {
            exchange.send(String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n");
            return exchange.rest();
        }
    }

    /// All that comes back when some bytes are sent and nothing after them.
    ///
    /// @param bytes one char a byte
    static String everything(int port, String bytes) throws IOException {
        try (RawExchange exchange = new RawExchange(port)) {
            try {
                exchange.send(bytes);
                exchange.socket.shutdownOutput();
            } catch (SocketException _) {
                // The service has heard enough, and may have answered.
            }
            return exchange.rest();
        }
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /// The next line, without its end; what there is of it if the service closes the connection.
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = socket.getInputStream().read();
                read >= 0 && read != '\n';
                read = socket.getInputStream().read()) {
            line.append((char) read);
        }
        return line.toString().stripTrailing();
    }

    /// What comes until the service closes the connection.
    ///
    /// @throws java.net.SocketTimeoutException if it does not
    String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] bytes = new byte[8192];
        try {
            for (int read = socket.getInputStream().read(bytes);
                    read >= 0;
                    read = socket.getInputStream().read(bytes)) {
                text.append(new String(bytes, 0, read, StandardCharsets.UTF_8));
            }
        } catch (SocketException _) {
            // Closed with bytes of ours unread.
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
