import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  badgeOf,
  children,
  filterText,
  highlights,
  isFiltered,
  lookOf,
  foundText,
  matches,
  mostSensitive,
  NO_FILTER,
  optionOf,
  optionsOf,
  shortValue,
  spoken,
  spokenGroup,
  tooltip,
  valueText,
  type FolderOptions,
  type Node,
  type Option,
  type Shape,
} from "../src/core/options.js";
import type { Label, OptionRow } from "../src/core/protocol.js";
import { Renewal } from "../src/core/renewal.js";
import { welcomeOf } from "../src/core/welcome.js";

const row: OptionRow = {
  domain: "properties",
  domainWords: "system property",
  name: "pool.size",
  namespace: "pool",
  label: "sensitive",
  probability: 0.9,
  sentence: "Performance-sensitive (90 %): it sizes a thread pool.",
  type: "int",
  default: "8",
  documented: true,
  undocumented: false,
  description: "How many threads work.",
  effect: "sizes 1 thread",
  reads: 2,
  location: {
    uri: "file:///w/src/Pool.java",
    range: { start: { line: 11, character: 8 }, end: { line: 11, character: 20 } },
  },
  file: "src/Pool.java",
};
const idle: OptionRow = {
  ...row,
  name: "pool.idle",
  probability: 0.6,
  undocumented: true,
  file: "src/Idle.java",
};
const hidden: OptionRow = {
  ...row,
  name: "log.level",
  namespace: "log",
  label: "insensitive",
  probability: 0.1,
};
const home: OptionRow = {
  ...row,
  domain: "environment",
  domainWords: "environment variable",
  name: "HOME",
  namespace: "",
  label: "unknown",
  probability: null,
  undocumented: true,
  file: "src/Idle.java",
};
const rows = [hidden, idle, home, row];
const shape: Shape = { grouping: "namespace", sorting: "sensitivity", filter: NO_FILTER };

function listed(options: readonly OptionRow[] = rows, folder = "file:///w"): FolderOptions {
  const [found] = optionsOf({ folders: [{ folder, name: "w", ready: true, options }] });
  assert.ok(found !== undefined);
  return found;
}

/** The whole tree as text, two blanks for each level. */
function drawn(folders: readonly FolderOptions[], how: Shape, node?: Node, indent = ""): string[] {
  return children(folders, how, node).flatMap((each) => [
    `${indent}${each.label} [${each.description}]`,
    ...drawn(folders, how, each, `${indent}  `),
  ]);
}

function only(change: Partial<OptionRow>): Option {
  const [option] = listed([{ ...row, ...change }]).options;
  assert.ok(option !== undefined);
  return option;
}

describe("what the server lists", () => {
  test("a whole row", () => {
    assert.deepEqual(only({}), row);
  });

  test("what is left out of a row is empty", () => {
    const bare = { domain: "d", domainWords: "D", name: "n", label: "unknown" } as const;
    assert.deepEqual(listed([bare]).options, [
      {
        ...bare,
        namespace: "",
        probability: null,
        sentence: "",
        type: "",
        default: "",
        documented: false,
        undocumented: false,
        description: "",
        effect: "",
        reads: 0,
        location: null,
        file: "",
      },
    ]);
  });
});

