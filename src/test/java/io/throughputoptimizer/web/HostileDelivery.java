package io.throughputoptimizer.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/// Sends requests in ways that make the service wait: parts of them are held back, answers are read slowly, or not to
/// their end. What is held back is given up when more is.
final class HostileDelivery implements AutoCloseable {
    private static final int MOST_HELD = 40;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int LONG = 1_000_000;

    private final int port;
    private final Deque<Socket> held = new ArrayDeque<>();

    HostileDelivery(int port) {
        this.port = port;
    }

    /// @param request one char a byte
    void send(String request, RandomGenerator random) throws IOException {
        try {
            switch (random.nextInt(4)) {
                case 0 -> hold(request.substring(0, 1 + random.nextInt(request.length())));
                case 1 -> hold(withoutItsLastBytes(request, random));
                case 2 -> breakOff(request, 1 + random.nextInt(400));
                default -> readSlowly(request);
            }
        } catch (SocketException _) {
            // The service has closed the connection, as it may.
        }
    }

    /// A long body of which only its end is missing.
    private static String withoutItsLastBytes(String request, RandomGenerator random) {
        int end = request.indexOf("\r\nContent-Length: ");
        if (end < 0) {
            return request.substring(0, request.length() - 2);
        }
        String head = request.substring(0, end);
        return head + "\r\nContent-Length: " + LONG + "\r\n\r\n" + " ".repeat(random.nextInt(LONG));
    }

    private Socket open(String bytes) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void hold(String bytes) throws IOException {
        Socket socket = open(bytes);
        Socket oldest;
        synchronized (held) {
            held.addLast(socket);
            oldest = held.size() > MOST_HELD ? held.removeFirst() : null;
        }
        if (oldest != null) {
            oldest.close();
        }
    }

    /// Reads so many bytes at the most, and resets the connection.
    private void breakOff(String request, int most) throws IOException {
        try (Socket socket = open(request)) {
            socket.getInputStream().readNBytes(most);
            socket.setSoLinger(true, 0);
        } catch (java.net.SocketTimeoutException _) {
            // A stream on which nothing happens; it is left all the same.
        }
    }

    private void readSlowly(String request) throws IOException {
        try (Socket socket = open(request)) {
            InputStream answer = socket.getInputStream();
            for (int times = 0; times < 20 && answer.readNBytes(16).length > 0; times++) {
                Thread.sleep(10);
            }
        } catch (java.net.SocketTimeoutException _) {
            // As above.
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (held) {
            for (Socket socket : held) {
                socket.close();
            }
            held.clear();
        }
    }
}
