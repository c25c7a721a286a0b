package io.throughputoptimizer.quota;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;

/// A caller whose quota is counted: the owner of keys, or without access control an IP address.
///
/// @param name unique name, which distinguishes owners from addresses
public record CallerId(String name) {
    /// Id of work without a known caller.
    public static final CallerId UNKNOWN = new CallerId("");

    private static final String ADDRESS = "address:";
    private static final int LONGEST = 200;
    /// Bytes of an IPv6 network prefix, within which one machine can use any address.
    private static final int NETWORK_BYTES = 8;

    /// @param owner owner of jobs: the name of a key or the subject of a token, with its kind
    public static CallerId ofOwner(String owner) {
        return new CallerId(owner);
    }

    /// @param address IPv4 or IPv6 address, of which the first 64 bits of IPv6 count. Any other text, possible
    ///     in trusted headers, is used as is
    public static CallerId ofAddress(String address) {
        int zone = address.indexOf('%');
        String digits = zone < 0 ? address : address.substring(0, zone);
        try {
            InetAddress parsed = InetAddress.ofLiteral(digits);
            return new CallerId(
                    ADDRESS + (parsed instanceof Inet6Address network ? network(network) : parsed.getHostAddress()));
        } catch (IllegalArgumentException _) {
            return new CallerId(ADDRESS + address.substring(0, Math.min(address.length(), LONGEST)));
        }
    }

    /// Returns whether the caller is authenticated.
    public boolean isOwner() {
        return !equals(UNKNOWN) && !name.startsWith(ADDRESS);
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
