package servers;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.net.ftp.FTPClient;
import org.apache.ftpserver.ConnectionConfigFactory;
import org.apache.ftpserver.FtpServer;
import org.apache.ftpserver.FtpServerFactory;
import org.apache.ftpserver.ftplet.UserManager;
import org.apache.ftpserver.listener.Listener;
import org.apache.ftpserver.listener.ListenerFactory;
import org.apache.ftpserver.usermanager.ClearTextPasswordEncryptor;
import org.apache.ftpserver.usermanager.Md5PasswordEncryptor;
import org.apache.ftpserver.usermanager.PasswordEncryptor;
import org.apache.ftpserver.usermanager.PropertiesUserManagerFactory;
import org.apache.ftpserver.usermanager.SaltedPasswordEncryptor;
import org.apache.ftpserver.usermanager.impl.BaseUser;
import org.apache.ftpserver.usermanager.impl.ConcurrentLoginPermission;
import org.apache.ftpserver.usermanager.impl.TransferRatePermission;
import org.apache.ftpserver.usermanager.impl.WritePermission;

/** A file server: sessions that log in, list a folder, store a file and get it back. */
public final class FtpApp {
    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        Path home = Files.createTempDirectory("ftp");
        for (int at = 0; at < 200; at++) {
            Files.write(home.resolve("old" + at), new byte[10]);
        }
        FtpServerFactory factory = new FtpServerFactory();
        ConnectionConfigFactory connections = new ConnectionConfigFactory();
        connections.setMaxLogins(settings.number("ftp.logins.max", 20));
        connections.setMaxThreads(settings.number("ftp.threads.max", 4));
        connections.setLoginFailureDelay(settings.number("ftp.login.delay", 500));
        factory.setConnectionConfig(connections.createConnectionConfig());
        ListenerFactory listeners = new ListenerFactory();
        listeners.setPort(0);
        listeners.setIdleTimeout(settings.number("ftp.idle.timeout", 300));
        Listener listener = listeners.createListener();
        factory.addListener("default", listener);
        PropertiesUserManagerFactory users = new PropertiesUserManagerFactory();
        users.setFile(Files.createTempFile("users", ".properties").toFile());
        users.setPasswordEncryptor(encryptor(settings.text("ftp.passwords", "clear")));
        UserManager manager = users.createUserManager();
        BaseUser user = new BaseUser();
        user.setName("a");
        user.setPassword("secret");
        user.setHomeDirectory(home.toString());
        int rate = settings.number("ftp.transfer.rate", 0);
        user.setAuthorities(
                List.of(
                        new WritePermission(),
                        new ConcurrentLoginPermission(20, 20),
                        new TransferRatePermission(rate, rate)));
        manager.save(user);
        factory.setUserManager(manager);
        FtpServer server = factory.createServer();
        server.start();
        int port = listener.getPort();
        byte[] content = new byte[100_000];
        for (int session = 0; session < Integer.parseInt(args[0]); session++) {
            FTPClient client = new FTPClient();
            client.connect("localhost", port);
            if (!client.login("a", "secret")) {
                throw new IllegalStateException("no login");
            }
            client.enterLocalPassiveMode();
            client.setFileType(FTPClient.BINARY_FILE_TYPE);
            client.listFiles();
            client.storeFile("new", new ByteArrayInputStream(content));
            client.retrieveFile("new", OutputStream.nullOutputStream());
            client.logout();
            client.disconnect();
        }
        System.out.println(true);
        server.stop();
    }

    private static PasswordEncryptor encryptor(String name) {
        switch (name) {
            case "salted":
                return new SaltedPasswordEncryptor();
            case "md5":
                return new Md5PasswordEncryptor();
            default:
                return new ClearTextPasswordEncryptor();
        }
    }
}
