/**
 * Which documents the server is told of: Java, the workspace file, and what may be a config file.
 *
 * By name and not by language, because which language a `.env` or a `.conf` is depends on what else
 * is installed. Which of these are config files of the project is decided by the server, by their keys;
 * in all others it is silent.
 */

/** The endings of files that may be config files, as in the server's `configfiles.policy`. */
const ENDINGS = [
  "properties",
  "cfg",
  "yaml",
  "yml",
  "xml",
  "toml",
  "env",
  "conf",
  "config",
  "hocon",
  "sh",
  "bash",
  "bat",
  "cmd",
  "service",
  "options",
  "vmoptions",
] as const;

/** What stands behind the ending of a file that is there to be copied. */
const TEMPLATES = ["template", "example", "sample", "default", "dist", "tmpl", "orig"] as const;

const NAMES = [".env", ".env.*", "Dockerfile*", "*.dockerfile", "jvm*.config"] as const;

const endings = ENDINGS.join(",");

/** Glob patterns of files that may be config files. */
export const CONFIG_FILES: readonly string[] = [
  `**/*.{${endings}}`,
  `**/*.{${endings}}.{${TEMPLATES.join(",")}}`,
  `**/{${NAMES.join(",")}}`,
];

/**
 * Glob patterns of the files that a user names in `conflens.configFiles.paths`, whose patterns are those of
 * `.gitignore`: one without a slash is looked for in every folder, a folder means all in it.
 */
export function namedFiles(paths: unknown): readonly string[] {
  const patterns = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return patterns.flatMap((pattern) => {
    const path = pattern.trim().replace(/^\/+|\/+$/g, "");
    if (path === "" || /^[!#]/.test(path)) {
      return [];
    }
    const named = path.startsWith("**/") ? path : `**/${path}`;
    return [named, `${named}/**`];
  });
}

export const WORKSPACE_FILE = "**/.conflens.toml";
