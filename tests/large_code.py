"""Java programs that repeat one construct ``n`` times: what generators write, and what makes squares of loops.

Each shape returns the files of a program.  ``tests/session/test_growth.py`` counts the steps of their analysis,
``python -m bench.growth`` measures its time.
"""

from __future__ import annotations

from collections.abc import Callable

Files = dict[str, str]

_CLASS = """package p;
import java.util.*;
class Big {{
{fields}
  void run({params}) throws Exception {{
    int value = Integer.getInteger("big.value", 7);
{body}
  }}
{methods}
}}
"""


def _big(body: str, fields: str = "", methods: str = "", params: str = "") -> Files:
    return {
        "p/Big.java": _CLASS.format(body=body, fields=fields, methods=methods, params=params),
    }


def _lines(n: int, text: str) -> str:
    return "\n".join(text.replace("#", str(number)) for number in range(n))


def else_ifs(n: int) -> Files:
    """Compare an option with many values."""
    tests = " else ".join(
        f"if (value == {number}) {{ Thread.sleep({number}); }}" for number in range(n)
    )
    return _big(tests)


def ifs_with_else(n: int) -> Files:
    """Test an option again and again."""
    return _big(
        _lines(n, 'if (value > #) { Thread.sleep(#); } else { new java.io.File("#").delete(); }')
    )


def dispatch(n: int) -> Files:
    """Tell options by comparing a key, one branch each."""
    branches = " else ".join(
        f'if (key.equals("big.key{number}")) {{ f{number} = Integer.parseInt(text); }}'
        for number in range(n)
    )
    load = (
        "  void load(Properties properties) {\n    for (Map.Entry<Object, Object> entry : properties.entrySet()) {\n"
        "      String key = entry.getKey().toString();\n      String text = entry.getValue().toString();\n"
        f"      {branches}\n    }}\n  }}"
    )
    uses = _lines(n, "    Thread.sleep(f#);")
    return _big(uses, _lines(n, "  int f#;"), load)


def switch_dispatch(n: int) -> Files:
    """Tell options by a switch over a key."""
    cases = "\n".join(
        f'        case "big.key{number}": f{number} = Integer.parseInt(text); break;'
        for number in range(n)
    )
    load = (
        "  void load(Properties properties) {\n    for (String key : properties.stringPropertyNames()) {\n"
        f"      String text = properties.getProperty(key);\n      switch (key) {{\n{cases}\n      }}\n    }}\n  }}"
    )
    return _big(_lines(n, "    Thread.sleep(f#);"), _lines(n, "  int f#;"), load)


def derived_fields(n: int) -> Files:
    """Derive each constant from the one before, and allocate arrays of the last."""
    fields = "  static final int C0 = 1;\n" + "\n".join(
        f"  static final int C{number} = C{number - 1} + 1;" for number in range(1, n)
    )
    arrays = _lines(n, "    byte[] b# = new byte[C#];")
    return _big(f"    if (value > 3) {{\n{arrays}\n    }}", fields)


def derived_locals(n: int) -> Files:
    """Derive each local from the one before, twice."""
    locals_ = "    int c0 = 1;\n" + "\n".join(
        f"    int c{number} = c{number - 1} + c{number - 1};\n    byte[] b{number} = new byte[c{number}];"
        for number in range(1, n)
    )
    return _big(f"    if (value > 3) {{\n{locals_}\n    }}")


def sums_of_locals(n: int) -> Files:
    """Allocate an array of the sum of many locals, again and again."""
    locals_ = _lines(n, "    int c# = #; byte[] b# = new byte[c# + c# + c# + c#];")
    return _big(f"    if (value > 3) {{\n{locals_}\n    }}")


def appends(n: int) -> Files:
    """Append an option to one builder again and again."""
    return _big(
        "    StringBuilder builder = new StringBuilder();\n"
        + _lines(n, '    builder.append(value).append(" #");')
        + "\n    Thread.sleep(builder.length());"
    )


