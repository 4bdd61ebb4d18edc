/**
 * Versions of Python and of the server, read from what `--version` prints.
 *
 * Absent on purpose: running anything. Callers pass the printed text.
 */

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The oldest Python that the server supports. */
export const MINIMUM_PYTHON: Version = { major: 3, minor: 11, patch: 0 };

/** Version from `Python 3.12.1` (also `3.14.0rc2+`); undefined when the text is something else. */
export function parsePythonVersion(output: string): Version | undefined {
  const match = /^Python (\d+)\.(\d+)(?:\.(\d+))?/m.exec(output);
  if (match === null) {
    return undefined;
  }
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3] ?? 0) };
}

/**
 * Version from `conflens 0.1.0` or `conflens, version 0.1.0`; undefined when the text is something
 * else, so that another program of the same name is not taken for the server.
 */
export function parseServerVersion(output: string): string | undefined {
  return /^conflens,?(?: version)? v?(\d+\.\d+\S*)\s*$/im.exec(output)?.[1];
}

export function isAtLeast(version: Version, minimum: Version): boolean {
  if (version.major !== minimum.major) {
    return version.major > minimum.major;
  }
  if (version.minor !== minimum.minor) {
    return version.minor > minimum.minor;
  }
  return version.patch >= minimum.patch;
}

export function formatVersion(version: Version): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}
