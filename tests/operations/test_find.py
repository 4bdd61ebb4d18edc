"""Which instructions are performance operations: by type, never by name."""

from __future__ import annotations

import pytest

from conflens.flow.code import Code
from conflens.models.schema import RECEIVER
from conflens.operations.find import Found
from flow.support import program
from operations.support import apis, body, every, operations, spec, texts


@pytest.mark.parametrize(
    ("code", "imports", "params", "wanted"),
    [
        # I/O is what streams, files, channels and sockets do.
        ("out.write(1);", "java.io.*", "OutputStream out", ["io OutputStream.write"]),
        ("in.read(); in.read(b); in.mark(1);", "java.io.*", "InputStream in, byte[] b", ["io InputStream.read", "io InputStream.read"]),
        ("list.add(1);", "java.util.*", "List<Integer> list", []),
        ("System.out.println(n);", "", "", ["log PrintStream.println"]),
        ("new FileInputStream(\"a\");", "java.io.*", "", ["io new FileInputStream"]),
        ("new File(\"a\").exists(); File f = new File(\"b\"); f.delete();", "java.io.*", "", ["io File.exists", "io File.delete"]),
        ("new java.net.URL(\"a\").openStream(); new ProcessBuilder(\"a\").start();", "", "", ["io URL.openStream", "io ProcessBuilder.start"]),
        ("f.exists(); f.getName();", "java.io.*", "File f", ["io File.exists"]),
        ("c.write(b); c.isOpen();", "java.nio.channels.* java.nio.*", "FileChannel c, ByteBuffer b", ["io FileChannel.write"]),
        ("java.nio.file.Files.delete(p);", "", "java.nio.file.Path p", ["io Files.delete"]),
        ("new Socket(); new Socket(\"h\", 1);", "java.net.*", "", ["io new Socket"]),
        ("s.executeQuery(\"x\");", "java.sql.*", "Statement s", ["io Statement.executeQuery"]),
        ("LOG.info(\"x\"); LOG.isInfoEnabled();", "org.slf4j.Logger", "Logger LOG", ["log Logger.info"]),
        # The same methods on memory are none.
        ("out.write(1);", "java.io.*", "ByteArrayOutputStream out", []),
        ("var w = new StringWriter(); w.write(\"x\");", "java.io.*", "", []),
        ("OutputStream out = new ByteArrayOutputStream(); out.write(1);", "java.io.*", "", []),
        ("DataOutputStream d = new DataOutputStream(new ByteArrayOutputStream()); d.writeInt(1);", "java.io.*", "", []),
        ("DataOutputStream d = new DataOutputStream(s); d.writeInt(1);", "java.io.*", "OutputStream s", ["io DataOutputStream.writeInt"]),
        ("PrintWriter p = new PrintWriter(new StringWriter()); p.println(); p.flush();", "java.io.*", "", []),
        ("new java.util.Scanner(\"a b\").next();", "", "", []),
        ("new java.util.Scanner(System.in).next();", "", "", ["io Scanner.next"]),
        ("OutputStream o = new ByteArrayOutputStream(); if (n > 1) o = f; o.write(1);", "java.io.*", "OutputStream f", ["io OutputStream.write"]),
        ("Runnable r = () -> w.println();", "java.io.*", "PrintWriter w", ["io PrintWriter.println"]),
        # Locks.
        ("synchronized (this) { n++; }", "", "", ["lock synchronized"]),
        ("wait(); wait(5); notifyAll();", "", "", ["lock Object.wait", "lock Object.wait", "lock Object.notifyAll"]),
        ("Thread.sleep(1);", "", "", ["lock Thread.sleep"]),
        ("q.put(1); q.poll(); q.poll(1, u); q.offer(2);", "java.util.concurrent.*", "BlockingQueue<Integer> q, TimeUnit u", ["lock BlockingQueue.put", "lock BlockingQueue.poll"]),
        ("l.lock(); l.unlock();", "java.util.concurrent.locks.*", "ReentrantLock l", ["lock ReentrantLock.lock", "lock ReentrantLock.unlock"]),
        ("f.get(); m.get(1);", "java.util.*", "java.util.concurrent.Future<?> f, Map<Integer, String> m", ["lock Future.get"]),
        # Threads.
        ("new Thread(r).start();", "", "Runnable r", ["thread new Thread", "thread Thread.start"]),
        ("new Thread() { public void run() { } };", "", "", ["thread new Thread"]),
        ("Executors.newFixedThreadPool(n).submit(r);", "java.util.concurrent.*", "Runnable r", ["thread Executors.newFixedThreadPool", "thread ExecutorService.submit"]),
        ("l.parallelStream(); l.stream();", "java.util.*", "List<String> l", ["thread List.parallelStream"]),
        ("r.run();", "", "Runnable r", []),
        # Memory: arrays, buffers and collections whose size is no constant.
        ("byte[] b = new byte[n];", "", "", ["memory new byte[]"]),
        ("byte[] b = new byte[10];", "", "", []),
        ("byte[] b = new byte[4 * 1024 + 1];", "", "", []),
        ("byte[] b = {1, 2};", "", "", []),
        ("int k = 16; byte[] b = new byte[k];", "", "", []),
        ("int k = 16; k = n; byte[] b = new byte[k];", "", "", ["memory new byte[]"]),
        ("int[][] b = new int[8][n];", "", "", ["memory new int[][]"]),
        ("Object o = new byte[Integer.SIZE];", "", "", []),
        ("new ArrayList<String>(n); new ArrayList<String>(c); new ArrayList<String>(10); new ArrayList<String>();", "java.util.*", "Collection<String> c", ["memory new ArrayList(int)"]),
        ("new BufferedInputStream(in, n); new BufferedInputStream(in);", "java.io.*", "InputStream in", ["memory new BufferedInputStream"]),
        ("ByteBuffer.allocateDirect(n); ByteBuffer.wrap(b);", "java.nio.*", "byte[] b", ["memory ByteBuffer.allocateDirect"]),
        # What says how much counts only when it is no constant.
        ("s.setSoTimeout(n); s.setSoTimeout(5); s.setTcpNoDelay(true); s.setTcpNoDelay(n > 1);", "java.net.*", "Socket s", ["io Socket.setSoTimeout", "io Socket.setTcpNoDelay"]),
        ("new CountDownLatch(1); new CountDownLatch(n);", "java.util.concurrent.*", "", ["lock new CountDownLatch(int)"]),
        # Computing.
        ("d.update(b); d.getAlgorithm();", "java.security.*", "MessageDigest d, byte[] b", ["compute MessageDigest.update"]),
        ("s.split(\",\"); s.substring(1);", "", "String s", ["compute String.split"]),
        ("l.sort(null); java.util.Arrays.sort(b);", "java.util.*", "List<String> l, int[] b", ["compute List.sort", "compute Arrays.sort"]),
        ("new GZIPOutputStream(o); new GZIPOutputStream(o, n); new GZIPOutputStream(o, 512);", "java.util.zip.* java.io.*", "OutputStream o", ["compute new GZIPOutputStream", "memory new GZIPOutputStream", "compute new GZIPOutputStream"]),
        # Method references are calls.
        ("l.forEach(System.out::println);", "java.util.*", "List<String> l", ["log PrintStream.println"]),
        ("f.map(Thread::new);", "java.util.*", "Optional<Runnable> f", ["thread new Thread"]),
        # Libraries, as far as their rows say what calls return.
        ("ctx.channel().writeAndFlush(n).sync();", "io.netty.channel.ChannelHandlerContext", "ChannelHandlerContext ctx", ["io Channel.writeAndFlush", "lock ChannelFuture.sync"]),
        ("new NioEventLoopGroup(n);", "io.netty.channel.nio.NioEventLoopGroup", "", ["thread new NioEventLoopGroup"]),
        ("CacheBuilder.newBuilder().expireAfterWrite(1, u).maximumSize(n);", "com.google.common.cache.CacheBuilder", "java.util.concurrent.TimeUnit u", ["memory CacheBuilder.maximumSize"]),
        ("c.setMaximumPoolSize(n);", "com.zaxxer.hikari.HikariDataSource", "HikariDataSource c", ["thread HikariDataSource.setMaximumPoolSize"]),
        ("r.getWriter().println(n); r.getOutputStream().write(n);", "javax.servlet.http.HttpServletResponse", "HttpServletResponse r", ["io PrintWriter.println", "io ServletOutputStream.write"]),
        ("new Daemon(r).start();", "org.apache.hadoop.util.Daemon", "Runnable r", ["thread new Daemon", "thread Daemon.start"]),
        # What is not known does not count.
        ("x.write(1); x.println(); x.lock();", "org.example.Thing", "Thing x", []),
    ],
)  # fmt: skip
def test_operations_of_a_body(code: str, imports: str, params: str, wanted: list[str]) -> None:
    assert apis(code, imports, params) == wanted


