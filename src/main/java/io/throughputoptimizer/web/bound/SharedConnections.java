package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.share.Shares;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// HTTP on connections that addresses share, `server.tomcat.max-connections` of them. An address that has its share
/// gets another one in place of that which has waited longest for its caller, and none while all of its own are being
/// answered. Made by Tomcat, by name.
public final class SharedConnections extends Http11NioProtocol {
    public SharedConnections() {
        super(new Endpoint());
    }

    /// Counts the connections that there are when another one comes, so that there is nothing to give back.
    private static final class Endpoint extends NioEndpoint {
        /// One below Tomcat's own bound, at which nobody would be accepted and nothing be decided.
        private int most() {
            return getMaxConnections() - 1;
        }

        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            if (hasRoom(socket)) {
                return super.setSocketOptions(socket);
            }
            destroySocket(socket);
            return true;
        }

        private boolean hasRoom(SocketChannel socket) {
            int open = getConnections().size();
            if (most() <= 0 || open + 1 <= Shares.FACTOR * (most() - open - 1)) {
                // Not even one address that has them all has too many.
                return true;
            }
            Map<Sharer, List<NioSocketWrapper>> connections = connections();
            Sharer sharer = sharer(socket);
            List<NioSocketWrapper> own = connections.getOrDefault(sharer, List.of());
            if (Shares.allows(own.size(), most() - open, 1, 1)) {
                return true;
            }
            // Where there is none left, those of who has most are the ones that are too many.
            List<NioSocketWrapper> most = own.isEmpty()
                    ? connections.values().stream()
                            .max(Comparator.comparingInt(List::size))
                            .orElse(own)
                    : own;
            Optional<NioSocketWrapper> longest =
                    most.stream().filter(Endpoint::waits).min(Comparator.comparingLong(NioSocketWrapper::getLastRead));
            longest.ifPresent(SocketWrapperBase::close);
            return longest.isPresent();
        }

        private Map<Sharer, List<NioSocketWrapper>> connections() {
            Map<Sharer, List<NioSocketWrapper>> connections = new HashMap<>();
            for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                if (connection instanceof NioSocketWrapper wrapper && wrapper.getRemoteAddr() != null) {
                    connections
                            .computeIfAbsent(Sharer.ofAddress(wrapper.getRemoteAddr()), _ -> new ArrayList<>())
                            .add(wrapper);
                }
            }
            return connections;
        }

        /// For bytes of its caller: the first ones, the rest of a header or body, or another request.
        private static boolean waits(NioSocketWrapper connection) {
            return connection.interestOpsHas(SelectionKey.OP_READ);
        }

        private static Sharer sharer(SocketChannel socket) {
            try {
                return socket.getRemoteAddress() instanceof InetSocketAddress address
                        ? Sharer.ofAddress(address.getAddress().getHostAddress())
                        : Sharer.NOBODY;
            } catch (IOException _) {
                return Sharer.NOBODY;
            }
        }
    }
}
