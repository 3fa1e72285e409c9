import type { SourceSpan } from "@tenon/compiler";
import type { Paint, Sink } from "../terminal/terminal.js";
import { count, padEnd, widestOf, wrap } from "../terminal/text-format.js";
import { CONTRACT_FILE } from "./contract.js";
import type { ContractChange, ContractEffect } from "./contract-changes.js";

/** A change, and where it was made. */
export interface LocatedChange extends ContractChange {
  readonly span?: SourceSpan;
}

const HEADINGS: Record<ContractEffect, (changes: number) => string> = {
  breaking: (changes) => `BREAKING: ${count(changes, "change")} that clients may trip over`,
  permission: () => "Who may, and what clients are told of effects",
  safe: () => "Safe: clients can do more",
  wording: () => "Wording",
};

const WIDEST_NAME = 40;

/** What is different from the contract, for people. Ends with a line break. */
export function contractReport(changes: readonly LocatedChange[], { paint, columns }: Sink): string {
  const head = `${paint.bold("Contract")}  ${paint.dim(`compared with ${CONTRACT_FILE}`)}`;
  if (changes.length === 0) return `${head}\n\n  Clients see what they saw before.\n`;
  const width = Math.min(WIDEST_NAME, widestOf(changes.map(labelOf)));
  const groups = (Object.keys(HEADINGS) as ContractEffect[]).flatMap((effect) => {
    const found = changes.filter((each) => each.effect === effect);
    if (found.length === 0) return [];
    const lines = found.flatMap((each) => {
      const [first = "", ...rest] = wrap(each.message, Math.max(20, columns - width - 6));
      return [
        `    ${padEnd(labelOf(each), width)}  ${first}`,
        ...rest.map((line) => `${" ".repeat(width + 6)}${line}`),
        ...(each.span === undefined || effect === "wording"
          ? []
          : [`${" ".repeat(width + 6)}${paint.dim(placeOf(each.span))}`]),
      ];
    });
    return [`  ${paintOf(effect, paint)(HEADINGS[effect](found.length))}`, ...lines, ""];
  });
  return `${[head, "", ...groups].join("\n")}`;
}

/**
 * The same as annotations of a pull request.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 * @example
 * // ::error file=src/weather.ts,line=14,col=9,title=Breaking%3A tool current::argument `city` is gone
 */
export function contractAnnotations(changes: readonly LocatedChange[]): string {
  const lines = changes
    .filter(({ effect }) => effect !== "wording")
    .map((each) => {
      const level =
        each.effect === "breaking" || each.isOpened === true
          ? "error"
          : each.effect === "safe"
            ? "notice"
            : "warning";
      const place = each.span
        ? `file=${property(each.span.file)},line=${each.span.start.line},col=${each.span.start.column},`
        : `file=${CONTRACT_FILE},`;
      return `::${level} ${place}title=${property(`${titleOf(each)}: ${labelOf(each)}`)}::${data(each.message)}`;
    });
  return lines.map((line) => `${line}\n`).join("");
}

function titleOf({ effect }: ContractChange): string {
  return { breaking: "Breaking", permission: "Permission", safe: "Safe", wording: "Wording" }[effect];
}

function labelOf({ kind, name }: ContractChange): string {
  return name === "" ? kind : `${kind} ${name}`;
}

function placeOf({ file, start }: SourceSpan): string {
  return `${file}:${start.line}:${start.column}`;
}

function paintOf(effect: ContractEffect, paint: Paint): (text: string) => string {
  if (effect === "breaking") return (text) => paint.bold(paint.red(text));
  return effect === "permission" ? paint.yellow : paint.bold;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
