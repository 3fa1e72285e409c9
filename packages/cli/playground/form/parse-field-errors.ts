/** The server's messages about fields, by field ID. */
export type FieldErrors = ReadonlyMap<string, string>;

/**
 * Finds the fields of a form that a server's error message names, with the message about each.
 *
 * @param text the error message
 * @param form the ID of the form
 * @example
 * parseFieldErrors('Invalid arguments for tool "plan": `how.bags` must be at most 3 (got 9).', "tool-plan")
 * // Map { "tool-plan-how-bags" → "`how.bags` must be at most 3 (got 9)." }
 */
export function parseFieldErrors(text: string, form: string): FieldErrors {
  const [, issues] = /^Invalid arguments for (?:tool|prompt) "[^"]*":\s*(.*)$/s.exec(text) ?? [];
  const found = (issues ?? "").split(/\n- |; |^- /).flatMap((issue) => {
    const [, path] = /`([^`]+)`/.exec(issue) ?? [];
    if (path === undefined || issue.startsWith("unknown")) return [];
    return [[`${form}${toIdSuffix(path)}`, issue] as const];
  });
  return new Map(found);
}

/** Returns the end of a field's ID: `-how-two words` for the path `how["two words"]`. */
function toIdSuffix(path: string): string {
  const steps = path.match(/\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/g) ?? [];
  return steps.map((step) => `-${step.startsWith("[") ? String(JSON.parse(step)) : step}`).join("");
}
