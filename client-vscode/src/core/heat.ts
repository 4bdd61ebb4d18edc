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
| \`default 8\` | the default that holds here and is not written here |
| \`sizes a thread pool\` | what the option does, in the words of its hover; Ctrl+click for the code that shows it |

By default only options that affect performance have hints and lenses; \`conflens.annotations.show\` changes that.

A lens above a declaration:

| lens | meaning |
| --- | --- |
| \`sizes a thread pool · 3 reads\` | what the option does, and where it is read; click for the places |

In the view *Options*:

| mark | meaning |
| --- | --- |
| flame | affects performance |
| red flame, \`!\` | affects performance, but is not documented |
| circle | no performance impact found |
| question mark | performance impact unknown |
| the number at the icon of ConfLens | how many undocumented options affect performance |

## With a profiler snapshot

| mark | meaning |
| --- | --- |
| thin bar, faint tint | 1 % or more of the cost is spent on this line, or in this method itself |
| bar | 5 % or more |
| thick bar, stronger tint | 20 % or more |
| \`34 % CPU (4.1 of 12.2 s), new\` | what it costs of what the run costs, and what it cost in the baseline |
| \`… · likely cause: store.workers\` | above a hot method, the options that explain it; click to go through the chain |
| \`89 % of CPU time depends on store.workers\` | above the line that decides; in config files above the key |

The bars stand in the overview ruler, too. A line that has changed since the snapshot has none. The colours
are theme colours: \`conflens.hotLine1Background\`, \`conflens.hotLine1Border\` and so on.

## A chain or a flow

Each step is marked faintly, the current one stronger and with its number. The view *Path* lists the
steps and explains each. <kbd>F4</kbd> and <kbd>Shift+F4</kbd> go to the next and the previous one.

## In config files

A lens above a key shows what its option does; a hint shows what a value with placeholders resolves to.

## Squiggles

Those of ConfLens name it as their source. Three faint dots under the name of an option mean that it is
not documented. *Quick Fix* (<kbd>Ctrl+.</kbd>) fixes or suppresses, and at an option it sets the verdict: *Mark … as not
performance-sensitive*. Severities are settings: \`conflens.diagnostics\`.

## Too much?

*ConfLens: Toggle Annotations* hides and shows all of it.
`;