describe("the tree", () => {
  test("by namespace, the most sensitive first", () => {
    assert.deepEqual(drawn([listed()], shape), [
      "pool [2 of 2 sensitive]",
      "  pool.size [= 8]",
      "  pool.idle [= 8]",
      "log [1]",
      "  log.level [= 8]",
      "Environment variable [1]",
      "  HOME [= 8]",
    ]);
  });

  test("by namespace and name, what has no namespace last", () => {
    assert.deepEqual(drawn([listed()], { ...shape, sorting: "name" }), [
      "log [1]",
      "  log.level [= 8]",
      "pool [2 of 2 sensitive]",
      "  pool.idle [= 8]",
      "  pool.size [= 8]",
      "Environment variable [1]",
      "  HOME [= 8]",
    ]);
  });

  test("by file", () => {
    const other = { ...row, name: "x", file: "", location: null };
    assert.deepEqual(
      drawn([listed([...rows, other])], { ...shape, grouping: "file", sorting: "name" }),
      [
        "Idle.java [1 of 2 sensitive · src]",
        "  HOME [= 8]",
        "  pool.idle [= 8]",
        "Pool.java [1 of 2 sensitive · src]",
        "  log.level [= 8]",
        "  pool.size [= 8]",
        "Not in Java code [1 of 1 sensitive]",
        "  x [= 8]",
      ],
    );
  });

  test("a namespace of two domains says of which it is", () => {
    const other = { ...row, domain: "yaml", domainWords: "YAML key" };
    assert.deepEqual(
      children([listed([row, other])], shape, undefined).map(({ description }) => description),
      ["1 of 1 sensitive · system property", "1 of 1 sensitive · YAML key"],
    );
  });

  test("a sole group is left out", () => {
    assert.deepEqual(drawn([listed([row, idle])], shape), ["pool.size [= 8]", "pool.idle [= 8]"]);
  });

  test("by name where sensitivity makes no difference that is shown", () => {
    const of = (name: string, label: Label, probability: number): OptionRow => ({
      ...row,
      name,
      label,
      probability,
    });
    const rows = [
      of("d", "insensitive", 0.3),
      of("c", "insensitive", 0.4),
      of("b", "sensitive", 0.701),
      of("a", "sensitive", 0.699),
      of("z", "sensitive", 0.9),
    ];
    assert.deepEqual(
      children([listed(rows)], shape, undefined).map(({ label }) => label),
      ["z", "a", "b", "c", "d"],
    );
  });

  test("numbers in names are in order of size", () => {
    const numbered = ["n10", "n9", "N1"].map((name) => ({ ...row, name }));
    assert.deepEqual(
      children([listed(numbered)], { ...shape, sorting: "name" }, undefined).map(
        ({ label }) => label,
      ),
      ["N1", "n9", "n10"],
    );
  });

  test("several folders have a line each, those without options none", () => {
    const folders = [listed([row]), listed([], "file:///v"), listed([idle], "file:///u")];
    assert.deepEqual(drawn(folders, shape), [
      "w [1 of 1 sensitive]",
      "  pool.size [= 8]",
      "w [1 of 1 sensitive]",
      "  pool.idle [= 8]",
    ]);
  });

  test("ids are the same after a renewal, and differ within a tree", () => {
    const ids = (folders: readonly FolderOptions[], node?: Node): string[] =>
      children(folders, shape, node).flatMap((each) => [each.id, ...ids(folders, each)]);
    const before = ids([listed(), listed(rows, "file:///v")]);
    const after = ids([listed([...rows].reverse()), listed(rows, "file:///v")]);
    assert.deepEqual(before, after);
    assert.equal(new Set(before).size, before.length);
    assert.equal(before.length, 16);
  });

  test("making one level does not make the next", () => {
    const many = Array.from({ length: 10_000 }, (_, number) => ({
      ...row,
      name: `n${number}`,
      namespace: `group${number % 50}`,
    }));
    const nodes = children([listed(many)], shape, undefined);
    assert.equal(nodes.length, 50);
    assert.ok(nodes.every((node) => node.options.length === 200 && !node.isExpanded));
  });
});

describe("the filter", () => {
  const filtered = (filter: Partial<Shape["filter"]>): Shape => ({
    ...shape,
    filter: { ...NO_FILTER, ...filter },
  });

  test("words are looked for in names, in any order and case", () => {
    assert.deepEqual(drawn([listed()], filtered({ text: " SIZE  pool" })), ["pool.size [= 8]"]);
    assert.deepEqual(drawn([listed()], filtered({ text: "threads" })), []);
  });

  test("only sensitive, only undocumented, both", () => {
    const names = (how: Shape): string[] =>
      drawn([listed()], { ...how, grouping: "namespace", sorting: "name" })
        .filter((line) => line.includes("="))
        .map((line) => line.trim().split(" ")[0] ?? "");
    assert.deepEqual(names(filtered({ isSensitive: true })), ["pool.idle", "pool.size"]);
    assert.deepEqual(names(filtered({ isUndocumented: true })), ["pool.idle", "HOME"]);
    assert.deepEqual(names(filtered({ isUndocumented: true, isSensitive: true })), ["pool.idle"]);
  });

  test("what it finds is open, unless it is too much", () => {
    const found = children([listed()], filtered({ text: "o" }), undefined);
    assert.deepEqual(
      found.map(({ isExpanded }) => isExpanded),
      [true, true, true],
    );
    const many = Array.from({ length: 100 }, (_, number) => ({
      ...row,
      name: `o${number}`,
      namespace: `group${number % 2}`,
    }));
    const groups = children([listed(many)], filtered({ text: "o" }), undefined);
    assert.deepEqual(
      groups.map(({ isExpanded }) => isExpanded),
      [false, false],
    );
  });

  test("a group that a filter opens leaves the one without a filter as it was", () => {
    const [before] = children([listed()], shape, undefined);
    const [found] = children([listed()], filtered({ text: "o" }), undefined);
    assert.notEqual(before?.id, found?.id);
  });

  test("in words", () => {
    assert.equal(isFiltered({ ...NO_FILTER, text: "  " }), false);
    assert.equal(filterText(NO_FILTER), "");
    assert.equal(
      filterText({ text: " pool ", isSensitive: true, isUndocumented: true }),
      "“pool” · sensitive · undocumented",
    );
    assert.deepEqual(matches([listed(), listed([], "file:///v")], { ...NO_FILTER, text: "pool" }), {
      found: 2,
      all: 4,
    });
  });

  test("marks what it found in a name", () => {
    const marks = (text: string): unknown => highlights("Pool.Size", { ...NO_FILTER, text });
    assert.deepEqual(marks("size pool"), [
      [0, 4],
      [5, 9],
    ]);
    assert.deepEqual(marks("pool ol.s"), [[0, 6]]);
    assert.deepEqual(marks("x"), []);
    assert.deepEqual(marks(""), []);
  });
});

