import { type ApiDocument, asObject, type Target } from "../document/document.js";
import { createUniqueName } from "../document/names.js";

/** The direction of values: into the API, or out of it. */
export type Direction = "in" | "out";

/** A function that returns the target of a reference, and the name of its definition. */
export type NameDefinition = (
  reference: Target,
  direction: Direction,
) => { readonly name: string; readonly schema: unknown };

const MAX_ALIASES = 10;

/**
 * Creates a function that names definitions as the document does. A schema with read-only or write-only members
 * becomes two definitions. The one for values to send is called `…Input`.
 */
export function createDefinitionNames(document: ApiDocument): NameDefinition {
  const names = { in: new Map<unknown, string>(), out: new Map<unknown, string>() };
  const used = new Set<string>();
  const sameInBoth = new Set<unknown>();

  /** Returns whether anything that a schema contains or refers to is read-only or write-only. */
  const isDirected = (schema: unknown): boolean => {
    const seen = new Set<unknown>();
    const remaining = [schema];
    while (remaining.length > 0) {
      const next = remaining.pop();
      if (typeof next !== "object" || next === null || seen.has(next) || sameInBoth.has(next)) continue;
      seen.add(next);
      const object = asObject(next);
      if (object["readOnly"] === true || object["writeOnly"] === true) return true;
      const target = document.findTarget(object);
      if (target !== undefined) remaining.push(target.value);
      else remaining.push(...Object.entries(next).flatMap(([key, each]) => (DATA.has(key) ? [] : [each])));
    }
    for (const each of seen) sameInBoth.add(each);
    return false;
  };

  /** Follows a schema that is a reference to one of the same name in another file: both are one definition. */
  const followAlias = (target: Target, depth = 0): Target => {
    const alias = asObject(target.value);
    const next = document.findTarget(alias);
    const isAlias =
      next !== undefined &&
      Object.keys(alias).length === 1 &&
      describeLocation(next) === describeLocation(target);
    return isAlias && depth < MAX_ALIASES ? followAlias(next, depth + 1) : target;
  };

  return (reference, direction) => {
    const target = followAlias(reference);
    const isInput = direction === "in" && isDirected(target.value);
    const named = names[isInput ? "in" : "out"];
    const base = `${describeLocation(target)}${isInput ? "Input" : ""}`;
    const name = named.get(target.value) ?? createUniqueName(base, used);
    named.set(target.value, name);
    return { name, schema: target.value };
  };
}

const DATA: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

/** Names of containers, which do not describe the schemas in them. */
const CONTAINERS: ReadonlySet<string> = new Set(
  "components schemas properties items definitions $defs schema content paths".split(" "),
);

function describeLocation({ file, path }: Target): string {
  const parts =
    path.at(-2) === "schemas" ? path.slice(-1) : path.filter((each) => !CONTAINERS.has(each)).slice(-3);
  const fileName = decodeURIComponent(file.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  const text = (parts.length === 0 ? [fileName] : parts).join("-").replaceAll(/[^A-Za-z0-9]+/g, "-");
  return text.replaceAll(/^-+|-+$/g, "") || "Schema";
}
