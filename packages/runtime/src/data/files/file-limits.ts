import { formatByteCount, formatExcess } from "../problems/format-byte-count.js";
import type { FileLimits } from "../../manifest.js";

/** Returns a MIME type without parameters, in lower case. */
export function getMimeEssence(type: string): string {
  return (type.split(";")[0] ?? "").trim().toLowerCase();
}

/**
 * Returns the problem with the size of a file, or undefined.
 *
 * @param size number of bytes
 * @example
 * findSizeProblem(7_000_000, { maxBytes: 5_000_000 }) // "must be a file of at most 5 MB, but is 7 MB"
 */
export function findSizeProblem(size: number, { maxBytes }: FileLimits): string | undefined {
  if (maxBytes === undefined || size <= maxBytes) return undefined;
  return `must be a file of at most ${formatByteCount(maxBytes)}, but is ${formatExcess(size, maxBytes)}`;
}

/**
 * Returns the problem with the MIME type of a file, or undefined. The type is the one that the client declares: the
 * content is not examined.
 *
 * @example
 * findTypeProblem("text/plain", { accept: ["image/*"] }) // 'must be a file of type image/*, but has the type "text/plain"'
 */
export function findTypeProblem(type: string, { accept }: FileLimits): string | undefined {
  if (accept === undefined || isAccepted(getMimeEssence(type), accept)) return undefined;
  const expected = `must be a file of type ${accept.join(" or ")}`;
  if (type !== "") return `${expected}, but has the type "${type}"`;
  const example = accept.find((each) => !each.endsWith("/*")) ?? (accept[0] ?? "").replace("*", "…");
  return `${expected}; specify its type in a data URI, such as "data:${example};base64,…"`;
}

function isAccepted(type: string, accept: readonly string[]): boolean {
  return accept.some((each) => (each.endsWith("/*") ? type.startsWith(each.slice(0, -1)) : type === each));
}
