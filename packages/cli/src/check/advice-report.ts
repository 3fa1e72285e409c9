import { formatError } from "../terminal/error-lines.js";
import type { Sink, Terminal } from "../terminal/terminal.js";
import { wrap } from "../terminal/text-format.js";
import type { Advice } from "./advice-entry.js";

/** Formats advice as text. Ends with a line break, unless it is empty. */
function formatAdvice(advice: readonly Advice[], { paint, columns }: Sink): string {
  if (advice.length === 0) return "";
  const subjects = [...new Set(advice.map(formatSubject))];
  const groups = subjects.flatMap((subject) => {
    const found = advice.filter((each) => formatSubject(each) === subject);
    const lines = found.flatMap(({ message }) => {
      const [head = "", ...rest] = wrap(message, columns - 6);
      return [`    - ${head}`, ...rest.map((line) => `      ${line}`)];
    });
    return [`  ${paint.bold(paint.cyan(subject))}`, ...lines];
  });
  return `${[paint.bold("Suggestions"), ...groups, ""].join("\n")}\n`;
}

function formatSubject({ kind, name }: Advice): string {
  return name === "" ? kind : `${kind} ${name}`;
}

/**
 * Writes suggestions. If the definitions exceed a budget that the user has set, their size is an error instead.
 *
 * @returns whether the definitions exceed the budget
 */
export function writeAdvice(
  { out, err }: Terminal,
  advice: readonly Advice[],
  { maxTokens, json = false }: { maxTokens?: number; json?: boolean },
): boolean {
  const excess =
    maxTokens === undefined
      ? undefined
      : advice.find(({ about, kind }) => about === "size" && kind === "server");
  if (!json)
    out.write(
      formatAdvice(
        advice.filter((each) => each !== excess),
        out,
      ),
    );
  if (excess !== undefined)
    err.write(formatError(`${excess.message[0]?.toUpperCase()}${excess.message.slice(1)}.`, err));
  return excess !== undefined;
}
