/**
 * Work that every measured server does, so that only the serving differs. The client computes the same results
 * with this module and compares each response with them.
 * @module
 */

import { createHash } from "node:crypto";

const SUBJECTS = ["harbor", "orchard", "railway", "lighthouse", "foundry", "meadow", "quarry", "archive"];

/** The catalog that `search` scans. It is small, so that the search itself costs almost nothing. */
const CATALOG = SUBJECTS.map((subject, index) => ({
  id: `item-${index + 1}`,
  title: `The ${subject} at the end of the line`,
  price: 10 + index * 5,
  tags: index % 2 === 0 ? ["place", subject] : ["place", "work", subject],
}));

/** ASCII, with line endings and quotes to escape, 64 KiB long. */
const DOCUMENT = 'A line of "plain" text, as documents have them.\n'.repeat(1400).slice(0, 64 * 1024);

/**
 * @param {number} a
 * @param {number} b
 */
export function add(a, b) {
  return String(a + b);
}

/**
 * @param {{
 *   query: string,
 *   limit?: number,
 *   filters?: { tags?: string[], price?: { min?: number, max?: number }, order?: "cheapest" | "dearest" },
 * }} args
 */
export function search({ query, limit = 3, filters = {} }) {
  const { tags = [], price = {}, order = "cheapest" } = filters;
  const { min = 0, max = Infinity } = price;
  const found = CATALOG.filter(
    (item) =>
      item.title.includes(query) &&
      item.price >= min &&
      item.price <= max &&
      tags.every((tag) => item.tags.includes(tag)),
  );
  if (order === "dearest") found.reverse();
  return {
    total: found.length,
    hits: found.slice(0, limit).map(({ id, title, price }) => ({ id, title, price })),
  };
}

/** Computes for half a millisecond. @param {number} seed */
export function compute(seed) {
  let digest = String(seed);
  for (let round = 0; round < 8; round++)
    digest = createHash("sha256").update(DOCUMENT).update(digest).digest("hex");
  return digest;
}

export function document() {
  return DOCUMENT;
}

/** Returns the result of an extra tool. @param {string} query @param {number | undefined} limit */
export function extra(query, limit) {
  return `${query} ${limit ?? 10}`;
}

/** @param {number} index */
export function extraName(index) {
  return `extra_${String(index).padStart(4, "0")}`;
}

/** @param {number} index */
export function extraDescription(index) {
  return `Looks up entries of collection ${index}. Use it when the user asks for something kept there.`;
}

/** Returns the number of additional tools of a server, from the environment. */
export function extraTools() {
  return Number(process.env.BENCH_EXTRA_TOOLS ?? 0);
}

/** Text that no client may receive. */
export const SECRET = "postgres://ada:hunter2@db.internal/books is down";
