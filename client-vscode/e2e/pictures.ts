/**
 * Pictures of the editor for README and walkthrough, light and dark.
 *
 * Pictures are made in every run; the run says where to put them. Each has to be small and to show
 * something. Both themes are pictures of one and the
 * same page, so a hover that is open stays open.
 */

import { writeFileSync } from "node:fs";
import * as path from "node:path";

import { needed, PICTURES } from "./places.js";
import { until, type Box, type Workbench } from "./page.js";
import { small } from "./png.js";

const LARGEST = 200 * 1024;
/** A picture of nothing but background is smaller. */
const SMALLEST = 6 * 1024;
const MARGIN = 6;
const THEMES = { light: ".monaco-workbench.vs", dark: ".monaco-workbench.vs-dark" } as const;

/** Makes `name-light.png` and `name-dark.png` of a part of the page, and leaves the page dark. */
export async function picture(workbench: Workbench, name: string, clip: Box): Promise<void> {
  const { page } = workbench;
  const folder = needed(PICTURES);
  for (const [theme, shown] of Object.entries(THEMES)) {
    await page.emulateMedia({ colorScheme: theme as keyof typeof THEMES });
    await until(`the ${theme} theme`, async () => (await page.locator(shown).count()) > 0);
    const bytes = small(await still(workbench, clip));
    const file = `${name}-${theme}.png`;
    if (bytes.length < SMALLEST || bytes.length > LARGEST) {
      const size = Math.round(bytes.length / 1024);
      throw new Error(`The picture ${file} has ${size} KiB: it shows nothing, or too much.`);
    }
    writeFileSync(path.join(folder, file), bytes);
  }
}

/** The picture once two in a row are alike: colours and texts of a theme come one by one. */
async function still({ page }: Workbench, clip: Box): Promise<Buffer> {
  let before = await page.screenshot({ clip, animations: "disabled", caret: "hide" });
  return until("a page that stands still", async () => {
    const now = await page.screenshot({ clip, animations: "disabled", caret: "hide" });
    const isStill = now.equals(before);
    before = now;
    return isStill ? now : undefined;
  });
}

/** The smallest box around several, with a margin where the first of them does not end it. */
export function around([first, ...others]: readonly [Box, ...Box[]]): Box {
  const x = Math.min(first.x, ...others.map((box) => box.x - MARGIN));
  const y = Math.min(first.y, ...others.map((box) => box.y - MARGIN));
  const right = Math.max(first.x + first.width, ...others.map((box) => box.x + box.width + MARGIN));
  const bottom = Math.max(
    first.y + first.height,
    ...others.map((box) => box.y + box.height + MARGIN),
  );
  return { x, y, width: right - x, height: bottom - y };
}
