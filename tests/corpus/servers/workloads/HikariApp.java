package servers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A service that takes orders in, and answers questions about them with connections of a pool. */
public final class HikariApp {
    private static final int ORDERS = 20_000;
    private static final int CLIENTS = 4;
    private final HikariDataSource pool;
    private final int rows;
    private final boolean kept;

    HikariApp(HikariDataSource pool, int rows, boolean kept) {
        this.pool = pool;
        this.rows = rows;
        this.kept = kept;
    }

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        Path file = Files.createTempFile("orders", ".db");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + file + "?journal_mode=WAL&synchronous=OFF");
        config.setPoolName(settings.text("db.pool.name", "orders"));
        config.setMaximumPoolSize(settings.number("db.pool.size", 6));
        config.setMinimumIdle(settings.number("db.pool.idle", 1));
        config.setConnectionTimeout(settings.number("db.pool.wait", 60000));
        config.setValidationTimeout(settings.number("db.pool.validation", 5000));
        config.setLeakDetectionThreshold(settings.number("db.pool.leak", 0));
        config.setAutoCommit(settings.flag("db.commit.auto", true));
        config.setRegisterMbeans(settings.flag("db.pool.beans", false));
        config.setConnectionTestQuery(settings.text("db.pool.test", "select 1"));
        int requests = Integer.parseInt(args[0]);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            HikariApp app = new HikariApp(
                    pool, settings.number("db.commit.rows", 250), settings.flag("db.totals.kept", true));
            app.create();
            app.take();
            System.out.println(app.questions(requests));
        }
        Files.deleteIfExists(file);
    }

    private void create() throws SQLException {
        try (Connection connection = pool.getConnection(); var statement = connection.createStatement()) {
            statement.execute("create table orders (id integer primary key, customer int, amount int, note text)");
            statement.execute("create index customers on orders (customer)");
            statement.execute("create table totals (customer integer primary key, amount int)");
            statement.execute("insert into totals select 1, 0");
        }
    }

    private void take() throws SQLException {
        for (int from = 0; from < ORDERS; from += rows) {
            try (Connection connection = pool.getConnection();
                    PreparedStatement insert =
                            connection.prepareStatement("insert into orders values (?, ?, ?, ?)")) {
                connection.setAutoCommit(false);
                for (int row = from; row < Math.min(from + rows, ORDERS); row++) {
                    insert.setInt(1, row);
                    insert.setInt(2, row % 100);
                    insert.setInt(3, row * 7 % 1000);
                    insert.setString(4, "order number " + row);
                    insert.executeUpdate();
                }
                connection.commit();
            }
        }
    }

    private long questions(int requests) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        List<Future<Long>> answers = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int first = client;
            Callable<Long> work = () -> {
                long sum = 0;
                for (int request = first; request < requests; request += CLIENTS) {
                    sum += request % 150 == 0 ? report(request % 100) : amount(request * 31 % ORDERS);
                }
                return sum;
            };
            answers.add(clients.submit(work));
        }
        long sum = 0;
        for (Future<Long> answer : answers) {
            sum += answer.get();
        }
        clients.shutdown();
        return sum;
    }

    private long amount(int order) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("select amount from orders where id = ?")) {
            select.setInt(1, order);
            try (ResultSet rows = select.executeQuery()) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        }
    }

    /** A report that its reader takes some time to receive. */
    private long report(int customer) throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            long sum = 0;
            for (int part = 0; part < (kept ? 1 : 40); part++) {
                try (PreparedStatement select =
                        connection.prepareStatement("select id, amount, note from orders where customer = ?")) {
                    select.setInt(1, customer);
                    try (ResultSet rows = select.executeQuery()) {
                        while (rows.next()) {
                            sum += rows.getLong(2) + rows.getString(3).length();
                        }
                    }
                }
            }
            Thread.sleep(8);
            return sum;
        }
    }
}
