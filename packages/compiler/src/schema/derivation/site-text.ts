import type { DeclarationName } from "../../diagnostics/diagnostic.js";
import type { Direction } from "./derivation.js";

/** The declaration or form that contains a value. */
interface Owner {
  readonly direction: Direction;
  /** The declaration, if diagnostics name it. */
  readonly subject: DeclarationName | undefined;
  readonly isForm: boolean;
}

/**
 * Describes where a value is, at the beginning of a sentence.
 *
 * @param path the names of the members on the way to the value
 * @example
 * describePath(["order", "[]"], { direction: "input", subject: undefined, isForm: false })
 * // "`order → []` in the arguments"
 */
export function describePath(path: readonly string[], { direction, subject, isForm }: Owner): string {
  const of = subject ? ` of ${subject.kind} \`${subject.name}\`` : "";
  const [first] = path;
  if (direction === "output") {
    return first === undefined ? `The result${of}` : `\`${path.join(" → ")}\` in the result${of}`;
  }
  if (isForm && first !== undefined)
    return path.length === 1 ? `Field \`${first}\` of the form` : `\`${path.join(" → ")}\` in the form`;
  if (first === undefined) return of ? `The arguments object${of}` : "The value";
  return path.length === 1 ? `Argument \`${first}\`${of}` : `\`${path.join(" → ")}\` in the arguments${of}`;
}
