package servers;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.protocols.COMPRESS;
import org.jgroups.protocols.FRAG2;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;

/** Two members of a group, one of which tells the other what changed. */
public final class JGroupsApp {
    private static final int FIRST_PORT = 17_800;

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(Path.of("app.properties"));
        int messages = Integer.parseInt(args[0]);
        Counter counter = new Counter(messages);
        try (JChannel one = channel(settings, 0); JChannel other = channel(settings, 1)) {
            one.setDiscardOwnMessages(true);
            one.connect("changes");
            other.setReceiver(counter);
            other.connect("changes");
            byte[] large = text(settings.number("group.change.bytes", 12_000));
            byte[] small = text(200);
            for (int at = 0; at < messages; at++) {
                one.send(new BytesMessage(null, at % 4 == 0 ? large : small));
            }
            System.out.println(counter.done.await(5, TimeUnit.MINUTES));
        }
    }

    private static byte[] text(int length) {
        byte[] text = new byte[length];
        for (int at = 0; at < length; at++) {
            text[at] = (byte) ('a' + at * at % 23);
        }
        return text;
    }

    private static JChannel channel(Settings settings, int number) throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        TCP transport = new TCP();
        transport.setBindAddress(here);
        transport.setBindPort(FIRST_PORT + number);
        transport.setBundlerType(settings.text("group.bundler", "transfer-queue"));
        transport.getThreadPool().setMaxThreads(settings.number("group.threads.max", 50));
        TCPPING ping = new TCPPING();
        ping.setInitialHosts(
                List.of(new InetSocketAddress(here, FIRST_PORT), new InetSocketAddress(here, FIRST_PORT + 1)));
        NAKACK2 order = new NAKACK2();
        order.useMcastXmit(false);
        order.setXmitInterval(settings.number("group.resend.interval", 500));
        STABLE stable = new STABLE();
        stable.setMaxBytes(settings.number("group.stable.bytes", 4_000_000));
        stable.setDesiredAverageGossip(settings.number("group.stable.interval", 50_000));
        GMS members = new GMS();
        members.setJoinTimeout(settings.number("group.join.timeout", 1000));
        UFC one = new UFC();
        one.setMaxCredits(settings.number("group.credit.one", 2_000_000));
        MFC all = new MFC();
        all.setMaxCredits(settings.number("group.credit.all", 2_000_000));
        FRAG2 parts = new FRAG2();
        parts.setFragSize(settings.number("group.part.bytes", 30_000));
        COMPRESS packed = new COMPRESS();
        packed.setMinSize(settings.number("group.packed.least", 1_000_000));
        Protocol[] stack = {
            transport, ping, order, new UNICAST3(), stable, members, one, all, parts, packed,
        };
        return new JChannel(stack);
    }

    /** Counts what arrives. */
    private static final class Counter implements Receiver {
        final CountDownLatch done;

        Counter(int messages) {
            done = new CountDownLatch(messages);
        }

        @Override
        public void receive(Message message) {
            done.countDown();
        }
    }
}