def chained_appends(n: int) -> Files:
    """Append in one expression."""
    chain = "".join(f".append({number}).append(value)" for number in range(n))
    return _big(
        f"    String text = new StringBuilder(){chain}.toString();\n    Thread.sleep(text.length());"
    )


def additions(n: int) -> Files:
    """Add a list of items of which some are an option."""
    return _big(
        "    List<Integer> list = new ArrayList<>();\n"
        + _lines(n, "    list.add(value);")
        + "\n    for (int item : list) { Thread.sleep(item); }"
    )


def entries(n: int) -> Files:
    """Put an option into the cells of a map, and take it from there."""
    return _big(
        "    Map<String, Integer> map = new HashMap<>();\n"
        + _lines(n, '    map.put("k#", value);')
        + "\n"
        + _lines(n, '    Thread.sleep(map.get("k#"));')
    )


def overwritten(n: int) -> Files:
    """Overwrite one cell of a map again and again."""
    return _big(
        '    Map<String, Integer> map = new HashMap<>();\n    map.put("k", value);\n'
        + _lines(n, '    map.put("k", #); Thread.sleep(map.get("k"));')
    )


def comparisons(n: int) -> Files:
    """Compare an option with other variables."""
    return _big(_lines(n, "    if (value < limit + #) { Thread.sleep(1); }"), params="int limit")


def null_tests(n: int) -> Files:
    """Give each option its default by a test for null."""
    return _big(
        _lines(
            n,
            '    String s# = System.getProperty("big.s#"); if (s# == null) { s# = "5"; } Thread.sleep(Long.parseLong(s#));',
        )
    )


def overloads(n: int) -> Files:
    """Call a method of which there are many overloads."""
    types = _lines(
        n,
        "  static class T# { }\n  void take(T# item, int millis) throws Exception { Thread.sleep(millis); }",
    )
    return _big(_lines(n, "    take(new T#(), value);"), types)


def fields_of_one_body(n: int) -> Files:
    """Read many options into fields in one constructor."""
    return _big(
        _lines(n, "    Thread.sleep(f#);"),
        _lines(n, "  int f#;"),
        "  Big() {\n" + _lines(n, '    f# = Integer.getInteger("big.f#", #);') + "\n  }",
    )


def checked_fields(n: int) -> Files:
    """Read many options into fields in one constructor, and reject some of their values."""
    return _big(
        _lines(n, "    Thread.sleep(f#);"),
        _lines(n, "  int f#;"),
        "  Big() {\n"
        + _lines(
            n,
            '    f# = Integer.getInteger("big.f#", #); if (f# < 1) { throw new IllegalArgumentException("f#"); }',
        )
        + "\n  }",
    )


def loops(n: int) -> Files:
    """Loop by an option again and again."""
    return _big(_lines(n, "    for (int i# = 0; i# < value; i#++) { Thread.sleep(i#); }"))


def lambdas(n: int) -> Files:
    """Capture an option in many lambdas."""
    return _big(
        "    java.util.concurrent.ExecutorService pool = java.util.concurrent.Executors.newFixedThreadPool(2);\n"
        + _lines(
            n,
            "    pool.submit(() -> { try { Thread.sleep(value + #); } catch (Exception e#) { } });",
        )
    )


def tries(n: int) -> Files:
    """Sleep by an option in many try statements."""
    return _big(
        _lines(n, "    try { Thread.sleep(value); } catch (InterruptedException e#) { return; }")
    )


def exits(n: int) -> Files:
    """Leave a method in many places."""
    return _big(_lines(n, "    if (value == #) { return; }") + "\n    Thread.sleep(1);")


def jumps(n: int) -> Files:
    """Leave a loop in many places."""
    return _big(
        "    for (;;) {\n"
        + _lines(n, "    if (value == #) { break; }")
        + "\n    Thread.sleep(1); }"
    )


