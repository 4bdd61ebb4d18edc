/**
 * What may be saved on the server's word: the file that holds a person's verdicts, and no other.
 */

export function isWorkspaceFile(uri: unknown): uri is string {
  return typeof uri === "string" && /^file:.*\/\.conflens\.toml$/.test(uri);
}
