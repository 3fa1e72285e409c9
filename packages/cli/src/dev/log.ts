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
  /** There were errors. `serving` says whether an older server is still there. */
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
  const say = (text: string): void => sink.write(`${text}\n`);
  return {
    started({ server, ...manifest }, ms) {
      say(
        `${paint.green("✓")} ${paint.bold(server.name)} ${server.version}: ${summarize({ server, ...manifest })}`,
      );
      say(`  ${paint.bold(address)}  ${paint.dim(`ready in ${Math.round(ms)} ms, following your edits`)}`);
    },
    changed(files) {
      const names = files.map((file) => relative(root, file).replaceAll("\\", "/"));
      say(`\n${paint.dim(stamp())}  ${names.join(", ")}`);
    },
    swapped(changes, ms) {
      for (const change of changes) say(`  ${changeText(change, sink)}`);
      const what = changes.length > 0 ? "Swapped" : "Swapped; nothing changed for clients";
      say(`${paint.green("✓")} ${what} ${paint.dim(`in ${Math.round(ms)} ms`)}`);
    },
    refused(serving) {
      if (serving) say(paint.yellow("The last good server keeps serving."));
      else say(paint.yellow(`Nothing is served until this is corrected. Then: ${address}`));
    },
    crashed(restarting) {
      say(
        paint.red(
          `The server stopped by itself. ${restarting ? "Starting it again." : "It starts again with the next edit."}`,
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
