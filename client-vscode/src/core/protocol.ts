/**
 * The messages of our own between client and server. Made by `make reference` from the server's
 * `lsp/wire/messages.py`; do not edit.
 */

import type {
  Location,
  Position,
  Range,
  TextDocumentIdentifier,
} from "vscode-languageserver-types";

export type EventKind = "cpu" | "wall" | "allocation" | "lock" | "wait" | "sleep" | "io";

export type Label = "sensitive" | "insensitive" | "unknown";

export type Role = "baseline" | "violation";

export type State = "none" | "running" | "ready" | "failed";

export type Unit = "samples" | "nanoseconds" | "bytes";

/** Parameters that say nothing. */
export type Empty = Readonly<Record<never, never>>;

/** Names a folder. */
export interface FolderParams {
  readonly folder?: string | null;
}

/** A page as Markdown, and its address. */
export interface Page {
  readonly uri: string;
  readonly markdown: string;
}

/** Where a page is: one that the client can fetch, or a read-only file if it cannot. */
export interface PageAddress {
  readonly uri: string;
}

/** The state of the server for a person. */
export interface StatusPage {
  readonly markdown: string;
}

/**
 * The state of the whole server; `seconds` is how long the last update took, `memory` is in bytes.
 * `ready` says that all files have been read. `verdicts` on options come later (`waiting`, then
 * `ready`), and are missing as long as they `failed`, which `message` explains; they are `off` if
 * no folder gets any.
 */
export interface StatusParams {
  readonly state: "error" | "indexing" | "ready";
  readonly files: number;
  readonly options: number;
  readonly seconds: number;
  readonly memory?: number;
  readonly message?: string;
  readonly verdicts?: "failed" | "off" | "ready" | "waiting";
}

/**
 * An option in the list of options (`ide.option_list`); `location` is its first read and `file` the
 * path of that.
 */
export interface OptionRow {
  readonly domain: string;
  readonly domainWords: string;
  readonly name: string;
  readonly label: Label;
  readonly namespace?: string;
  readonly probability?: number | null;
  readonly sentence?: string;
  readonly type?: string;
  readonly default?: string;
  readonly documented?: boolean;
  readonly undocumented?: boolean;
  readonly description?: string;
  readonly effect?: string;
  readonly reads?: number;
  readonly location?: Location | null;
  readonly file?: string;
}

/** The options of a folder; `ready` says that sensitivity has been judged. */
export interface FolderOptions {
  readonly folder: string;
  readonly name: string;
  readonly ready: boolean;
  readonly options: readonly OptionRow[];
}

/** The options of all folders. */
export interface OptionsAnswer {
  readonly folders: readonly FolderOptions[];
}

/**
 * A profile to import. Without `role` the snapshot becomes the violation if there is none; with
 * `null` it gets no role; a role that is given takes it from those that had it.
 */
export interface ImportParams {
  readonly uri: string;
  readonly folder?: string | null;
  readonly role?: Role | null;
  readonly kind?: EventKind | null;
  readonly unit?: Unit | null;
  readonly workDoneToken?: string | number | null;
}

/** A JVM to record; `role` as for an import. */
export interface RecordParams {
  readonly pid: number;
  readonly seconds: number;
  readonly folder?: string | null;
  readonly role?: Role | null;
  readonly settings?: string | null;
  readonly workDoneToken?: string | number | null;
}

/** Names a snapshot. */
export interface SnapshotParams {
  readonly id: string;
}

/** Which snapshots are compared; several of one side are repetitions of one run. */
export interface ChooseParams {
  readonly baseline: readonly string[];
  readonly violation: readonly string[];
  readonly folder?: string | null;
}

/**
 * The config files that the runs of each side had, as URIs; without any, values come from what the
 * recordings tell.
 */
export interface ConfigFilesParams {
  readonly baseline: readonly string[];
  readonly violation: readonly string[];
  readonly folder?: string | null;
}

/**
 * A JVM of this user: its main class or archive, its arguments without secrets, and whether it runs
 * the project.
 */
export interface JavaProcess {
  readonly pid: number;
  readonly name: string;
  readonly arguments: string;
  readonly own: boolean;
}

/** What a snapshot holds of one kind of events. */
export interface KindTotal {
  readonly kind: string;
  readonly unit: string;
  readonly total: number;
}

/**
 * A snapshot; `path` is `null` if we recorded it, `stale` says that Java files which it ran hold
 * something else now.
 */
export interface SnapshotRow {
  readonly id: string;
  readonly name: string;
  readonly path: string | null;
  readonly format: string;
  readonly role: Role | null;
  readonly takenAt: string | null;
  readonly age: string;
  readonly seconds: number;
  readonly kinds: readonly KindTotal[];
  readonly notes: readonly string[];
  readonly values: number;
  readonly stale: boolean;
}

/**
 * Two runs that are compared although nobody has chosen a role, by id; `text` says so in a
 * sentence.
 */
export interface Pairing {
  readonly baseline: string;
  readonly violation: string;
  readonly text: string;
}

/** The row of an imported snapshot, and the comparison that its import led to. */
export interface ImportAnswer {
  readonly id: string;
  readonly name: string;
  readonly path: string | null;
  readonly format: string;
  readonly role: Role | null;
  readonly takenAt: string | null;
  readonly age: string;
  readonly seconds: number;
  readonly kinds: readonly KindTotal[];
  readonly notes: readonly string[];
  readonly values: number;
  readonly stale: boolean;
  readonly paired: Pairing | null;
}

