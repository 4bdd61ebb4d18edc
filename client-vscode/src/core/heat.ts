/**
 * Hot lines as the server tells them (`conflens/hotLines`), and the legend, which explains all that
 * ConfLens draws in an editor.
 *
 * Terms: a line's *level* is 1, 2 or 3, the hottest; from which share on is the server's to say. A
 * level is told by the width of a bar as well as by colour.
 */

export const LEVELS = [1, 2, 3] as const;
export type Level = (typeof LEVELS)[number];

/** How wide the bar of a level is, in pixels. */
export const BAR_WIDTHS: Readonly<Record<Level, number>> = { 1: 2, 2: 3, 3: 5 };

/** The page that explains the marks, in Markdown. */
export function legend(): string {
  return LEGEND;
}

const LEGEND = `# ConfLens legend

## In Java code

A hint after a read of an option:

| hint | meaning |
| --- | --- |
| \`store.workers\` | the name of the option, where the code does not show it |
| \`default 8\` | the default value, where the code does not show it |
| \`sizes a thread pool\` | what the option does, in the same words as its hover; Ctrl+click to see the code |

By default only options that affect performance have hints and lenses; \`conflens.annotations.show\` changes that:
\`currentLine\` shows one hint on the line of the cursor and no lenses, \`all\` shows every option.

A lens above a declaration:

| lens | meaning |
| --- | --- |
| \`sizes a thread pool · 3 reads\` | what the option does, and how often it is read; click to see the reads |

In the *Options* view:

| mark | meaning |
| --- | --- |
| flame | affects performance |
| red flame, \`!\` | affects performance, but is not documented |
| circle | no performance impact found |
| question mark | performance impact unknown |
| number on the ConfLens icon | undocumented options that affect performance |

## With a profiler snapshot

| mark | meaning |
| --- | --- |
| thin bar, faint tint | at least 1 % of the cost is spent on this line, or in this method itself |
| bar | at least 5 % |
| thick bar, stronger tint | at least 20 % |
| \`34 % CPU (4.1 of 12.2 s), new\` | its share of the cost of the run, and its cost in the baseline |
| \`… · likely cause: store.workers\` | above a hot method, the options that explain it; click to step through the chain |
| \`89 % of CPU time depends on store.workers\` | above the decision point; in config files, above the key |

The bars are also shown in the overview ruler. A line that has changed since the snapshot has no bar. The colours
are theme colours: \`conflens.hotLine1Background\`, \`conflens.hotLine1Border\` and so on.

## A chain or a flow

Each step is marked faintly, and the current step more strongly and with its number. The *Path* view lists the
steps and explains each one. <kbd>F4</kbd> and <kbd>Shift+F4</kbd> go to the next and the previous step.

## In config files

A lens above a key shows what its option does; a hint shows what a value with placeholders resolves to.

## Squiggles

The source of a ConfLens problem is shown as *conflens*. Three faint dots under the name of an option mean that it is
undocumented. *Quick Fix* (<kbd>Ctrl+.</kbd>) fixes or suppresses a problem; at an option, it also sets your own verdict, such
as *Mark … as not performance-sensitive*. The settings \`conflens.diagnostics\` control the severities.

## Too much?

*ConfLens: Toggle Annotations* hides or shows all of this.
`;
