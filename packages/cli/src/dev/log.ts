import { relative } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import { quoteWord } from "../terminal/quote-word.js";
import { formatPath } from "../recording/find-recording.js";
import type { RecordedFile } from "../recording/recorder.js";
import { formatNextStep } from "../terminal/next-step.js";
import type { StatusLine } from "../terminal/status-line.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount, formatList, summarize, wrap } from "../terminal/text-format.js";
import type { VisibleChange } from "./diff/visible-changes.js";

/** The messages of the dev server. */
export interface DevLog {
  /** Shows the current activity until the next message. */
  step(label: string): void;
  /** Removes the current activity. */
  idle(): void;
  /**
   * Reports the first server of this run.
   *
   * @param failed the names of failed declarations, here and below
   */
  started(manifest: Manifest, ms: number, failed: readonly string[]): void;
  /** Reports that a server is still starting after some milliseconds. */
  starting(ms: number): void;
  changed(files: readonly string[]): void;
  reloaded(reload: Reload): void;
  /**
   * Reports that the running server must stop first.
   *
   * @param code the error code of the new one, which needs the same resource
   */
  resourceConflict(code: string): void;
  /**
   * Reports errors.
   *
   * @param isServing whether an older server keeps serving
   */
  rejected(isServing: boolean, failed: readonly string[]): void;
  crashed(isRestarting: boolean): void;
  /** Reports that a session is being recorded. */
  recording(path: string): void;
  recorded(files: readonly RecordedFile[]): void;
  recordingFailed(error: unknown): void;
}

/** A server that replaced another one. */
export interface Reload {
  changes: readonly VisibleChange[];
  ms: number;
  failed: readonly string[];
  /** The variables and fields that lost their state for the first time in this run. */
  emptied: readonly string[];
}

/** The options of a log. */
export interface DevLogOptions {
  root: string;
  /** The folder in which the user types commands, absolute. */
  cwd: string;
  sink: StatusLine;
  /** The address for clients, or `stdio`. */
  address: string;
  /** The command that connects a client. Absent if a client has started the server. */
  connectCommand?: string;
  /** Returns the text before an event. Default: the time. */
  stamp?: () => string;
}

