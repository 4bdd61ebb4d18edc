"""What is made and not used, and amounts that bound nothing, are no evidence."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.sensitivity.explain import Explainer
from conflens.sensitivity.features import Subject, features
from conflens.sensitivity.judge import Judge
from conflens.sensitivity.results import Evidence
from conflens.sensitivity.vocabulary import packaged
from conflens.session.analysis import Analysis
from sensitivity.programs import analysed, judged, near, option, reach, varied
from session.support import session

HEAD = """package p;
import java.util.*;
import java.util.concurrent.*;
"""
SIZE = 'Integer.getInteger("x", 4)'


def said(analysis: Analysis, name: str = "x") -> tuple[Evidence, str]:
    """What the option's strongest flow shows."""
    subject = Subject(option(analysis, name), reach(analysis, name))
    explainer = Explainer(packaged(), features(packaged()), near(analysis))
    telling = explainer.telling(subject)
    return explainer.shown(subject)[0], telling[0].reason.text if telling else ""


def of(source: str, *more: str) -> tuple[Evidence, str]:
    return said(analysed(HEAD + source, *(HEAD + text for text in more)))


# -- what is used ----------------------------------------------------------------------------------

MAIN = "class M { public static void main(String[] args) { new A().go(); } }"

USED = [
    f"ExecutorService e = Executors.newFixedThreadPool({SIZE}); void go() {{ e.execute(() -> go()); }}",
    f"void go() {{ ExecutorService e = Executors.newFixedThreadPool({SIZE}); e.submit(() -> go()); }}",
    f"void go() {{ run(Executors.newFixedThreadPool({SIZE})); }} void run(Executor e) {{ e.execute(this::go); }}",
    f"ExecutorService make() {{ return Executors.newFixedThreadPool({SIZE}); }} void go() {{ make().execute(this::go); }}",
    f"void go() {{ Other.given(Executors.newFixedThreadPool({SIZE})); }}",
    f"void go() {{ ExecutorService e = Executors.newFixedThreadPool({SIZE}); List<Object> l = new ArrayList<>(); l.add(e); }}",
    f"void go() {{ ExecutorService e = Executors.newFixedThreadPool({SIZE});"
    " new Object() { void f() { e.execute(null); } }; }",
    f"@Given ExecutorService make() {{ return Executors.newFixedThreadPool({SIZE}); }} void go() {{ }}",
]


@pytest.mark.parametrize("members", USED)
def test_a_pool_that_is_used_or_goes_where_nobody_follows_is_strong_evidence(members: str) -> None:
    assert of(f"class A {{ {members} }}", MAIN) == (Evidence.STRONG, "sizes a thread pool")


UNUSED = [
    f"ExecutorService e = Executors.newFixedThreadPool({SIZE}); void go() {{ }}",
    f"ExecutorService e = Executors.newFixedThreadPool({SIZE}); void go() {{ if (e != null) e.shutdown(); }}",
    f"void go() {{ ExecutorService e = Executors.newFixedThreadPool({SIZE}); e.shutdownNow(); }}",
    f"void go() {{ keep(Executors.newFixedThreadPool({SIZE})); }} ExecutorService k; void keep(ExecutorService e) {{ k = e; }}",
    f"ExecutorService make() {{ return Executors.newFixedThreadPool({SIZE}); }} void go() {{ ExecutorService e = make(); }}",
]


@pytest.mark.parametrize("members", UNUSED)
def test_a_pool_that_is_only_made_and_ended_is_no_evidence(members: str) -> None:
    found = of(f"class A {{ {members} }}", MAIN)
    assert found == (Evidence.NONE, "sizes a thread pool that nothing uses")


@pytest.mark.parametrize("members", UNUSED)
def test_others_may_use_what_a_library_keeps_or_returns(members: str) -> None:
    evidence = of(f"class A {{ {members} }}")[0]
    is_kept = not members.startswith("void go() { ExecutorService e")
    assert evidence is (Evidence.STRONG if is_kept else Evidence.NONE)


