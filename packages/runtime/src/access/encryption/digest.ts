import { getNodeCrypto } from "./node-crypto.js";

/** Returns a digest of a JSON value, regardless of the order of its members. */
export function digest(value: unknown): string {
  return getNodeCrypto().createHash("sha256").update(toStableText(value)).digest("base64url").slice(0, 22);
}

function toStableText(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) => {
      if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ""
  );
}