describe("one option", () => {
  test("its value", () => {
    assert.equal(shortValue(only({})), "= 8");
    assert.equal(shortValue(only({ default: "" })), "int");
    assert.equal(valueText(only({})), "int = 8");
    assert.equal(valueText(only({ default: "" })), "int");
    assert.equal(valueText(only({ type: "" })), "= 8");
    assert.equal(valueText(only({ type: "", default: "" })), "");
    assert.equal(valueText(only({ default: "x".repeat(41) })), `int = ${"x".repeat(39)}…`);
  });

  test("is marked stronger where it is sensitive and undocumented", () => {
    const loud = lookOf(only({ undocumented: true }), true);
    const plain = lookOf(only({}), true);
    assert.notDeepEqual(loud, plain);
    assert.equal(loud.words, "performance-sensitive and undocumented");
    assert.equal(plain.words, "performance-sensitive");
    assert.equal(lookOf(only({ undocumented: true, label: "insensitive" }), true).words, "");
  });

  test("nothing is said to be unknown before it was judged", () => {
    const option = only({ label: "unknown" });
    assert.equal(lookOf(option, true).words, "sensitivity unknown");
    assert.equal(lookOf(option, false).words, "");
    assert.notEqual(lookOf(option, false).icon, lookOf(option, true).icon);
  });

  test("what a screen reader says", () => {
    assert.equal(
      spoken(only({}), true),
      "pool.size, performance-sensitive, int default 8, 2 reads, first in Pool.java:12",
    );
    assert.equal(
      spoken(only({ undocumented: true, reads: 1, location: null }), true),
      "pool.size, performance-sensitive and undocumented, int default 8, read in Pool.java",
    );
    assert.equal(
      spoken(
        only({ undocumented: true, label: "insensitive", reads: 0, type: "", default: "" }),
        true,
      ),
      "pool.size, undocumented, not read, declared in Pool.java:12",
    );
    const [group] = children([listed()], shape, undefined);
    assert.equal(
      group === undefined ? "" : spokenGroup(group),
      "pool, 2 options, 2 performance-sensitive",
    );
  });

  test("the tooltip, in which nothing of a text is taken for Markdown", () => {
    assert.equal(
      tooltip(only({ name: "a_b*", default: "`x", description: "See <b>[here](command:x)</b>." })),
      [
        "**a\\_b\\*** · system property",
        "Performance\\-sensitive \\(90 %\\)\\: it sizes a thread pool\\.".replace("\\:", ":"),
        "Sizes 1 thread\\.",
        "See \\<b\\>\\[here\\]\\(command:x\\)\\</b\\>\\.",
        "`` int = `x `` · 2 reads, first in Pool\\.java:12",
      ].join("\n\n"),
    );
  });

  test("only a line of an option has one", () => {
    const [group] = children([listed()], shape, undefined);
    assert.ok(group !== undefined);
    const [line] = children([listed()], shape, group);
    assert.ok(line !== undefined);
    assert.equal(optionOf(group), undefined);
    assert.equal(group.name, undefined);
    assert.equal(optionOf(line)?.name, "pool.size");
    assert.equal(line.name, "pool.size");
    assert.deepEqual(children([listed()], shape, line), []);
  });
});

describe("the badge", () => {
  test("counts what is undocumented", () => {
    const badge = badgeOf([listed(), listed([row], "file:///v")]);
    assert.deepEqual(badge, { value: 1, tooltip: "1 undocumented performance-sensitive option" });
    assert.equal(badgeOf([listed([row, hidden, home])]), undefined);
  });
});

/** A renewal whose timer and answers are in the test's hands. */
class Renewed {
  asked = 0;
  hiddenMs: number | undefined;
  private readonly timers: { run: () => void; milliseconds: number }[] = [];
  private readonly answers: ((isAnswered: boolean) => void)[] = [];
  readonly renewal = new Renewal(
    () => {
      this.asked += 1;
      return new Promise((resolve) => this.answers.push(resolve));
    },
    {
      later: (run, milliseconds) => this.timers.push({ run, milliseconds }),
      hiddenMs: () => this.hiddenMs,
    },
  );

