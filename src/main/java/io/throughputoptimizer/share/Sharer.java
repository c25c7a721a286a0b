package io.throughputoptimizer.share;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/// Whom places count for: the owner of keys, or where nobody is asked for one the address that calls.
///
/// @param name tells it from others, and owners from addresses
public record Sharer(String name) {
    /// Work that nobody asked for, and jobs of which nobody knows who did.
    public static final Sharer NOBODY = new Sharer("");

    private static final String ADDRESS = "address:";
    private static final int LONGEST = 200;
    /// Half of an IPv6 address names a network, in which one machine may take any address.
    private static final int NETWORK_BYTES = 8;

    /// @param owner of jobs: a key's name or a token's subject, with which of the two it is
    public static Sharer ofOwner(String owner) {
        return new Sharer(owner);
    }

    /// @param address as digits, of IPv4 or IPv6; of the latter the first 64 bits count. A text that is none of them,
    ///     as trusted headers may have, stands for itself
    public static Sharer ofAddress(String address) {
        int zone = address.indexOf('%');
        String digits = zone < 0 ? address : address.substring(0, zone);
        try {
            InetAddress parsed = InetAddress.ofLiteral(digits);
            return new Sharer(
                    ADDRESS + (parsed instanceof Inet6Address network ? network(network) : parsed.getHostAddress()));
        } catch (IllegalArgumentException _) {
            return new Sharer(ADDRESS + address.substring(0, Math.min(address.length(), LONGEST)));
        }
    }

    /// Whether this is somebody who has shown who he is.
    public boolean isOwner() {
        return !equals(NOBODY) && !name.startsWith(ADDRESS);
    }

    private static String network(Inet6Address address) {
        HexFormat hex = HexFormat.of();
        StringBuilder network = new StringBuilder();
        byte[] bytes = address.getAddress();
        for (int at = 0; at < NETWORK_BYTES; at += 2) {
            network.append(hex.formatHex(bytes, at, at + 2)).append(':');
        }
        return network + ":/64";
    }
}