/** How far the diagnosis is; `text` says it in one line. */
export interface DiagnosisState {
  readonly state: State;
  readonly text: string;
}

/** A recording that is under way. */
export interface RecordingRow {
  readonly pid: number;
  readonly name: string;
  readonly startedAt: string | null;
  readonly seconds: number;
}

/** The snapshots of a folder, and what is made of them. */
export interface SnapshotsAnswer {
  readonly folder: string;
  readonly snapshots: readonly SnapshotRow[];
  readonly diagnosis: DiagnosisState;
  readonly recording: RecordingRow | null;
  readonly paired: Pairing | null;
}

/**
 * Snapshots, their roles or the diagnosis of a folder have changed. `message` says why a watched
 * profile was not imported, or that its import led to the comparison `paired`.
 */
export interface SnapshotsChangedParams {
  readonly folder: string;
  readonly message?: string;
  readonly paired?: Pairing | null;
}

/** An option behind a hotspot: number `cause` of its chains leads there. */
export interface HotspotOption {
  readonly option: readonly [string, string];
  readonly name: string;
  readonly text: string;
  readonly cause: number;
}

/**
 * A hotspot; `share` is that of its kind, from 0 to 1, and `change` what it adds to the baseline's
 * total.
 */
export interface HotspotRow {
  readonly method: string;
  readonly file: string;
  readonly location: Location | null;
  readonly share: number;
  readonly change: number | null;
  readonly kind: string;
  readonly text: string;
  readonly options: readonly HotspotOption[];
}

/**
 * An option of the diagnosis. `share` is the part of the run's cost, or of what the slow run costs
 * more, that ran under it; `before` and `after` are its values where they were recorded.
 */
export interface SuspectRow {
  readonly option: readonly [string, string];
  readonly name: string;
  readonly text: string;
  readonly accused: boolean;
  readonly share: number | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly causes: number;
  readonly location: Location | null;
}

/** What the diagnosis of a folder found; `more` counts the hotspots that are left out. */
export interface FolderHotspots {
  readonly folder: string;
  readonly name: string;
  readonly state: State;
  readonly text: string;
  readonly compared: boolean;
  readonly options: readonly SuspectRow[];
  readonly hotspots: readonly HotspotRow[];
  readonly more: number;
}

/** The hotspots of all folders. */
export interface HotspotsAnswer {
  readonly folders: readonly FolderHotspots[];
}

/** A line, or the name of a method, to tint; `level` is 1 to 3, the hottest. */
export interface HotLine {
  readonly range: Range;
  readonly level: number;
  readonly share: number;
  readonly change: number | null;
  readonly text: string;
}

/** The hot lines of a document; `levels` are the least shares of each level. */
export interface HotLinesAnswer {
  readonly compared: boolean;
  readonly levels: readonly number[];
  readonly lines: readonly HotLine[];
}

/** Names a chain. */
export interface ChainParams {
  readonly option: readonly [string, string];
  readonly cause?: number;
  readonly folder?: string | null;
}

/** A chain that a code lens offers: an argument of the client's command `conflens.showChain`. */
export interface ChainChoice {
  readonly option: readonly [string, string];
  readonly cause: number;
  readonly text: string;
}

/** A step of a chain; `label` is its line in a list and `why` a sentence on what happens there. */
export interface ChainStep {
  readonly location: Location;
  readonly role: string;
  readonly text: string;
  readonly method: string;
  readonly label: string;
  readonly why: string;
}

/** Number `cause` of the `causes` chains of an option, from its read to the hotspot. */
export interface ChainAnswer {
  readonly title: string;
  readonly cause: number;
  readonly causes: number;
  readonly steps: readonly ChainStep[];
}

/** Parameters and answer of each request. */
export interface Requests {
  "conflens/flows": {
    params: { textDocument: TextDocumentIdentifier; position: Position };
    result: Page | null;
  };
  "conflens/options": {
    params: Empty;
    result: OptionsAnswer;
  };
  "conflens/snapshots": {
    params: FolderParams;
    result: SnapshotsAnswer;
  };
  "conflens/importSnapshot": {
    params: ImportParams;
    result: ImportAnswer;
  };
  "conflens/dropSnapshot": {
    params: SnapshotParams;
    result: null;
  };
  "conflens/chooseSnapshots": {
    params: ChooseParams;
    result: null;
  };
  "conflens/nameConfigFiles": {
    params: ConfigFilesParams;
    result: null;
  };
  "conflens/javaProcesses": {
    params: Empty;
    result: readonly JavaProcess[];
  };
  "conflens/record": {
    params: RecordParams;
    result: ImportAnswer;
  };
  "conflens/diagnosisReport": {
    params: FolderParams;
    result: PageAddress;
  };
  "conflens/chainSteps": {
    params: ChainParams;
    result: ChainAnswer | null;
  };
  "conflens/hotspots": {
    params: Empty;
    result: HotspotsAnswer;
  };
  "conflens/hotLines": {
    params: { textDocument: TextDocumentIdentifier };
    result: HotLinesAnswer | null;
  };
  "conflens/status": {
    params: Empty;
    result: StatusPage;
  };
}

/** Parameters of each notification. */
export interface Notifications {
  "conflens/status": StatusParams;
  "conflens/snapshotsChanged": SnapshotsChangedParams;
  "conflens/optionsChanged": Empty;
}
