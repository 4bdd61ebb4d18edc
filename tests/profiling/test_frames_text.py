"""Names of frames as profilers write them."""

import pytest

from conflens.profiling.frames_text import is_class, parse_frame
from profiling.support import shown

NAMES = {
    # async-profiler's styles
    "java/util/Map$Entry.get": "java.util.Map$Entry.get",
    "java.util.Map$Entry.get": "java.util.Map$Entry.get",
    "Map$Entry.get": "Map$Entry.get",
    "pkg/Cls.<init>": "pkg.Cls.<init>",
    "pkg/Cls.<clinit>_[0]": "pkg.Cls.<clinit>",
    "Hot.main": "Hot.main",
    "a/B.m(ILjava/lang/String;[J)V": "a.B.m(ILjava/lang/String;[J)V",
    # ... which writes a bar for the semicolon that separates frames
    "a/B.m(ILjava/lang/String|[[Ljava/util/Map$Entry|)[I_[j]": (
        "a.B.m(ILjava/lang/String;[[Ljava/util/Map$Entry;)[I"
    ),
    "a.B.m()V_[i]": "a.B.m()V",
    "a/B.m:123_[1]": "a.B.m:123",
    "a/B.m:123": "a.B.m:123",
    "a/B.m@17_[i]": "a.B.m",
    "demo/Hot.lambda$main$0:56_[j]": "demo.Hot.lambda$main$0:56",
    "java.lang.Object.clone_[j]": "java.lang.Object.clone",
    "kotlin/Foo.bar-impl": "kotlin.Foo.bar-impl",
    "a/Größe.länge": "a.Größe.länge",
    # modules and loaders in front
    "java.base/java.lang.Thread.run": "java.lang.Thread.run",
    "app//com.example.Main.main": "com.example.Main.main",
    # perf-map-agent
    "Lorg/mozilla/Foo:.call_[j]": "org.mozilla.Foo.call",
    "Ljava/lang/Thread;::run_[j]": "java.lang.Thread.run",
    "io/netty/NioEventLoop:.<init>_[j]": "io.netty.NioEventLoop.<init>",
    # hidden classes
    "a/B$$InjectedInvoker.0x00007f54cc000a08.reflect": "a.B$$InjectedInvoker.reflect",
    "java/lang/invoke/BoundMethodHandle$Species_LL.make": (
        "java.lang.invoke.BoundMethodHandle$Species_LL.make"
    ),
    # what is not Java
    "libjvm.so`JavaThread::run": "native libjvm.so`JavaThread::run",
    "JavaThread::run": "native JavaThread::run",
    "thread_native_entry(Thread*)": "native thread_native_entry(Thread*)",
    "std::vector<int, foo>::at(unsigned long) const": (
        "native std::vector<int, foo>::at(unsigned long) const"
    ),
    "__memset_avx512_unaligned_erms": "native __memset_avx512_unaligned_erms",
    "__new_sem_wait_slow64.constprop.0": "native __new_sem_wait_slow64.constprop.0",
    "do_work.cold": "native do_work.cold",
    "/usr/lib/libz.so.1.2.13": "native /usr/lib/libz.so.1.2.13",
    "libc.so.6": "native libc.so.6",
    "Java_java_util_zip_Deflater_init": "native Java_java_util_zip_Deflater_init",
    "do_syscall_64_[k]": "kernel do_syscall_64",
    "call_stub_[j]": "native call_stub",
    # bracketed
    "[pool-1-thread-12 tid=4711]": "thread pool-*-thread-*",
    "[C2 CompilerThre tid=10747]": "thread C* CompilerThre",
    "[GC Thread#0 tid=1]": "thread GC Thread#*",
    "[tid=10961]": "thread (no name)",
    "[no_Java_frame]": "opaque no_Java_frame",
    "[unknown_Java]": "opaque unknown_Java",
    "[break_stack_range]": "opaque break_stack_range",
    "[c2_comp]": "opaque c2_comp",
    "": "opaque not named",
    # no frames at all
    "[CPU-3]": None,
    "[SCHED_OTHER]": None,
    "demo/app/Hot$$Lambda$1.0x00007f5f9c000a08.call_[0]": None,
    "Hot$$Lambda$88+0x00007fd104007a08/266272063.run": None,
    "demo/app/Hot$$Lambda.0x00007f5f9c000a08.call": None,
    "demo.app.Hot$$Lambda$1.call": None,
    "Hot$$Lambda$14/1234567.run": None,
    "java/lang/invoke/LambdaForm$MH.0x00007f54cc000a08.invoke": None,
}


@pytest.mark.parametrize("name", NAMES)
def test_name(name: str) -> None:
    frame = parse_frame(name)
    assert (None if frame is None else shown(frame)) == NAMES[name]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("byte[]_[i]", True),
        ("byte[][]", True),
        ("java.lang.String_[k]", True),
        ("java.lang.Object[]_[i]", True),
        ("demo.app.Hot$Node", True),
        ("demo.app.Hot$$Lambda$2.0x00007feebc001440_[i]", True),
        ("String_[i]", True),
        ("java/lang/String.hashCode_[i]", False),
        ("java.lang.StringBuilder.append_[i]", False),
        ("java.lang.String.<init>", False),
        ("a/B.M", False),
        ("__memcpy", False),
        ("java.lang.String.hashCode_[j]", False),
    ],
)
def test_a_class_at_the_end_of_a_stack(name: str, expected: bool) -> None:
    assert is_class(name.encode()) is expected


def test_an_endless_name_is_shortened() -> None:
    frame = parse_frame("a/B." + "x" * 1_000_000)
    assert frame is not None
    assert len(frame.method) < 3_000
