import type { ServerGrade, ToolGrade } from "@tenon/compiler";
import type { Sink } from "../terminal/terminal.js";
import { wrap } from "../terminal/text-format.js";

/** Maximum number of tools that are named with a common improvement. */
const MAX_NAMED_TOOLS = 3;

/** Formats the grade of all definitions, and the best improvement of each tool. Ends with an empty line. */
export function formatGrade(grade: ServerGrade, { paint, columns }: Sink): string {
  const { tools, tier, score, definitions, coherence } = grade;
  const edits = new Set(tools.flatMap(({ improvement }) => improvement?.edit ?? []));
  const lines = [...edits].flatMap((edit) => {
    const improvable = tools.filter(({ improvement }) => improvement?.edit === edit);
    const [head = "", ...rest] = wrap(`${describeTools(improvable)}: ${edit}`, columns - 4);
    return [`  ${head}`, ...rest.map((line) => `    ${line}`)];
  });
  const parts = `definitions ${definitions.toFixed(1)}, number and names of tools ${coherence.toFixed(1)}`;
  return [
    `${paint.bold(`Grade ${tier}`)} ${score.toFixed(1)} of 5  ${paint.dim(parts)}`,
    ...lines,
    "",
    "",
  ].join("\n");
}

/** Names tools with a common improvement, and the grade of the worst before and after it. */
function describeTools(tools: readonly ToolGrade[]): string {
  const names = tools.slice(0, MAX_NAMED_TOOLS).map(({ name }) => name);
  const others = tools.length - names.length;
  const worst = tools.toSorted((a, b) => a.score - b.score)[0];
  const all = others > 0 ? `${names.join(", ")}, and ${others} more` : names.join(", ");
  return `${all}  ${worst?.tier} ${worst?.score.toFixed(1)} → ${worst?.improvement?.score.toFixed(1)}`;
}
