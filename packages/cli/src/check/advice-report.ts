import type { Sink } from "../terminal/terminal.js";
import { wrap } from "../terminal/text-format.js";
import type { Advice } from "./advice.js";

/** What is worth a second look, for reading. Ends with a line break; empty where there is nothing. */
export function adviceReport(advice: readonly Advice[], { paint, columns }: Sink): string {
  if (advice.length === 0) return "";
  const subjects = [...new Set(advice.map(subjectOf))];
  const groups = subjects.flatMap((subject) => {
    const found = advice.filter((each) => subjectOf(each) === subject);
    const lines = found.flatMap(({ message }) => {
      const [head = "", ...rest] = wrap(message, columns - 6);
      return [`    - ${head}`, ...rest.map((line) => `      ${line}`)];
    });
    return [`  ${paint.bold(paint.cyan(subject))}`, ...lines];
  });
  return `${[paint.bold("Worth a look"), ...groups, ""].join("\n")}\n`;
}

function subjectOf({ kind, name }: Advice): string {
  return name === "" ? kind : `${kind} ${name}`;
}
