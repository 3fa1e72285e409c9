import { relative } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import type { RecordedFile } from "../recording/recorder.js";
import type { StatusLine } from "../terminal/status-line.js";
import type { Sink } from "../terminal/terminal.js";
import { count, summarize, wrap } from "../terminal/text-format.js";
import type { Change } from "./diff/manifest-diff.js";

/** What a person who edits the project reads. */
export interface DevLog {
  /** What is being done, for as long as nothing else is told. */
  step(label: string): void;
  /** Nothing is being done any more. */
  idle(): void;
  /** The first server of this run. @param broken the names of what answers with its errors, here and below */
  started(manifest: Manifest, ms: number, broken: readonly string[]): void;
  changed(files: readonly string[]): void;
  swapped(changes: readonly Change[], ms: number, broken: readonly string[]): void;
  /** The server before has to end first. @param code of the error of the next one, which needs what that one holds */
  makingRoom(code: string): void;
  /** There were errors. @param serving whether an older server is still there */
  refused(serving: boolean, broken: readonly string[]): void;
  crashed(restarting: boolean): void;
  /** A client's session is being recorded. */
  recording(path: string): void;
  recorded(files: readonly RecordedFile[]): void;
  notRecorded(error: unknown): void;
}

export interface DevLogOptions {
  root: string;
  sink: StatusLine;
  /** Where a client connects, in words. */
  address: string;
  /** What is printed before an event, such as the time. */
  stamp?: () => string;
}

/** Prints what happens, one event per paragraph. */
export function createDevLog({ root, sink, address, stamp = clock }: DevLogOptions): DevLog {
  const { paint } = sink;
  const print = (text: string): void => sink.write(`${text}\n`);
  const printBroken = (names: readonly string[]): void => {
    if (names.length === 0) return;
    const verb = names.length === 1 ? "answers with its errors" : "answer with their errors";
    const text = `${listText(names)} ${verb} until they are corrected.`;
    for (const line of wrap(text, sink.columns - 2)) print(paint.yellow(`  ${line}`));
  };
  return {
    step: (label) => sink.show(label),
    idle: () => sink.clear(),
    started({ server, ...manifest }, ms, broken) {
      print(`${paint.green("✓")} ${paint.bold(server.name)} ${server.version}: ${summarize(manifest)}`);
      print(`  ${paint.bold(address)}  ${paint.dim(`ready in ${Math.round(ms)} ms, watching for changes`)}`);
      printBroken(broken);
    },
    changed(files) {
      const names = files.slice(0, MOST_FILES).map((file) => relativePath(root, file));
      const more = files.length - names.length;
      const text = more > 0 ? `${names.join(", ")} and ${count(more, "other file")}` : names.join(", ");
      const [first = "", ...others] = wrap(text, sink.columns - FILES_INDENT.length);
      print(`\n${paint.dim(stamp())}  ${first}`);
      for (const line of others) print(`${FILES_INDENT}${line}`);
    },
    swapped(changes, ms, broken) {
      for (const change of changes.slice(0, MOST_CHANGES))
        for (const line of changeLines(change, sink)) print(`  ${line}`);
      const more = changes.length - MOST_CHANGES;
      if (more > 0) print(`  ${paint.dim(`and ${count(more, "other change")}`)}`);
      const what = changes.length > 0 ? "Reloaded" : "Reloaded; nothing changed for clients";
      print(`${paint.green("✓")} ${what} ${paint.dim(`in ${Math.round(ms)} ms`)}`);
      printBroken(broken);
    },
    makingRoom(code) {
      const text = `The running server holds what the new one needs (${code}), so it ends first.`;
      for (const line of wrap(text, sink.columns)) print(paint.dim(line));
    },
    refused(serving, broken) {
      if (serving) print(paint.yellow("The last good server keeps serving."));
      else print(paint.yellow(`Nothing is served until the errors are fixed. Address: ${address}`));
      if (serving) printBroken(broken);
    },
    crashed(restarting) {
      print(
        paint.red(
          `The server stopped unexpectedly. ${restarting ? "Restarting it." : "It starts again after the next change."}`,
        ),
      );
    },
    recording(path) {
      print(`${paint.red("●")} Recording a session in ${relativePath(root, path)}`);
    },
    recorded(files) {
      for (const { path, messages, masked } of files) {
        print(`${paint.red("●")} Recorded ${count(messages, "message")} in ${relativePath(root, path)}`);
        const what = masked.length === 0 ? "No secret was found to mask." : `Masked: ${masked.join(", ")}.`;
        for (const line of wrap(what, sink.columns - 2)) print(`  ${paint.dim(line)}`);
      }
      const [{ path } = { path: "" }] = files;
      if (path) print(`  ${paint.dim("Play it again:")} tenon replay ${relativePath(root, path)}`);
    },
    notRecorded(error) {
      const reason = error instanceof Error ? error.message : String(error);
      print(paint.yellow(`The session is not recorded any more: ${reason}`));
    },
  };
}

function relativePath(root: string, file: string): string {
  const path = relative(root, file).replaceAll("\\", "/");
  return path.startsWith("../") ? file : path;
}

function changeLines({ kind, name, change, details }: Change, { paint, columns }: Sink): string[] {
  const signs = { "+": paint.green("+"), "-": paint.red("-"), "~": paint.yellow("~") };
  const sign = { added: "+", removed: "-", changed: "~" } as const;
  const shown = details.slice(0, MOST_DETAILS).flatMap((each) => {
    const [first = "", ...others] = wrap(each.text, columns - DETAIL_INDENT);
    return [`    ${signs[each.sign]} ${first}`, ...others.map((line) => `        ${line}`)];
  });
  const more = details.length - MOST_DETAILS;
  const rest = more > 0 ? [`    ${paint.dim(`and ${more} more`)}`] : [];
  return [`${signs[sign[change]]} ${kind} ${paint.bold(name)}`, ...shown, ...rest];
}

/** Of one edit. */
const MOST_CHANGES = 20;
/** Of one tool; whoever wants more looks at `tenon inspect`. */
const MOST_DETAILS = 12;
const DETAIL_INDENT = 10;

/** Several files are changed by a tool, such as `git checkout`, and nobody reads all their names. */
const MOST_FILES = 5;
/** As wide as the time. */
const FILES_INDENT = " ".repeat(10);

/** More names than these are counted. */
const MOST_NAMES = 8;

/** `a, b and c` */
function listText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
