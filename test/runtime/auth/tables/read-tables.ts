import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row.js";

/** Reads the tables of this folder, by RFC: `rfc6750.ts`, or in parts `rfc9449-proofs.ts`. */
export async function readTables(): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, readonly Row[]>();
  for (const file of readdirSync(import.meta.dirname)) {
    const [, number] = /^rfc(\d+)(?:-\w+)?\.ts$/.exec(file) ?? [];
    if (number === undefined) continue;
    const { rows } = (await import(join(import.meta.dirname, file))) as { rows: readonly Row[] };
    const name = `RFC ${number}`;
    tables.set(name, [...(tables.get(name) ?? []), ...rows]);
  }
  return tables;
}
