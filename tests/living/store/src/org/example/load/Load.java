package org.example.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.example.store.Document;
import org.example.store.Service;
import org.example.store.Settings;

/**
 * A fixed amount of work for a service, and the proof that it was done.
 *
 * <p>The same documents, requests and order in every run; what a run finds at its end depends on neither
 * timing nor settings.
 */
public final class Load {

    private static final int DOCUMENTS = 6000;
    private static final int TAGS = 40;
    private static final int TOGETHER = 25;
    private static final String[] WORDS =
            ("amber basin cedar delta ember flint grove harbor inlet jetty kiln ledge meadow nectar orchard "
                            + "prairie quarry ridge summit timber upland valley willow yarrow zephyr anchor beacon canyon")
                    .split(" ");

    private final Service service;
    private final int rounds;
    private final Random random = new Random(20);
    private final int[] visits = new int[DOCUMENTS];
    private final int[] tagged = new int[TAGS];

    private Load(Service service, int rounds) {
        this.service = service;
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 40;
        Service service = new Service(Settings.load(), new RemoteArchive(Path.of("archive")));
        try {
            System.out.println(new Load(service, rounds).run());
        } finally {
            service.close();
        }
    }

    private String run() throws Exception {
        Path dump = Path.of("dump.dat");
        fill();
        for (int round = 0; round < rounds; round++) {
            visit(500);
            read(7000);
            if (round % 4 == 0) {
                search();
            }
            if (round % 3 == 2) {
                service.dump(dump);
            }
        }
        return count() + ", " + Long.toHexString(service.dump(dump));
    }

    private void fill() throws Exception {
        List<Future<?>> answers = new ArrayList<>();
        for (int id = 0; id < DOCUMENTS; id++) {
            Document document = document(id);
            answers.add(service.submit(store -> {
                store.put(document);
                return null;
            }));
        }
        await(answers);
    }

    private Document document(int id) {
        SortedMap<String, String> fields = new TreeMap<>();
        for (int field = 0; field < 10; field++) {
            fields.put("part" + field, words(14));
        }
        fields.put("visits", "0");
        String tag = "t" + random.nextInt(TAGS);
        tagged[Integer.parseInt(tag.substring(1))]++;
        return new Document(id, 1, List.of(tag, "all"), fields, List.of());
    }

    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
        }
        return text.toString();
    }

    /** Counts visits of documents: most of them of few documents. */
    private void visit(int count) throws Exception {
        List<Future<?>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = popular();
            visits[id]++;
            answers.add(service.submit(store -> store.update(id, "visits", old -> "" + (Integer.parseInt(old) + 1))));
        }
        await(answers);
    }

    /** Reads documents, some with each request, and looks for the visits that were counted. */
    private void read(int count) throws Exception {
        List<List<Integer>> asked = new ArrayList<>();
        List<Future<List<Document>>> answers = new ArrayList<>();
        for (int i = 0; i < count; i += TOGETHER) {
            List<Integer> ids = new ArrayList<>();
            for (int j = 0; j < TOGETHER; j++) {
                ids.add(popular());
            }
            asked.add(ids);
            answers.add(service.submit(store -> {
                List<Document> documents = new ArrayList<>();
                for (int id : ids) {
                    documents.add(store.get(id));
                }
                return documents;
            }));
        }
        for (int i = 0; i < answers.size(); i++) {
            List<Document> documents = answers.get(i).get();
            for (int j = 0; j < documents.size(); j++) {
                String counted = documents.get(j).field("visits");
                check(counted.equals("" + visits[asked.get(i).get(j)]), "a visit was lost");
            }
        }
    }

    private int popular() {
        double share = random.nextDouble();
        return (int) (DOCUMENTS * share * share);
    }

    private void search() throws Exception {
        int tag = random.nextInt(TAGS);
        List<Long> found = service.submit(store -> store.find("t" + tag)).get();
        check(found.size() == tagged[tag], "found " + found.size() + " instead of " + tagged[tag]);
        for (Future<Document> answer : request(found.subList(0, Math.min(10, found.size())))) {
            check(answer.get().hasTag("t" + tag), "not tagged");
        }
    }

    private List<Future<Document>> request(List<Long> ids) throws Exception {
        List<Future<Document>> answers = new ArrayList<>();
        for (long id : ids) {
            answers.add(service.submit(store -> store.get(id)));
        }
        return answers;
    }

    private String count() {
        int documents = 0;
        int visited = 0;
        Iterator<Document> all = service.cursor();
        while (all.hasNext()) {
            Document document = all.next();
            check(document.id() == documents, "document " + documents + " is missing");
            visited += Integer.parseInt(document.field("visits"));
            documents++;
        }
        check(documents == DOCUMENTS, documents + " documents");
        return documents + " documents, " + visited + " visits";
    }

    private static void await(List<Future<?>> answers) throws Exception {
        for (Future<?> answer : answers) {
            answer.get();
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
