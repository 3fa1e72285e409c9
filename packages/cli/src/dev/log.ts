import { relative } from "node:path";
import type { Manifest } from "@tenon/runtime/manifest";
import type { Sink } from "../terminal/terminal.js";
import { summarize } from "../terminal/text-format.js";
import type { Change } from "./manifest-diff.js";

/** What a person who edits the project reads. */
export interface DevLog {
  /** The first server of this run. */
  started(manifest: Manifest, ms: number): void;
  changed(files: readonly string[]): void;
  swapped(changes: readonly Change[], ms: number): void;
  /** There were errors. @param serving whether an older server is still there */
  refused(serving: boolean): void;
  crashed(restarting: boolean): void;
}

export interface DevLogOptions {
  root: string;
  sink: Sink;
  /** Where a client connects, in words. */
  address: string;
  /** What is printed before an event, such as the time. */
  stamp?: () => string;
}

/** Prints what happens, one event per paragraph. */
export function createDevLog({ root, sink, address, stamp = clock }: DevLogOptions): DevLog {
  const { paint } = sink;
  const print = (text: string): void => sink.write(`${text}\n`);
  return {
    started({ server, ...manifest }, ms) {
      print(
        `${paint.green("✓")} ${paint.bold(server.name)} ${server.version}: ${summarize({ server, ...manifest })}`,
      );
      print(`  ${paint.bold(address)}  ${paint.dim(`ready in ${Math.round(ms)} ms, watching for changes`)}`);
    },
    changed(files) {
      const names = files.map((file) => relative(root, file).replaceAll("\\", "/"));
      print(`\n${paint.dim(stamp())}  ${names.join(", ")}`);
    },
    swapped(changes, ms) {
      for (const change of changes) print(`  ${changeText(change, sink)}`);
      const what = changes.length > 0 ? "Reloaded" : "Reloaded; nothing changed for clients";
      print(`${paint.green("✓")} ${what} ${paint.dim(`in ${Math.round(ms)} ms`)}`);
    },
    refused(serving) {
      if (serving) print(paint.yellow("The last good server keeps serving."));
      else print(paint.yellow(`Nothing is served until the errors are fixed. Address: ${address}`));
    },
    crashed(restarting) {
      print(
        paint.red(
          `The server stopped unexpectedly. ${restarting ? "Restarting it." : "It starts again after the next change."}`,
        ),
      );
    },
  };
}

function changeText({ kind, name, change, details }: Change, { paint }: Sink): string {
  const sign = { added: paint.green("+"), removed: paint.red("-"), changed: paint.yellow("~") }[change];
  return `${sign} ${kind} ${paint.bold(name)}${details.length > 0 ? `: ${details.join(", ")}` : ""}`;
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