def test_a_project_class_with_a_library_name_is_not_the_library_class() -> None:
    mine = "class FileChannel { void write(byte[] b) {} void force(boolean x) {} }"
    use = "class A { void m(FileChannel c, byte[] b) { c.write(b); c.force(true); } }"
    assert texts(mine, use) == []


def test_a_stream_of_the_project_is_a_stream() -> None:
    mine = "import java.io.*; class Mine extends OutputStream { public void write(int b) {} }"
    use = "class A { void m(Mine out, Other o) throws Exception { out.write(1); o.write(2); } }"
    other = "class Other { void write(int b) {} }"
    assert texts(mine, use, other) == ["m: io OutputStream.write"]


def test_a_memory_stream_of_the_project_is_not_io() -> None:
    mine = "class Mine extends java.io.ByteArrayOutputStream { }"
    use = "class A { void m(Mine out) throws Exception { out.write(1); out.flush(); } }"
    assert texts(mine, use) == []


def test_a_final_field_shows_what_a_stream_wraps() -> None:
    source = """import java.io.*; class A {
        private final Writer a = new StringWriter(); private Writer b = new StringWriter();
        void m() throws IOException { a.write("x"); } void k() throws IOException { b.write("x"); } }"""
    assert texts(source) == ["k: io Writer.write"]