def additions_of_text(n: int) -> Files:
    """Join many texts and an option in one expression."""
    return _big(
        "    String text = value"
        + "".join(f' + " {k}" + value' for k in range(n))
        + ";\n    Thread.sleep(text.length());"
    )


def stores(n: int) -> Files:
    """Assign one local again and again."""
    return _big("    int sum = 0;\n" + _lines(n, "    sum = sum + value; Thread.sleep(sum);"))


def aliases(n: int) -> Files:
    """Copy an option from local to local."""
    copies = "    int a0 = value;\n" + "\n".join(f"    int a{k} = a{k - 1};" for k in range(1, n))
    return _big(copies + f"\n    Thread.sleep(a{n - 1});")


def callers(n: int) -> Files:
    """Pass an option to one method from many places."""
    return _big(
        _lines(n, "    pause(value);"),
        methods="  void pause(int millis) throws Exception { Thread.sleep(millis); }",
    )


def call_chain(n: int) -> Files:
    """Pass an option down a chain of methods."""
    chain = "\n".join(
        f"  void m{k}(int millis) throws Exception {{ m{k + 1}(millis); }}" for k in range(n)
    )
    end = f"\n  void m{n}(int millis) throws Exception {{ Thread.sleep(millis); }}"
    return _big("    m0(value);", methods=chain + end)


def accessors(n: int) -> Files:
    """Keep options in fields with getters and setters."""
    methods = _lines(
        n,
        "  int getF#() { return f#; }\n  void setF#(int f#) { this.f# = f#; }",
    )
    return _big(
        _lines(n, '    setF#(Integer.getInteger("big.f#", 3)); Thread.sleep(getF#());'),
        _lines(n, "  private int f#;"),
        methods,
    )


def named_fields(n: int) -> Files:
    """Give a field of one name to many classes."""
    text = """package p;
public class C# {
  int size; String name; private int count;
  C#() { size = Integer.getInteger("c#.size", 10); this.name = System.getProperty("c#.name"); count = size; }
  void run() throws Exception { for (int i = 0; i < size; i++) { Thread.sleep(size + count); } }
  void load() { new java.io.File(this.name).delete(); }
}
"""
    return {f"p/C{number}.java": text.replace("#", str(number)) for number in range(n)}


def named_fields_of_one_file(n: int) -> Files:
    """Give a private field of one name to many classes of one file."""
    return _big(
        "    Thread.sleep(value);",
        _lines(
            n,
            '  static class T# { private int size = Integer.getInteger("t#.size", 1); void run() throws Exception { size++; Thread.sleep(size); } }',
        ),
    )


def subclasses(n: int) -> Files:
    """Override one method in many classes."""
    files = {
        f"p/S{k}.java": f'package p;\nclass S{k} extends Base {{ void work(int millis) throws Exception {{ Thread.sleep(millis + Integer.getInteger("s{k}.millis", 1)); }} }}\n'
        for k in range(n)
    }
    base = 'package p;\nabstract class Base { abstract void work(int millis) throws Exception; void run() throws Exception { work(Integer.getInteger("base.millis", 2)); } }\n'
    return {**files, "p/Base.java": base}


def enum_constants(n: int) -> Files:
    """Name options by the constants of an enum."""
    constants = ",\n".join(f'  K{k}("big.k{k}")' for k in range(n))
    enum = f"package p;\nenum Key {{\n{constants};\n  final String key;\n  Key(String key) {{ this.key = key; }}\n  int get() {{ return Integer.getInteger(key, 1); }}\n}}\n"
    return {**_big(_lines(n, "    Thread.sleep(Key.K#.get());")), "p/Key.java": enum}


