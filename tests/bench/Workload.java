import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** Inserts, updates and queries on an embedded H2 for some seconds; what is profiled by the bench. */
public final class Workload {

    public static void main(String[] arguments) throws Exception {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000_000L;
        Thread[] clients = new Thread[3];
        try (Connection first = open(arguments[1])) {
            try (Statement statement = first.createStatement()) {
                statement.execute("create table item(id bigint auto_increment primary key, name varchar, price int)");
                statement.execute("create index by_name on item(name)");
            }
            for (int i = 0; i < clients.length; i++) {
                int seed = i;
                clients[i] = new Thread(() -> run(arguments[1], seed, end));
                clients[i].start();
            }
            for (Thread client : clients) {
                client.join();
            }
        }
    }

    private static Connection open(String folder) throws SQLException {
        return DriverManager.getConnection("jdbc:h2:" + folder + "/bench", "sa", "");
    }

    private static void run(String folder, int seed, long end) {
        Random random = new Random(seed);
        try (Connection connection = open(folder);
                PreparedStatement insert = connection.prepareStatement("insert into item(name, price) values(?, ?)");
                PreparedStatement update = connection.prepareStatement("update item set price = price + 1 where id = ?");
                PreparedStatement query = connection.prepareStatement(
                        "select name, sum(price) s from item where name like ? group by name order by s")) {
            connection.setAutoCommit(seed % 2 == 0);
            while (System.nanoTime() < end) {
                for (int i = 0; i < 50; i++) {
                    insert.setString(1, "item" + random.nextInt(5000));
                    insert.setInt(2, random.nextInt(100));
                    insert.executeUpdate();
                }
                update.setLong(1, random.nextInt(1000));
                update.executeUpdate();
                query.setString(1, "item" + random.nextInt(100) + "%");
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        rows.getInt(2);
                    }
                }
                connection.commit();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
