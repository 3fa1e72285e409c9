import type { Steps } from "../problems/problem.js";

/** Shortens a long name in a path. */
export function truncate(name: string): string {
  return name.length > 64 ? `${name.slice(0, 63)}…` : name;
}

/** Formats the steps into a value as a path: `["trips", 0, "a.b", "days"]` becomes `trips[0]["a.b"].days`. */
export function joinPath(steps: Steps): string {
  return steps
    .map((step, index) => {
      const name = truncate(String(step));
      if (/^\d+$/.test(name)) return `[${name}]`;
      // Other names could look like several steps, or like several lines.
      if (!/^[^\s.[\]`]+$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}