def key_constants(n: int) -> Files:
    """Name options by constants, each of a prefix and a rest."""
    keys = (
        'package p;\nclass Keys {\n  static final String PREFIX = "big.";\n'
        + _lines(n, '  static final String K# = PREFIX + "k#";\n  static final int D# = #;')
        + "\n}\n"
    )
    return {
        **_big(_lines(n, "    Thread.sleep(Integer.getInteger(Keys.K#, Keys.D#));")),
        "p/Keys.java": keys,
    }


def bound_fields(n: int) -> Files:
    """Bind many keys to one class of properties."""
    fields = _lines(
        n,
        "  private int f# = 1;\n  public int getF#() { return f#; }\n  public void setF#(int f#) { this.f# = f#; }",
    )
    text = f'package p;\nimport org.springframework.boot.context.properties.ConfigurationProperties;\n@ConfigurationProperties("big")\npublic class Props {{\n{fields}\n}}\n'
    uses = _lines(n, "    Thread.sleep(props.getF#());")
    return {**_big(uses, params="Props props"), "p/Props.java": text}


def local_maps(n: int) -> Files:
    """Put into one local map each and look it up."""
    body = 'Map<String, String> config# = new HashMap<>(); config#.put("k", text); Integer.parseInt(config#.get("k"));'
    return _big(_lines(n, body), params="String text")


def field_map(n: int) -> Files:
    """Fill a map in one method, and look up each key in another."""
    gets = _lines(n, '    Integer.parseInt(config.get("k#"));')
    return _big(
        _lines(n, '    config.put("k#", text + #);'),
        fields="  Map<String, String> config = new HashMap<>();",
        methods=f"  void get() {{\n{gets}\n  }}",
        params="String text",
    )


def field_map_of_options(n: int) -> Files:
    """Put many options into one map, each under its key, and use each of them in another method."""
    uses = _lines(n, '    Thread.sleep(config.get("k#"));')
    return _big(
        _lines(n, '    config.put("k#", Integer.getInteger("big.k#", 1));'),
        fields="  Map<String, Integer> config = new HashMap<>();",
        methods=f"  void use() throws Exception {{\n{uses}\n  }}",
    )


def passed_map(n: int) -> Files:
    """Give a map to a method that puts much into it, again and again."""
    body = '    put(config, "k#", text); Integer.parseInt(config.get("k#"));'
    puts = _lines(n, "    to.put(key + #, value);")
    helper = f"  void put(Map<String, String> to, String key, String value) {{\n{puts}\n  }}"
    made = "    Map<String, String> config = new HashMap<>();\n"
    return _big(made + _lines(n, body), methods=helper, params="String text")


def puts_of_a_lambda(n: int) -> Files:
    """Fill a map in a lambda that is held in a local."""
    puts = _lines(n, "      map.put(k + #, v);")
    body = f"    Map<String, String> map = new HashMap<>();\n    java.util.function.BiConsumer<String, String> all = (k, v) -> {{\n{puts}\n    }};\n"
    return _big(body + '    System.getenv().forEach(all);\n    map.get("A_B");')


def reads_of_one_option(n: int) -> Files:
    """Read one option in many places."""
    return _big(_lines(n, '    System.getProperty("a.b");'))


def defined_options(n: int) -> Files:
    """Define many options of the command line in one method, and ask for each."""
    body = _lines(n, '    options.addOption("o#", "option#", true, "What option # is for");')
    asked = _lines(n, '    line.getOptionValue("option#");')
    text = (
        "package p;\nimport org.apache.commons.cli.*;\nclass Cli {\n  void run(String[] args) throws Exception {\n"
        f"    Options options = new Options();\n{body}\n"
        f"    CommandLine line = new DefaultParser().parse(options, args);\n{asked}\n  }}\n}}\n"
    )
    return {"p/Cli.java": text}


def options_of_builders(n: int) -> Files:
    """Define many options of the command line, each by a chain of calls."""
    body = _lines(
        n,
        '    options.addOption(Option.builder("o#").longOpt("option#").hasArg().desc("What # is for").build());',
    )
    text = f"package p;\nimport org.apache.commons.cli.*;\nclass Cli {{\n  void run(Options options) {{\n{body}\n  }}\n}}\n"
    return {"p/Cli.java": text}


