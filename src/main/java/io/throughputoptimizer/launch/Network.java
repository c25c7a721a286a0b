package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.catalog.EngineOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Ports of the servers of a plan, and the address for its clients: the only server, or a router. Servers use
/// consecutive ports after the engine's default, as if all ran on one host.
final class Network {
    /// Maximum number of servers that are written out.
    static final int MOST_ROUTED = 1000;

    private static final String NGINX = """
            worker_processes auto;
            worker_rlimit_nofile 65536;
            pid nginx.pid;
            events { worker_connections 16384; }
            http {
              access_log off;
              client_body_temp_path nginx-body;
              proxy_temp_path nginx-proxy;
              fastcgi_temp_path nginx-fastcgi;
              uwsgi_temp_path nginx-uwsgi;
              scgi_temp_path nginx-scgi;
              upstream servers {
                zone servers 1m;
                least_conn;
                # taken to be on this host: put the hosts of the others here
            {server_list}
              }
              server {
                listen {port};
                client_max_body_size 0;
                client_body_buffer_size 1m;
                location / {
                  proxy_pass http://servers;
                  proxy_http_version 1.1;
                  proxy_set_header Connection "";
                  proxy_buffering off;
                  proxy_read_timeout 1h;
                  proxy_send_timeout 1h;
                }
              }
            }
            """;

    /// Router for engines without their own: requests go to the server with the fewest.
    private static final EngineOptions.Router OF_ALL = new EngineOptions.Router(
            "nginx -e stderr -p \"$PWD\" -c nginx.conf -g 'daemon off;'",
            0,
            "nginx.conf",
            NGINX,
            null,
            null,
            "    server 127.0.0.1:{port} max_fails=0;",
            null,
            "");

    private final EngineOptions engine;
    private final List<Integer> servers;
    private final boolean split;
    private final int first;

    /// @param servers number of servers of each kind of instance
    Network(EngineOptions engine, List<Integer> servers) {
        this.engine = engine;
        this.servers = servers;
        this.split = servers.size() > 1;
        int router = asked();
        int usual = engine.port() + 1;
        this.first = router >= usual && router < usual + count() ? router + 1 : usual;
    }

    int count() {
        return servers.stream().mapToInt(Integer::intValue).sum();
    }

    /// Returns whether clients use a router.
    boolean isRouted() {
        return split || (count() > 1 && isListed());
    }

    boolean isListed() {
        return count() <= MOST_ROUTED;
    }

    /// Returns the port for clients.
    int asked() {
        EngineOptions.Router router = split ? engine.router() : engine.balancer();
        return isRouted() && router != null ? router.port() : engine.port();
    }

    /// Returns the port of the first server of a kind of instance; the others follow.
    int port(int kind) {
        return count() == 1 || !isListed()
                ? engine.port()
                : first
                        + servers.stream()
                                .limit(kind)
                                .mapToInt(Integer::intValue)
                                .sum();
    }

    /// Returns the port as written in the command of each server of a kind.
    String written(int kind) {
        return servers.get(kind) == 1 || !isListed() ? String.valueOf(port(kind)) : "\"${PORT:-" + port(kind) + "}\"";
    }

    /// Returns whether commands must set the port of servers.
    boolean tellsPorts() {
        return count() > 1 && isListed();
    }

    /// Returns the router, or null if clients address the server or there are too many to list.
    EngineOptions.@Nullable Router router() {
        if (!isRouted() || !isListed()) {
            return null;
        }
        EngineOptions.Router own = split ? engine.router() : engine.balancer();
        return own == null && !split ? OF_ALL : own;
    }

    String command(EngineOptions.Router router) {
        return Settings.filled(router.text(), figures(router, " "));
    }

    @Nullable
    FileResponse file(EngineOptions.Router router) {
        return router.file() == null || router.content() == null
                ? null
                : new FileResponse(router.file(), Settings.filled(router.content(), figures(router, "\n")));
    }

    private Map<String, Object> figures(EngineOptions.Router router, String between) {
        Map<String, Object> figures = new LinkedHashMap<>();
        if (split) {
            figures.put("prefill_count", servers.getFirst());
            figures.put("decode_count", servers.getLast());
            figures.put("prefill_list", list(router.prefill(), "PREFILL_HOST", 0, between));
            figures.put("decode_list", list(router.decode(), "DECODE_HOST", 1, between));
            figures.put("prefill_hosts", list("\"{host}\"", "PREFILL_HOST", 0, between));
            figures.put("decode_hosts", list("\"{host}\"", "DECODE_HOST", 1, between));
            figures.put("prefill_ports", list("{port}", "", 0, between));
            figures.put("decode_ports", list("{port}", "", 1, between));
        } else {
            figures.put("server_list", list(router.server(), "HOST", 0, between));
        }
        figures.put("port", asked());
        return figures;
    }

    /// Returns one text per server of a kind, with variables for the hosts.
    private String list(@Nullable String each, String host, int kind, String between) {
        if (each == null) {
            return "";
        }
        List<String> texts = new ArrayList<>();
        IntStream.range(0, servers.get(kind))
                .forEach(index -> texts.add(Settings.filled(
                        each,
                        Map.of("host", "${" + host + "_" + (index + 1) + ":-127.0.0.1}", "port", port(kind) + index))));
        return texts.stream().collect(Collectors.joining(between));
    }
}
