import type { SourceSpan } from "@tenon/compiler";
import type { ServerChange } from "../compare/compare-servers.js";
import type { Effect } from "../compare/effects.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount } from "../terminal/text-format.js";
import { formatChangeGroups, type Heading, formatLabel } from "./change-groups.js";
import { CONTRACT_FILE } from "./contract.js";

/** A change with its source location. */
export interface LocatedChange extends ServerChange {
  readonly span?: SourceSpan;
}

const HEADINGS: Record<Effect, Heading> = {
  breaking: {
    text: (changes) => `BREAKING: ${formatCount(changes, "change")} that may break clients`,
    tone: "danger",
  },
  permission: { text: () => "Permissions and annotations", tone: "caution" },
  safe: { text: () => "Safe: clients can do more", tone: "plain" },
  wording: { text: () => "Wording", tone: "plain" },
};

/** Formats the changes since the contract. Ends with a line break. */
export function formatContract(changes: readonly LocatedChange[], sink: Sink): string {
  const head = `${sink.paint.bold("Contract")}  ${sink.paint.dim(`compared with ${CONTRACT_FILE}`)}`;
  if (changes.length === 0) return `${head}\n\n  No change that a client can see.\n`;
  const groups = formatChangeGroups(changes, HEADINGS, sink, formatLocation);
  // A client may lack a permission that is required now.
  const isSafe = changes.every(({ effect }) => effect === "safe" || effect === "wording");
  return [head, "", ...(isSafe ? ["  No change that may break a client.", ""] : []), ...groups].join("\n");
}

function formatLocation({ effect, span }: LocatedChange): string | undefined {
  if (span === undefined || effect === "wording") return undefined;
  return `${span.file}:${span.start.line}:${span.start.column}`;
}

/**
 * Formats the changes as annotations of a pull request.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 * @example
 * // ::error file=src/weather.ts,line=14,col=9,title=Breaking%3A tool current::argument `city` was removed
 */
export function formatAnnotations(changes: readonly LocatedChange[]): string {
  const lines = changes
    .filter(({ effect }) => effect !== "wording")
    .map((each) => {
      const level =
        each.effect === "breaking" || each.isOpened === true
          ? "error"
          : each.effect === "safe"
            ? "notice"
            : "warning";
      const location = each.span
        ? `file=${escapeProperty(each.span.file)},line=${each.span.start.line},col=${each.span.start.column},`
        : `file=${CONTRACT_FILE},`;
      return `::${level} ${location}title=${escapeProperty(`${getTitle(each)}: ${formatLabel(each)}`)}::${escapeData(each.message)}`;
    });
  return lines.map((line) => `${line}\n`).join("");
}

function getTitle({ effect }: ServerChange): string {
  return { breaking: "Breaking", permission: "Permission", safe: "Safe", wording: "Wording" }[effect];
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