def options_by_statements(n: int) -> Files:
    """Define many options of the command line, each by statements of a static builder."""
    body = _lines(
        n,
        '    OptionBuilder.withLongOpt("option#"); OptionBuilder.hasArg(); options.addOption(OptionBuilder.create("o#"));',
    )
    text = f"package p;\nimport org.apache.commons.cli.*;\nclass Cli {{\n  void run(Options options) {{\n{body}\n  }}\n}}\n"
    return {"p/Cli.java": text}


def argument_switch(n: int) -> Files:
    """Tell the arguments of the command line by a switch, each with a value."""
    cases = _lines(n, '      case "--o#": count = Integer.parseInt(args[++i]); break;')
    main = f"  public static void main(String[] args) throws Exception {{\n    int count = 0;\n    for (int i = 0; i < args.length; i++) {{\n      switch (args[i]) {{\n{cases}\n      }}\n    }}\n    Thread.sleep(count);\n  }}"
    return _big("", methods=main)


def other_defaults(n: int) -> Files:
    """Read each option again and again in one method, with another default each time."""
    reads = "".join(
        f'    if (value == {k}) {{ Integer.getInteger("big.k{k // 30}", {k % 30}); }}\n'
        for k in range(n)
    )
    return _big(reads)


def many_arguments(n: int) -> Files:
    """Pass many options to one method."""
    params = ", ".join(f"int a{k}" for k in range(n))
    args = ", ".join(f'Integer.getInteger("big.k{k}", 1)' for k in range(n))
    uses = _lines(n, "    Thread.sleep(a#);")
    return _big(
        f"    take({args});",
        methods=f"  void take({params}) throws Exception {{\n{uses}\n  }}",
    )


def nodes_of_nodes(n: int) -> Files:
    """Go down a tree of JSON again and again, in one local."""
    body = _lines(n, '    node = node.path("k#"); Thread.sleep(node.path("v").asInt());')
    text = f'package p;\nimport com.fasterxml.jackson.databind.*;\nclass Tree {{\n  void run() throws Exception {{\n    JsonNode node = new ObjectMapper().readTree(new java.io.File("conf.json"));\n{body}\n  }}\n}}\n'
    return {"p/Tree.java": text}


def assigned_to_itself(n: int) -> Files:
    """Assign a local to itself, and read a file that it names."""
    body = '    java.io.File file = new java.io.File("x");\n' + _lines(n, "    file = file;")
    return _big(
        body
        + '\n    Properties properties = new Properties(); properties.load(new java.io.FileReader(file)); Integer.parseInt(properties.getProperty("k"));'
    )


SHAPES: dict[str, Callable[[int], Files]] = {
    shape.__name__.replace("_", "-"): shape
    for shape in (
        else_ifs,
        ifs_with_else,
        dispatch,
        switch_dispatch,
        derived_fields,
        derived_locals,
        sums_of_locals,
        appends,
        chained_appends,
        additions,
        entries,
        overwritten,
        comparisons,
        null_tests,
        overloads,
        fields_of_one_body,
        checked_fields,
        loops,
        lambdas,
        tries,
        exits,
        jumps,
        additions_of_text,
        stores,
        aliases,
        callers,
        call_chain,
        accessors,
        named_fields,
        named_fields_of_one_file,
        subclasses,
        enum_constants,
        key_constants,
        bound_fields,
        local_maps,
        field_map,
        field_map_of_options,
        passed_map,
        puts_of_a_lambda,
        reads_of_one_option,
        defined_options,
        options_of_builders,
        options_by_statements,
        argument_switch,
        other_defaults,
        many_arguments,
        nodes_of_nodes,
        assigned_to_itself,
    )
}