/** Creates a log that prints one paragraph per event. */
export function createDevLog({
  root,
  cwd,
  sink,
  address,
  connectCommand,
  stamp = formatTime,
}: DevLogOptions): DevLog {
  const { paint } = sink;
  const print = (text: string): void => sink.write(`${text}\n`);
  const printFailed = (names: readonly string[]): void => {
    if (names.length === 0) return;
    const object = names.length === 1 ? "its errors" : "their errors";
    const text = `Calls to ${formatNames(names)} return ${object} until you fix them.`;
    for (const line of wrap(text, sink.columns - 2)) print(paint.yellow(`  ${line}`));
  };
  return {
    step: (label) => sink.show(label),
    idle: () => sink.clear(),
    started({ server, ...manifest }, ms, failed) {
      print(`${paint.green("✓")} ${paint.bold(server.name)} ${server.version}: ${summarize(manifest)}`);
      print(`  ${paint.bold(address)}  ${paint.dim(`ready in ${Math.round(ms)} ms, watching for changes`)}`);
      printFailed(failed);
      if (connectCommand !== undefined) print(formatNextStep(connectCommand, "connects a client", paint));
    },
    starting(ms) {
      const text = `The server has not started after ${ms / 1000} s. Top-level code may be waiting or looping, for example because a database is down.`;
      for (const line of wrap(text, sink.columns)) print(paint.yellow(line));
    },
    changed(files) {
      const names = files.slice(0, MAX_FILES).map((file) => toRelativePath(root, file));
      const more = files.length - names.length;
      const text = more > 0 ? `${names.join(", ")} and ${formatCount(more, "other file")}` : names.join(", ");
      const [first = "", ...others] = wrap(text, sink.columns - FILES_INDENT.length);
      print(`\n${paint.dim(stamp())}  ${first}`);
      for (const line of others) print(`${FILES_INDENT}${line}`);
    },
    reloaded({ changes, ms, failed, emptied }) {
      for (const change of changes.slice(0, MAX_CHANGES))
        for (const line of formatChange(change, sink)) print(`  ${line}`);
      const more = changes.length - MAX_CHANGES;
      if (more > 0) print(`  ${paint.dim(`and ${formatCount(more, "other change")}`)}`);
      const summary = changes.length > 0 ? "Reloaded" : "Reloaded; nothing changed for clients";
      print(`${paint.green("✓")} ${summary} ${paint.dim(`in ${Math.round(ms)} ms`)}`);
      if (emptied.length > 0) {
        const text = `Each reload discards the state in ${formatNames(emptied)}. Keep lasting state in a file or database.`;
        for (const line of wrap(text, sink.columns - 2)) print(paint.dim(`  ${line}`));
      }
      printFailed(failed);
    },
    resourceConflict(code) {
      const text = `The new server needs a resource that the running server uses (${code}). Stopping the running server first.`;
      for (const line of wrap(text, sink.columns)) print(paint.dim(line));
    },
    rejected(isServing, failed) {
      if (isServing) print(paint.yellow("The last working server keeps serving."));
      else print(paint.yellow(`Nothing is served until the errors are fixed. Address: ${address}`));
      if (isServing) printFailed(failed);
    },
    crashed(isRestarting) {
      print(
        paint.red(
          `The server stopped unexpectedly. ${isRestarting ? "Restarting it." : "It restarts after the next change."}`,
        ),
      );
    },
    recording(path) {
      print(`${paint.red("●")} Recording a session in ${formatPath(path, cwd)}`);
    },
    recorded(files) {
      for (const { path, messages, masked } of files) {
        print(`${paint.red("●")} Recorded ${formatCount(messages, "message")} in ${formatPath(path, cwd)}`);
        const summary =
          masked.length === 0 ? "No secrets were found to mask." : `Masked: ${masked.join(", ")}.`;
        for (const line of wrap(summary, sink.columns - 2)) print(`  ${paint.dim(line)}`);
      }
      const [{ path } = { path: "" }] = files;
      if (path) print(`  ${paint.dim("Replay it:")} npx tenon replay ${quoteWord(formatPath(path, cwd))}`);
    },
    recordingFailed(error) {
      const reason = error instanceof Error ? error.message : String(error);
      print(paint.yellow(`Recording stopped: ${reason}`));
    },
  };
}

function toRelativePath(root: string, file: string): string {
  const path = relative(root, file).replaceAll("\\", "/");
  return path.startsWith("../") ? file : path;
}

function formatChange({ kind, name, change, details }: VisibleChange, { paint, columns }: Sink): string[] {
  const signs = { "+": paint.green("+"), "-": paint.red("-"), "~": paint.yellow("~") };
  const sign = { added: "+", removed: "-", changed: "~" } as const;
  const lines = details.slice(0, MAX_DETAILS).flatMap((each) => {
    const [first = "", ...others] = wrap(each.text, columns - DETAIL_INDENT);
    return [`    ${signs[each.sign]} ${first}`, ...others.map((line) => `        ${line}`)];
  });
  const more = details.length - MAX_DETAILS;
  const rest = more > 0 ? [`    ${paint.dim(`and ${more} more`)}`] : [];
  return [`${signs[sign[change]]} ${kind} ${paint.bold(name)}`, ...lines, ...rest];
}

/** Maximum number of changes shown for one edit. */
const MAX_CHANGES = 20;
/** Maximum number of details shown for one entry. */
const MAX_DETAILS = 12;
const DETAIL_INDENT = 10;

/** Maximum number of files shown, since tools such as `git checkout` change many. */
const MAX_FILES = 5;
/** The indentation of files after the first, the width of the time. */
const FILES_INDENT = " ".repeat(10);

/** Maximum number of names shown. */
const MAX_NAMES = 8;

/** Formats names as `a, b, and c`, or the first of them with the number of others. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return formatList(more > 0 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names);
}

function formatTime(): string {
  return new Date().toTimeString().slice(0, 8);
}
