package io.throughputoptimizer.web;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// Speaks HTTP byte for byte, as no client library would.
final class RawHttp {
    private static final int TIMEOUT_MS = 60_000;

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    /// An answer as it came, one byte a character.
    ///
    /// @param head status line and headers
    record Answer(String head, String body) {
        int status() {
            return Integer.parseInt(head.split(" ", 3)[1]);
        }
    }

    /// @param request ISO 8859-1, line ends included
    Answer send(String request) throws IOException {
        try (Socket socket = new Socket("localhost", port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            String[] parts = answer.split("\r\n\r\n", 2);
            return new Answer(parts[0], parts.length == 2 ? parts[1] : "");
        }
    }
}
