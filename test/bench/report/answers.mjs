import { table } from "./numbers.mjs";

/** @param {Map<string, Map<string, string>>} answers by what was done and by subject */
export function answersTable(answers) {
  const [first] = answers.values();
  const head = ["", ...(first?.keys() ?? [])];
  const rows = [...answers].map(([name, bySubject]) => [name, ...bySubject.values()]);
  return `## What each does

The same tools in each, over stdio at 2025-11-25, as a newcomer writes them: nothing is set that is not set by default.

${table(head, rows)}`;
}