def test_a_setting_of_a_pool_that_is_not_used_is_no_evidence() -> None:
    made = "ThreadPoolExecutor e = new ThreadPoolExecutor(1, 9, 1L, TimeUnit.SECONDS, new ArrayBlockingQueue<>(9));"
    code = f"class A {{ void go() {{ {made} e.setCorePoolSize({SIZE}); %s }} }}"
    assert of(code % "", MAIN)[0] is Evidence.NONE
    assert of(code % "e.execute(this::go);", MAIN)[0] is Evidence.STRONG


REDISSON = "import org.redisson.Redisson; import org.redisson.config.*;"


@pytest.mark.parametrize(
    "code",
    [
        f"ClusterServersConfig s = c.useClusterServers(); s.setMasterConnectionPoolSize({SIZE});",
        f"c.useClusterServers().setMasterConnectionPoolSize({SIZE}).setPassword(null);",
        f"c.useClusterServers().setMasterConnectionPoolSize({SIZE});",
    ],
)
def test_a_setting_of_a_part_is_used_where_the_whole_is(code: str) -> None:
    members = f"void go() {{ Config c = new Config(); {code} Redisson.create(c); }}"
    assert of(f"{REDISSON} class A {{ {members} }}", MAIN)[0] is Evidence.STRONG


@pytest.mark.parametrize(
    ("given", "evidence"), [("getInstance()", Evidence.STRONG), ("create()", Evidence.NONE)]
)
def test_what_a_static_method_gives_is_new_if_it_is_named_so(
    given: str, evidence: Evidence
) -> None:
    http = "import org.apache.http.impl.client.HttpClientBuilder;"
    members = f"void go() {{ HttpClientBuilder.{given}.setMaxConnTotal({SIZE}); }}"
    assert of(f"{http} class A {{ {members} }}", MAIN)[0] is evidence


# -- code that nothing calls -----------------------------------------------------------------------

POOL = f"Executors.newFixedThreadPool({SIZE}).execute(null);"


@pytest.mark.parametrize(
    "members",
    [
        f"void go() {{ }} void never() {{ {POOL} }}",
        f"void go() {{ }} void never() {{ inner(); }} private void inner() {{ {POOL} never(); }}",
        f"void go() {{ }} static void f() {{ new B(); }} static class B {{ B() {{ {POOL} }} }}",
    ],
)
def test_code_that_nothing_calls_is_no_evidence(members: str) -> None:
    source = f"class A {{ {members} }}"
    called = "sizes a thread pool in code that nothing calls"
    assert of(source, MAIN) == (Evidence.NONE, called)
    assert of(source)[0] is Evidence.STRONG, "others may call a library"


@pytest.mark.parametrize(
    "members",
    [
        f"void go() {{ }} @Timed void tick() {{ {POOL} }}",
        f"void go() {{ }} void setPool(int n) {{ {POOL} }}",
        f"void go() {{ Runnable r = this::later; }} void later() {{ {POOL} }}",
        f"void go() {{ }} public String toString() {{ {POOL} return null; }}",
        f"void go() {{ }} static class B {{ B() {{ {POOL} }} }}",
        f"void go() {{ S s = new S(); s.work(); }} interface I {{ void work(); }} static class S implements I {{"
        f" public void work() {{ {POOL} }} }}",
    ],
)
def test_what_may_be_called_from_outside_is_called(members: str) -> None:
    assert of(f"class A {{ {members} }}", MAIN)[0] is Evidence.STRONG


CHAINS = [
    "".join(f"void m{n}() {{ m{n + 1}(); }} " for n in range(600)) + f"void m600() {{ {POOL} }}",
    "".join(f"class C{n} {{ C{n}() {{ new C{n + 1}(); }} }} " for n in range(600))
    + f"class C600 {{ C600() {{ {POOL} }} }}",
]


@pytest.mark.parametrize("members", CHAINS, ids=["methods", "constructors"])
def test_a_long_chain_of_calls_is_taken_for_called(members: str) -> None:
    assert of(f"class A {{ void go() {{ }} {members} }}", MAIN)[0] is Evidence.STRONG


