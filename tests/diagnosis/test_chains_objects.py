"""Objects that options configure: what they do is under the option although no value flows there."""

from __future__ import annotations

import pytest

from diagnosis.notation import told

DEFLATER = """
import java.util.zip.Deflater;
class Main {
  public static void main(String[] args) {
    int level = Integer.getInteger("level", 6);
    Deflater deflater = new Deflater(level);
    Deflater plain = new Deflater(1);
    prepare();
    deflater.deflate(new byte[10]); // @packed
    plain.deflate(new byte[10]); // @plain
  }
  static void prepare() {}
}
"""


@pytest.mark.parametrize(("line", "accused"), [("packed", ["level"]), ("plain", [])])
def test_the_work_of_a_configured_object_is_under_its_option(
    line: str, accused: list[str]
) -> None:
    """A level went into one of two compressors; the line tells which of them became slow."""
    other = {"packed": "plain", "plain": "packed"}[line]
    found = told(
        DEFLATER,
        f"""
        cpu
        Main.main; Main.prepare                              400 -> 400
        Main.main@{line}; java.util.zip.Deflater.deflate     300 -> 900
        Main.main@{other}; java.util.zip.Deflater.deflate    300 -> 300
        """,
    )
    assert found.likely == accused


POOLED = """
import java.util.ArrayDeque;
import java.util.zip.Deflater;
class Main {
  static final ArrayDeque<Deflater> FREE = new ArrayDeque<>();
  public static void main(String[] args) {
    FREE.add(new Deflater(Integer.getInteger("level", 6)));
    OTHER
    pack();
  }
  static void pack() {
    prepare();
    FREE.peek().deflate(new byte[10]);
  }
  static void prepare() {}
}
"""


@pytest.mark.parametrize(
    ("other", "accused"), [("", ["level"]), ("new Deflater(1).deflate(new byte[10]);", [])]
)
def test_objects_from_a_pool_are_configured_if_all_of_their_class_are(
    other: str, accused: list[str]
) -> None:
    found = told(
        POOLED.replace("OTHER", other),
        """
        cpu
        Main.main; Main.pack; Main.prepare                        400 -> 400
        Main.main; Main.pack; java.util.zip.Deflater.deflate      300 -> 900
        """,
    )
    assert found.likely == accused


BUFFERED = """
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
class Main {
  static class Journal {
    private final BufferedOutputStream out;
    Journal() throws Exception {
      out = new BufferedOutputStream(new FileOutputStream("j"), Integer.getInteger("buffer", 8192));
    }
    void append(byte[] entry) throws Exception {
      sum(entry);
      out.write(entry);
    }
    void sum(byte[] entry) {}
  }
  public static void main(String[] args) throws Exception {
    new Journal().append(new byte[100]);
  }
}
"""


def test_writes_of_a_stream_in_a_field_are_under_its_buffer_size() -> None:
    found = told(
        BUFFERED,
        """
        cpu
        Main.main; Main$Journal.append; Main$Journal.sum                       400 -> 400
        Main.main; Main$Journal.append; java.io.BufferedOutputStream.write     100 -> 700
        """,
    )
    assert found.likely == ["buffer"]
    assert (
        told(
            BUFFERED,
            """
        cpu
        Main.main; Main$Journal.append; Main$Journal.sum                       400 -> 900
        Main.main; Main$Journal.append; java.io.BufferedOutputStream.write     100 -> 100
        """,
        ).likely
        == []
    )


KEEPER = """
class Main {
  static class Index {
    private final int[] places;
    Index(int width) { places = new int[width]; }
    void find() { if (places[0] == 0) step(); }
    void step() {}
  }
  static class Plain { void find() { step(); } void step() {} }
  public static void main(String[] args) {
    Index index = new Index(Integer.getInteger("width", 8));
    Plain plain = new Plain();
    load();
    index.find();
    plain.find();
  }
  static void load() {}
}
"""


@pytest.mark.parametrize(("grown", "accused"), [("Index", ["width"]), ("Plain", [])])
def test_a_project_class_given_a_value_works_under_its_option(
    grown: str, accused: list[str]
) -> None:
    other = {"Index": "Plain", "Plain": "Index"}[grown]
    found = told(
        KEEPER,
        f"""
        cpu
        Main.main; Main.load                                 400 -> 400
        Main.main; Main${grown}.find; Main${grown}.step      300 -> 900
        Main.main; Main${other}.find; Main${other}.step      300 -> 300
        """,
    )
    assert found.likely == accused


CACHE = """
class Main {
  static class Cache {
    private final int size;
    Cache(int size) { this.size = size; }
    String get(String key) { return key.length() < size ? key : null; }
  }
  private final Cache cache = new Cache(Integer.getInteger("cache", 100));
  public static void main(String[] args) { new Main().look("a"); }
  String look(String key) {
    parse(key);
    String found = cache.get(key);
    if (found == null) {
      found = load(key);
    }
    return found;
  }
  void parse(String key) {}
  String load(String key) { return key; }
}
"""


def test_work_done_on_a_cache_miss_is_under_the_cache_size() -> None:
    found = told(
        CACHE,
        """
        cpu
        Main.main; Main.look; Main.parse     400 -> 400
        Main.main; Main.look; Main.load      100 -> 900
        """,
    )
    assert found.likely == ["cache"]
    assert (
        told(
            CACHE,
            """
        cpu
        Main.main; Main.look; Main.parse     400 -> 900
        Main.main; Main.look; Main.load      100 -> 100
        """,
        ).likely
        == []
    )
