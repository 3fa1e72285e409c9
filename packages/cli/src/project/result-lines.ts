import type { Manifest } from "@tenon/runtime/manifest";
import type { Paint } from "../terminal/terminal.js";
import { padEnd, summarize, getMaxWidth } from "../terminal/text-format.js";

/** Formats the line that reports a successful command. */
export function formatSuccess(manifest: Manifest, seconds: number, paint: Paint): string {
  const { name, version } = manifest.server;
  const time = paint.dim(`in ${seconds.toFixed(1)} s`);
  return `${paint.green("✓")} ${paint.bold(name)} ${version}: ${summarize(manifest)} ${time}`;
}

/**
 * Formats files and their sizes in two columns.
 *
 * @param rows the labels, with sizes in bytes
 */
export function formatSizes(rows: readonly { label: string; size: number }[]): string[] {
  const width = getMaxWidth(rows.map(({ label }) => label));
  return rows.map(({ label, size }) => `${padEnd(label, width)}  ${(size / 1024).toFixed(1).padStart(6)} kB`);
}