def test_a_short_chain_that_nothing_begins_is_dead() -> None:
    members = "".join(f"void m{n}() {{ m{n + 1}(); }} " for n in range(90))
    source = f"class A {{ void go() {{ }} {members} void m90() {{ {POOL} }} }}"
    assert of(source, MAIN)[0] is Evidence.NONE


def test_calls_in_tests_do_not_count() -> None:
    files = {
        "src/main/java/A.java": f"{HEAD}class A {{ void go() {{ }} void never() {{ {POOL} }} }}",
        "src/main/java/M.java": HEAD + MAIN,
        "src/test/java/T.java": HEAD + "class T { void test() { new A().never(); } }",
    }
    assert said(session(MemorySystem(files)).scan())[0] is Evidence.NONE


# -- containers ------------------------------------------------------------------------------------

BEAN = f"class A {{ void go() {{ }} @Bean ExecutorService pool() {{ return Executors.newFixedThreadPool({SIZE}); }} }}"


@pytest.mark.parametrize(
    ("asking", "evidence"),
    [
        ("class B { }", Evidence.LIKELY),
        ("@Service class B { B(Executor e) { } }", Evidence.STRONG),
        ("class B { @Autowired List<ExecutorService> all; }", Evidence.STRONG),
        ('@Service class B { B(@Qualifier("pool") Executor e) { } }', Evidence.STRONG),
        ('@Service class B { B(@Qualifier("other") Executor e) { } }', Evidence.LIKELY),
        (
            '@Service class B { static final String N = "o"; B(@Qualifier(N) Executor e) { } }',
            Evidence.LIKELY,
        ),
        ("class B { void f(Executor e) { } }", Evidence.LIKELY),
    ],
)
def test_a_pool_that_a_container_hands_to_nobody_here_is_likely_at_most(
    asking: str, evidence: Evidence
) -> None:
    assert of(BEAN, MAIN, asking)[0] is evidence


# -- amounts that bound nothing --------------------------------------------------------------------


def executor(core: str, most: str, queue: str) -> str:
    made = f"new ThreadPoolExecutor({core}, {most}, 9L, TimeUnit.SECONDS, {queue})"
    return f"class A {{ void go() {{ {made}.execute(null); }} }}"


@pytest.mark.parametrize(
    ("source", "evidence"),
    [
        (executor(SIZE, "9", "new LinkedBlockingQueue<>()"), Evidence.STRONG),
        (executor("1", SIZE, "new LinkedBlockingQueue<>()"), Evidence.NONE),
        (executor("1", SIZE, "new LinkedBlockingQueue<>(7)"), Evidence.STRONG),
        (executor("1", SIZE, "new SynchronousQueue<>()"), Evidence.STRONG),
        (executor("1", SIZE, "given()"), Evidence.STRONG),
        (executor(SIZE, "9", "new SynchronousQueue<>()"), Evidence.LIKELY),
        (executor(SIZE, SIZE, "new LinkedBlockingQueue<>()"), Evidence.STRONG),
    ],
)
def test_the_queue_says_which_size_of_a_pool_counts(source: str, evidence: Evidence) -> None:
    assert of(source, MAIN)[0] is evidence


def test_the_argument_is_found_behind_a_method_that_gives_it() -> None:
    made = "new ThreadPoolExecutor(2, most(), 9L, TimeUnit.SECONDS, new LinkedBlockingQueue<>())"
    members = f"int most() {{ return {SIZE}; }} void go() {{ {made}.execute(null); }}"
    assert of(f"class A {{ {members} }}", MAIN)[0] is Evidence.NONE


def test_one_local_for_both_sizes_of_a_pool_sizes_it() -> None:
    made = "new ThreadPoolExecutor(n, n, 9L, TimeUnit.SECONDS, new LinkedBlockingQueue<>())"
    source = f"class A {{ void go() {{ int n = {SIZE}; {made}.execute(null); }} }}"
    assert of(source, MAIN) == (Evidence.STRONG, "sizes a thread pool")


SPRING = "import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;"


