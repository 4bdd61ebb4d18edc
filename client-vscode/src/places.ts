/**
 * Places of the protocol as the editor's own objects. Lines and characters are 0-based in both.
 */

import * as vscode from "vscode";
import type { Location, Position, Range } from "vscode-languageserver-types";

export function uriOf({ uri }: { readonly uri: string }): vscode.Uri {
  return vscode.Uri.parse(uri, true);
}

export function positionOf({ line, character }: Position): vscode.Position {
  return new vscode.Position(line, character);
}

export function rangeOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(positionOf(start), positionOf(end));
}

export function locationOf(location: Location): vscode.Location {
  return new vscode.Location(uriOf(location), rangeOf(location.range));
}

/** A command that shows a place, with the place selected. */
export function openCommand(
  location: Location,
  title: string,
  preserveFocus: boolean,
): vscode.Command {
  const options = { selection: rangeOf(location.range), preserveFocus };
  return { title, command: "vscode.open", arguments: [uriOf(location), options] };
}
