import type { ServerGrade } from "@tenon/compiler";
import type { Sink } from "../terminal/terminal.js";
import { count, wrap } from "../terminal/text-format.js";

/** Formats the grade of all definitions and, for each tool, the improvement with the greatest gain. Ends with an empty line. */
export function formatGrade(grade: ServerGrade, { paint, columns }: Sink): string {
  const { tools, tier, score, definitions, coherence } = grade;
  const improvable = tools.flatMap(({ name, improvement, ...each }) =>
    improvement === undefined ? [] : [{ name, improvement, ...each }],
  );
  const lines = improvable.flatMap(({ name, improvement, ...each }) => {
    const text = `${name}  ${each.tier} ${each.score.toFixed(1)} → ${improvement.score.toFixed(1)}: ${improvement.edit}`;
    const [head = "", ...rest] = wrap(text, columns - 4);
    return [`  ${head}`, ...rest.map((line) => `    ${line}`)];
  });
  return [
    `${paint.bold(`Grade ${tier}`)} ${score.toFixed(1)} of 5  ${paint.dim(`definitions ${definitions.toFixed(1)}, coherence ${coherence.toFixed(1)} of ${count(tools.length, "tool")}`)}`,
    ...lines,
    "",
    "",
  ].join("\n");
}