@pytest.mark.parametrize(
    ("settings", "evidence"),
    [
        ("", Evidence.NONE),
        ("e.setQueueCapacity(100);", Evidence.STRONG),
        ("o.setQueueCapacity(100);", Evidence.NONE),
    ],
)
def test_a_maximum_beside_an_unbounded_queue_bounds_nothing(
    settings: str, evidence: Evidence
) -> None:
    made = "ThreadPoolTaskExecutor e = new ThreadPoolTaskExecutor(), o = new ThreadPoolTaskExecutor();"
    source = f"class A {{ void go() {{ {made} e.setMaxPoolSize({SIZE}); {settings} e.execute(null); }} }}"
    assert of(SPRING + source, MAIN)[0] is evidence


NETTY = "import io.netty.bootstrap.ServerBootstrap; import io.netty.channel.nio.NioEventLoopGroup; import io.netty.channel.EventLoopGroup;"


@pytest.mark.parametrize(
    ("groups", "bind", "evidence"),
    [
        ("boss, work", "b.bind(1);", Evidence.NONE),
        ("work, boss", "b.bind(1);", Evidence.STRONG),
        ("boss", "b.bind(1);", Evidence.STRONG),
        ("boss, work", "for (int port : ports) { b.bind(port); }", Evidence.STRONG),
        ("boss, work", "b.bind(1); b.bind(2);", Evidence.STRONG),
    ],
)
def test_a_port_needs_one_thread_that_accepts(groups: str, bind: str, evidence: Evidence) -> None:
    members = (
        f"EventLoopGroup boss = new NioEventLoopGroup({SIZE}), work = new NioEventLoopGroup(3);"
        f" void go(int[] ports) {{ ServerBootstrap b = new ServerBootstrap(); b.group({groups}); {bind} }}"
        " void end() { boss.shutdownGracefully(); }"
    )
    main = "class M { public static void main(String[] args) { new A().go(null); } }"
    assert of(f"{NETTY} class A {{ {members} }}", main)[0] is evidence


@pytest.mark.parametrize(
    ("made", "evidence"),
    [
        ("new HashMap<String, String>(%s)", Evidence.LIKELY),
        ("new ArrayList<String>(%s)", Evidence.LIKELY),
        ("new StringBuilder(%s)", Evidence.NONE),
        (
            "com.github.benmanes.caffeine.cache.Caffeine.newBuilder().initialCapacity(%s).build()",
            Evidence.NONE,
        ),
    ],
)
def test_room_at_first_is_never_strong_evidence(made: str, evidence: Evidence) -> None:
    source = f"class A {{ Object go() {{ return {made % SIZE}; }} }}"
    assert of(source) == (evidence, "sets how much room is made at first")


@pytest.mark.parametrize(
    ("setter", "evidence"),
    [("setMaximumPoolSize", Evidence.STRONG), ("setMinimumIdle", Evidence.LIKELY)],
)
def test_a_least_number_is_likely_at_most(setter: str, evidence: Evidence) -> None:
    code = f"HikariDataSource d = new HikariDataSource(); d.{setter}({SIZE}); d.getConnection();"
    source = f"class A {{ void go() {{ {code} }} }}"
    assert of(f"import com.zaxxer.hikari.HikariDataSource; {source}", MAIN)[0] is evidence


# -- choices ---------------------------------------------------------------------------------------

FAST = 'Boolean.getBoolean("x")'
KINDS = ("new ForkJoinPool()", "Executors.newCachedThreadPool()")


@pytest.mark.parametrize(
    "code",
    [
        "A() { if (%s) { e = %s; } else { e = %s; } } ExecutorService e; void go() { e.execute(null); }",
        "ExecutorService e = %s ? %s : %s; void go() { e.execute(null); }",
        "A() { e = make(); } static ExecutorService make() { if (%s) return %s; return %s; } ExecutorService e;"
        " void go() { e.execute(null); }",
    ],
)
def test_an_option_that_chooses_between_kinds_of_a_pool_matters_though_it_does_so_at_start(
    code: str,
) -> None:
    found = of(f"class A {{ {code % (FAST, *KINDS)} }}", MAIN)
    assert found == (Evidence.LIKELY, "chooses between kinds of thread pools")


