import { nodeCrypto } from "./node-crypto.js";

/** What tells one thing from another, whatever the order of its members. */
export function digest(value: unknown): string {
  return nodeCrypto().createHash("sha256").update(stableText(value)).digest("base64url").slice(0, 22);
}

function stableText(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) => {
      if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ""
  );
}
