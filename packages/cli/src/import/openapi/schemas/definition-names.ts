import { type ApiDocument, childrenOf, fileOf, type Part, pathOf, recordOf } from "../document/document.js";

/** Where values go: into the API, or out of it. */
export type Direction = "in" | "out";

export interface DefinitionNames {
  /** The name under which a schema that something refers to is defined. */
  nameOf(part: Part, direction: Direction): string;
}

/**
 * Names for schemas, as their documents have them. One with members that are only read or only written is two schemas, of which
 * the one for what is sent is called `…Input`.
 */
export function createDefinitionNames(document: ApiDocument): DefinitionNames {
  const names = new Map<string, string>();
  const used = new Set<string>();
  const direct = new Map<string, { readonly isDirected: boolean; readonly targets: readonly Part[] }>();

  /** What a schema says itself, without what it refers to. */
  const contentsOf = (part: Part): { readonly isDirected: boolean; readonly targets: readonly Part[] } => {
    const known = direct.get(part.place);
    if (known !== undefined) return known;
    const targets: Part[] = [];
    let isDirected = false;
    const walk = (at: Part): void => {
      const { $ref, readOnly, writeOnly } = recordOf(at.value);
      if (readOnly === true || writeOnly === true) isDirected = true;
      if (typeof $ref === "string") targets.push(document.target($ref, at));
      else for (const { key, part: child } of childrenOf(at)) if (!DATA.has(key)) walk(child);
    };
    walk(part);
    const found = { isDirected, targets };
    direct.set(part.place, found);
    return found;
  };

  const isDirected = (part: Part): boolean => {
    const seen = new Set<string>();
    const left = [part];
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.has(next.place)) continue;
      seen.add(next.place);
      const contents = contentsOf(next);
      if (contents.isDirected) return true;
      left.push(...contents.targets);
    }
    return false;
  };

  return {
    nameOf(part, direction) {
      const suffix = direction === "in" && isDirected(part) ? "Input" : "";
      const key = `${part.place} ${suffix}`;
      const known = names.get(key);
      if (known !== undefined) return known;
      const base = `${wordsFor(part)}${suffix}`;
      let name = base;
      for (let count = 2; used.has(name); count++) name = `${base}${count}`;
      used.add(name);
      names.set(key, name);
      return name;
    },
  };
}

const DATA: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

/** Parts of a way that say nothing of what is there. */
const PLACES: ReadonlySet<string> = new Set([
  "components",
  "schemas",
  "properties",
  "items",
  "definitions",
  "$defs",
  "schema",
  "content",
  "paths",
]);

function wordsFor(part: Part): string {
  const path = pathOf(part);
  const words =
    path.at(-2) === "schemas" ? path.slice(-1) : path.filter((each) => !PLACES.has(each)).slice(-3);
  const file = decodeURIComponent(fileOf(part).split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  const text = (words.length === 0 ? [file] : words).join("-").replaceAll(/[^A-Za-z0-9]+/g, "-");
  return text.replaceAll(/^-+|-+$/g, "") || "Schema";
}