@pytest.mark.parametrize(
    "code",
    [
        "A() { if (%s) { e = %s; } } ExecutorService e;",
        "A() { if (%s) { e = %s; } else { e = null; } } ExecutorService e;",
        "A() { if (%s) { e = %s; } else { f = new ForkJoinPool(); } } ExecutorService e, f;",
    ],
)
def test_a_pool_that_there_is_or_is_not_is_no_choice(code: str) -> None:
    members = f"{code % (FAST, KINDS[1])} void go() {{ e.execute(null); }}"
    assert of(f"class A {{ {members} }}", MAIN)[0] is Evidence.NONE


def test_a_class_that_a_library_is_given_chooses_its_implementation() -> None:
    netty = "import io.netty.bootstrap.*; import io.netty.channel.epoll.*; import io.netty.channel.socket.nio.*;"
    code = f"b.channel({FAST} ? EpollServerSocketChannel.class : NioServerSocketChannel.class); b.bind(1);"
    source = f"class A {{ void go() {{ ServerBootstrap b = new ServerBootstrap(); {code} }} }}"
    found = of(f"{netty} {source}", MAIN)
    assert found == (Evidence.LIKELY, "chooses the implementation of the transport")


# -- edits -----------------------------------------------------------------------------------------


def test_a_use_elsewhere_changes_the_verdict() -> None:
    pool = f"class A {{ static ExecutorService e = Executors.newFixedThreadPool({SIZE}); void go() {{ }} }}"
    system = MemorySystem(
        {"src/A.java": HEAD + pool, "src/M.java": HEAD + MAIN, "src/B.java": HEAD + "class B { }"}
    )
    living = session(system)
    judge = Judge(varied(), packaged())
    key = option(living.scan(), "x").key
    before = judged(judge, living.rebuild()).of_option(key)
    assert before.evidence is Evidence.NONE
    system.write("src/B.java", HEAD + "class B { void f() { A.e.execute(null); } }")
    living.files_changed(["src/B.java"])
    analysis = living.rebuild()
    after = judged(judge, analysis).of_option(key)
    fresh = judged(Judge(varied(), packaged()), analysis).of_option(key)
    assert (after.evidence, after.label) == (fresh.evidence, fresh.label)
    assert after.evidence is Evidence.STRONG


@pytest.mark.parametrize(
    ("call", "evidence"),
    [
        ("tryAcquire(n, TimeUnit.SECONDS)", Evidence.LIKELY),
        ("tryAcquire(1, n, TimeUnit.SECONDS)", Evidence.LIKELY),
        ("tryAcquire(n, 1, TimeUnit.SECONDS)", Evidence.STRONG),
        ("acquire(n)", Evidence.STRONG),
    ],
)
def test_how_long_a_permit_is_waited_for_limits_nothing(call: str, evidence: Evidence) -> None:
    source = "class A { Semaphore s = new Semaphore(2); void go() throws Exception { int n = SIZE; s.CALL; } }"
    assert of(source.replace("SIZE", SIZE).replace("CALL", call), MAIN)[0] is evidence


def test_an_option_that_picks_the_size_of_a_cache_decides() -> None:
    source = (
        "class A { Map<String, String> m(int n) { return new LinkedHashMap<>() {"
        " protected boolean removeEldestEntry(Map.Entry<String, String> e) { return size() > n; } }; }"
        ' void go() { m(Boolean.getBoolean("x") ? 4000 : Integer.MAX_VALUE / n()); } int n() { return 2; } }'
    )
    analysis = analysed(HEAD + source, HEAD + MAIN)
    subject = Subject(option(analysis, "x"), reach(analysis, "x"))
    told = Explainer(packaged(), features(packaged()), near(analysis)).telling(subject)[0]
    assert (told.evidence, told.decides) == (Evidence.LIKELY, True)
    assert told.reason.text == "sizes a cache"