  /** Lets time pass, by default enough for everything that is planned. */
  elapse(milliseconds = Infinity): void {
    const due = this.timers.filter((timer) => timer.milliseconds <= milliseconds);
    due.forEach((timer) => this.timers.splice(this.timers.indexOf(timer), 1));
    due.forEach(({ run }) => run());
  }

  async answer(isAnswered = true): Promise<void> {
    this.answers.splice(0).forEach((resolve) => resolve(isAnswered));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("when a view asks", () => {
  test("not before it is seen, and then at once", () => {
    const view = new Renewed();
    view.renewal.changed();
    view.elapse();
    assert.equal(view.asked, 0);
    view.renewal.setVisible(true);
    assert.equal(view.asked, 1);
  });

  test("once for a burst", async () => {
    const view = new Renewed();
    view.renewal.setVisible(true);
    await view.answer();
    for (let number = 0; number < 10; number += 1) {
      view.renewal.changed();
    }
    view.elapse();
    assert.equal(view.asked, 2);
    view.renewal.changed();
    view.renewal.changed();
    view.elapse();
    assert.equal(view.asked, 2, "one request at a time");
    await view.answer();
    view.elapse();
    assert.equal(view.asked, 3);
    await view.answer();
    view.elapse();
    assert.equal(view.asked, 3);
  });

  test("not while it is hidden, and only then again if something has changed", async () => {
    const view = new Renewed();
    view.renewal.setVisible(true);
    await view.answer();
    view.renewal.setVisible(false);
    view.renewal.setVisible(true);
    assert.equal(view.asked, 1);
    view.renewal.changed();
    view.renewal.setVisible(false);
    view.elapse();
    assert.equal(view.asked, 1);
    view.renewal.setVisible(true);
    assert.equal(view.asked, 2);
  });

  test("a hidden view with something to show asks soon once, and then seldom", async () => {
    const view = new Renewed();
    view.hiddenMs = 500;
    view.renewal.changed();
    view.elapse(1000);
    assert.equal(view.asked, 1);
    await view.answer();
    view.hiddenMs = 30_000;
    view.renewal.changed();
    view.elapse(1000);
    assert.equal(view.asked, 1);
    view.elapse();
    assert.equal(view.asked, 2);
    await view.answer();
    view.renewal.changed();
    view.renewal.setVisible(true);
    assert.equal(view.asked, 3, "at once when it is opened");
    await view.answer();
    view.elapse();
    assert.equal(view.asked, 3);
  });

  test("a failure is not repeated by itself", async () => {
    const view = new Renewed();
    view.renewal.setVisible(true);
    await view.answer(false);
    view.elapse();
    assert.equal(view.asked, 1);
    view.renewal.setVisible(false);
    view.renewal.setVisible(true);
    assert.equal(view.asked, 2);
  });
});

test("what an empty view says", () => {
  const counts = { files: 3, options: 2, seconds: 1 };
  assert.equal(welcomeOf({ phase: "missing" }), "missing");
  assert.equal(welcomeOf({ phase: "installing" }), "installing");
  assert.equal(welcomeOf({ phase: "starting" }), "reading");
  assert.equal(welcomeOf({ phase: "indexing", counts: { ...counts, files: 0 } }), "reading");
  assert.equal(welcomeOf({ phase: "ready" }), "ready");
  assert.equal(welcomeOf({ phase: "ready", counts }), "ready");
  assert.equal(
    welcomeOf({ phase: "ready", counts: { ...counts, files: 0, options: 0 } }),
    "noJava",
  );
  assert.equal(welcomeOf({ phase: "ready", counts: { ...counts, options: 0 } }), "noOptions");
  assert.equal(welcomeOf({ phase: "error", message: "x" }), "failed");
  assert.equal(welcomeOf({ phase: "error", message: "x", counts }), "problem");
});

describe("what was found", () => {
  test("is said once sensitivity has been judged", () => {
    assert.equal(foundText([listed()]), "ConfLens found 4 options; 2 may affect performance.");
    assert.equal(foundText([listed([hidden])]), "ConfLens found 1 option.");
    assert.equal(foundText([listed(), { ...listed(), ready: false }]), undefined);
    assert.equal(foundText([]), undefined);
  });

  test("the most sensitive option is one that can be shown", () => {
    const unseen = { ...row, name: "unseen", probability: 0.99, location: null };
    assert.equal(mostSensitive([listed([unseen, idle]), listed([row])])?.name, "pool.size");
    assert.equal(mostSensitive([listed([hidden, unseen])]), undefined);
  });
});
