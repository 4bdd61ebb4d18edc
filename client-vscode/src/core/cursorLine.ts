/**
 * Annotations on the line of the cursor only: which of a document's hints are shown, and when the
 * cursor has come to another line, so that they have to be asked for again.
 */

/** The value of `conflens.annotations.show` for this mode. */
export const CURRENT_LINE = "currentLine";

/** The first hint of a line; none without a cursor in the document. */
export function onLine<T extends { readonly position: { readonly line: number } }>(
  hints: readonly T[],
  line: number | undefined,
): T[] {
  const first = hints.find(({ position }) => position.line === line);
  return first === undefined ? [] : [first];
}

/** Where the cursor was last. */
export class CursorLine {
  private last = "";

  /** Notes where the cursor is; whether that is another line than before. */
  isNew(document: string, line: number): boolean {
    const now = `${document}#${line}`;
    const isNew = now !== this.last;
    this.last = now;
    return isNew;
  }
}