def test_inherited_methods_count_where_they_are_called_without_receiver() -> None:
    source = """class A extends Thread { public void run() { synchronized (this) { yield(); } }
        class B { void m() throws Exception { sleep(5); } } void go() { start(); } }"""
    assert texts(source) == [
        "run: lock synchronized",
        "run: lock Thread.yield",
        "m: lock Thread.sleep",
        "go: thread Thread.start",
    ]


def test_a_synchronized_method_is_an_operation_as_a_whole() -> None:
    (found,) = [found for _, found in every(program("class A { synchronized void m() { } }"))]
    assert found == Found(-1, "lock", "synchronized", None, False, False)


def test_subclasses_of_thread_are_threads_and_count_once() -> None:
    source = """class W extends Thread { W(String n) { super(n); } W() { this("a"); } }
        class A { void m() { new W(); } }"""
    assert texts(source) == ["m: thread new Thread"]


def test_a_pool_of_the_project_counts_where_it_calls_its_superclass() -> None:
    source = """import java.util.concurrent.*;
        class P extends ThreadPoolExecutor { P(int n) { super(n, n, 1, TimeUnit.SECONDS, null); } }
        class Q extends P { Q(int n) { super(n); } }
        class A { void m(int n) { new P(n); new Q(n); } }"""
    assert texts(source) == ["<init>: thread new ThreadPoolExecutor"]


def test_a_sized_superclass_has_its_size() -> None:
    source = (
        "class L extends java.util.ArrayList<String> { L(int n) { super(n); } L() { super(9); } }"
    )
    assert texts(source) == ["<init>: memory new ArrayList(int)"]


def test_statically_imported_calls() -> None:
    source = (
        "import static java.lang.Thread.sleep; class A { void m() throws Exception { sleep(1); } }"
    )
    assert texts(source) == ["m: lock Thread.sleep"]


