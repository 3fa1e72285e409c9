/** An issue that the client's schema library lists in the message of an error. */
interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Replaces the list of a schema's issues in an error message, which is JSON over many lines, with its first issue.
 *
 * @example
 * summarizeIssues(`Invalid result: [\n  { "path": ["tools", 0, "name"], "message": "expected string" }\n]`)
 * // "Invalid result: `tools.0.name`: expected string"
 */
export function summarizeIssues(message: string): string {
  return message.replace(/\[\n[^]*\n\]$/, (list) => {
    const [first] = parseIssues(list);
    if (first === undefined) return list;
    return first.path.length > 0 ? `\`${first.path.join(".")}\`: ${first.message}` : first.message;
  });
}

function parseIssues(list: string): readonly SchemaIssue[] {
  try {
    return JSON.parse(list) as SchemaIssue[];
  } catch {
    return [];
  }
}
