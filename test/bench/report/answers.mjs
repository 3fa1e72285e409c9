import { table } from "./numbers.mjs";

/** @param {Map<string, Map<string, string>>} answers by probe and subject */
export function answersTable(answers) {
  const [first] = answers.values();
  const head = ["", ...(first?.keys() ?? [])];
  const rows = [...answers].map(([name, bySubject]) => [name, ...bySubject.values()]);
  return `## Behavior

The same tools in each server, over stdio at 2025-11-25, with the default options.

${table(head, rows)}`;
}
