import type { Steps } from "../problems/problem.js";

/** Shortens a long name in a path. */
export function truncate(name: string): string {
  return name.length > 64 ? `${name.slice(0, 63)}…` : name;
}

/** Formats the steps into a value as a path: `["trips", 0, "days"]` becomes `trips[0].days`. */
export function joinPath(steps: Steps): string {
  return steps
    .map((step, index) => {
      const text = truncate(String(step));
      if (/^\d+$/.test(text)) return `[${text}]`;
      return index === 0 ? text : `.${text}`;
    })
    .join("");
}