def test_which_arguments_count() -> None:
    (array,) = body("int[][] b = new int[n][3];")
    assert (array.arguments, array.sized, array.pause) == (None, True, False)
    (buffer,) = body("new BufferedReader(r, n);", "java.io.*", "Reader r")
    assert (buffer.arguments, buffer.sized) == ((1,), True)
    (copy,) = body("Arrays.copyOfRange(b, n, n + 2);", "java.util.*", "byte[] b")
    assert (copy.arguments, copy.sized) == ((1, 2), True)
    (sleep,) = body("Thread.sleep(n);")
    assert (sleep.arguments, sleep.sized, sleep.pause) == (None, False, True)
    (write,) = body("o.write(b, 0, n);", "java.io.*", "OutputStream o, byte[] b")
    assert (write.arguments, write.sized, write.pause) == (None, False, False)


# --- sizes that other bodies decide


SIZES = """class Sizes { static final int FIXED = 1 << 4; static final int TWICE = 2 * FIXED;
    static final int SET = Integer.getInteger("size", 8); static int loose = 4; }
    interface More { int HELD = Sizes.TWICE; }"""


@pytest.mark.parametrize(
    ("size", "counts"),
    [("FIXED", False), ("TWICE", False), ("SET", True), ("loose", True)],
)
def test_a_constant_of_another_class_is_a_constant(size: str, counts: bool) -> None:
    use = f"class A {{ byte[] m() {{ return new byte[Sizes.{size} + 1]; }} }}"
    assert texts(use, SIZES) == (["m: memory new byte[]"] if counts else [])


def test_a_constant_of_an_interface_is_a_constant() -> None:
    assert texts("class A implements More { byte[] m() { return new byte[HELD]; } }", SIZES) == []


def test_an_edited_constant_is_evaluated_again() -> None:
    use = "class A { byte[] m() { return new byte[B.SIZE]; } }"
    before = program(use, "class B { static final int SIZE = 4; }")
    assert every(before) == []
    changed = program(use, 'class B { static final int SIZE = Integer.getInteger("s"); }')
    after = before.with_files({"B.java": changed.files["B.java"]})
    assert [found.api for _, found in every(after)] == ["new byte[]"]


# --- containers that are given what I/O has read


BLOCK = "class Block { final byte[] bytes; Block(byte[] bytes) { this.bytes = bytes; } }"
PLAIN = "class Plain { int number; }"


def test_adding_an_object_with_content_of_a_stream() -> None:
    use = """import java.io.*; import java.util.*; class A {
        void m(InputStream in, List<Block> blocks, List<Plain> plains) throws IOException {
            byte[] b = new byte[in.available()]; in.read(b); blocks.add(new Block(b)); plains.add(new Plain()); }
        void k(Map<String, Block> map, Block block) { map.put("a", block); map.get("a"); } }"""
    assert texts(use, BLOCK, PLAIN) == [
        "m: memory new byte[]",
        "m: io InputStream.read",
        "m: memory List.add",
        "k: memory Map.put",
    ]


def test_without_a_read_nothing_contains_stream_content() -> None:
    use = """import java.util.*; class A { void m(List<Block> blocks) {
        byte[] b = new byte[8]; blocks.add(new Block(b)); } }"""
    assert texts(use, BLOCK) == []


def test_content_that_a_method_returns_and_a_setter_stores() -> None:
    read = """class R { static byte[] load(java.nio.file.Path p) throws Exception {
        byte[] all = java.nio.file.Files.readAllBytes(p); return all; } }"""
    hold = "class H { byte[] kept; void set(byte[] b) { put(b); } private void put(byte[] b) { kept = b; } }"
    use = """class A { void m(java.util.Set<H> all, java.nio.file.Path p) throws Exception {
        H h = new H(); h.set(R.load(p)); all.add(h); } }"""
    assert texts(use, hold, read) == ["m: memory Set.add", "load: io Files.readAllBytes"]


