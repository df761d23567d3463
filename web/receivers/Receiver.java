// java Receiver.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
    static final byte[] KEY = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", ""));

    static boolean isAuthentic(String id, String timestamp, String signatures, byte[] body)
            throws GeneralSecurityException {
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("\\d{1,15}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
        for (String given : signatures.split(" "))
            if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) return true;
        return false;
    }

    static void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes(); // the bytes as they came, before anything parses them
            var headers = exchange.getRequestHeaders();
            String id = headers.getFirst("webhook-id");
            boolean authentic = isAuthentic(
                    id, headers.getFirst("webhook-timestamp"), headers.getFirst("webhook-signature"), body);
            exchange.sendResponseHeaders(authentic ? 204 : 401, -1); // answer first, work later
            // The same id again is the same delivery.
            if (authentic) System.out.println(id + " " + new String(body, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext("/", Receiver::receive);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }
}
