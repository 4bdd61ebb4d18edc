/**
 * Arguments of the command `conflens.showReferences`, which the server puts into its code lenses:
 * `(uri, position, locations)` as the protocol writes them. The editor's own command wants its own
 * classes instead, which are passed in as a factory, so that this file needs no editor.
 */

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Location {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

export interface References {
  readonly uri: string;
  readonly position: Position;
  readonly locations: readonly Location[];
}

/** Makes the editor's objects; lines and characters are 0-based on both sides. */
export interface EditorFactory<U, P, L> {
  readonly uri: (text: string) => U;
  readonly position: (line: number, character: number) => P;
  readonly location: (uri: U, start: P, end: P) => L;
}

/** The arguments, checked; undefined when they do not fit the contract. */
export function parseReferences(args: readonly unknown[]): References | undefined {
  const [uri, position, locations] = args;
  if (typeof uri !== "string" || !isPosition(position) || !Array.isArray(locations)) {
    return undefined;
  }
  return locations.every(isLocation) ? { uri, position, locations } : undefined;
}

/** The arguments of `editor.action.showReferences`. */
export function editorReferences<U, P, L>(
  references: References,
  factory: EditorFactory<U, P, L>,
): [U, P, L[]] {
  const position = ({ line, character }: Position): P => factory.position(line, character);
  return [
    factory.uri(references.uri),
    position(references.position),
    references.locations.map(({ uri, range }) =>
      factory.location(factory.uri(uri), position(range.start), position(range.end)),
    ),
  ];
}

export function isLocation(value: unknown): value is Location {
  if (!isRecord(value) || typeof value.uri !== "string" || !isRecord(value.range)) {
    return false;
  }
  return isPosition(value.range.start) && isPosition(value.range.end);
}

function isPosition(value: unknown): value is Position {
  return isRecord(value) && isOffset(value.line) && isOffset(value.character);
}

function isOffset(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