def test_adding_the_array_itself() -> None:
    code = "in.readFully(b); q.add(b); byte[] c = new byte[9]; in.readFully(c); q.add(c);"
    found = apis(code, "java.io.* java.util.*", "DataInputStream in, Deque<byte[]> q, byte[] b")
    assert found == [
        "io DataInputStream.readFully",
        "memory Deque.add",
        "io DataInputStream.readFully",
    ]


def test_an_edit_that_makes_a_class_store_content_is_detected() -> None:
    use = "class A { void m(java.util.List<H> all, H h) { all.add(h); } }"
    quiet = "class B { void m(H h, java.io.InputStream in) throws Exception { } }"
    reads = "class B { void m(H h, java.io.InputStream in) throws Exception { in.read(h.kept); } }"
    hold = "class H { byte[] kept; }"
    before = program(use, quiet, hold)
    assert every(before) == []
    after = before.with_files({"B.java": program(use, reads, hold).files["B.java"]})
    assert [found.api for _, found in every(after)] == ["List.add", "InputStream.read"]


# --- declared operations


def test_a_declared_operation_of_a_new_kind() -> None:
    rows = spec(
        '[[operation]]\ncall = "org.example.Store.flush"\nkind = "cloud"\narguments = [0]\n'
        '[[operation]]\ncall = "java.io.PrintWriter.println"\nkind = "page"\n'
    )
    store = "package org.example; public class Store { public void flush(int n) {} }"
    sub = "package org.example; public class Mem extends Store { public void flush(int n) {} }"
    use = """package a; import org.example.*; class A { void m(Mem s, java.io.PrintWriter w) {
        s.flush(1); w.println("x"); w.print("y"); } void flush(int n) { flush(n); } }"""
    found = every(program(store, sub, use), rows)
    assert [(at, item.kind, item.api) for at, item in found] == [
        ("m", "cloud", "Store.flush"),
        ("m", "page", "PrintWriter.println"),
        ("m", "io", "PrintWriter.print"),
    ]
    assert [item.arguments for _, item in found] == [(0,), None, None]


def test_a_declared_constructor() -> None:
    rows = spec('[[operation]]\ncall = "org.example.Store.<init>"\nkind = "io"\n')
    store = "package org.example; public class Store { }"
    use = "package a; class A { void m() { new org.example.Store(); } }"
    assert texts(store, use, rows=rows) == ["m: io new Store"]


def test_a_body_is_examined_once_and_again_when_the_rows_change() -> None:
    made = program("class A { void m(java.io.File f) { f.exists(); f.getName(); } }")
    ref = next(made.ref("A.java", n) for n in range(1))
    code = Code(made, ref)
    ops = operations(made)
    first = ops.in_body(code)
    assert ops.in_body(Code(made, ref)) is first
    rows = spec('[[operation]]\ncall = "java.io.File.getName"\nkind = "io"\n')
    assert len(operations(made, rows).in_body(code)) == 2


# --- what runs because of a call


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("new Thread(r);", (0, ("run",))),
        ('new Thread(null, r, "name");', (1, ("run",))),
        ('new Thread(r, "name");', (0, ("run",))),
        ("t.start();", (RECEIVER, ("run",))),
        ("e.submit(r);", (0, ("run", "call"))),
        ("CompletableFuture.supplyAsync(s);", (0, ("get", "run", "apply", "accept"))),
        ("m.computeIfAbsent(1, k);", (1, ("apply",))),
    ],
)
def test_callbacks(code: str, wanted: tuple[int, tuple[str, ...]]) -> None:
    params = "Thread t, Runnable r, ExecutorService e, Supplier<String> s, Map<Integer, String> m, Function<Integer, String> k"
    made = program(
        "import java.util.*; import java.util.concurrent.*; import java.util.function.*;"
        f"class A {{ void m({params}) {{ {code} }} }}"
    )
    body_code = Code(made, made.ref("A.java", 0))
    rows = operations(made).rows
    found = [
        (row.argument, row.runs)
        for index in range(len(body_code.code))
        for row in rows.callbacks(body_code, index)
    ]
    assert found == [wanted]
