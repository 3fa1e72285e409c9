import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row.js";

/** The tables of this folder, by the RFCs that they are of. */
export async function readTables(): Promise<ReadonlyMap<string, readonly Row[]>> {
  const files = readdirSync(import.meta.dirname).filter((file) => /^rfc\d+\.ts$/.test(file));
  const tables = await Promise.all(
    files.map(async (file) => {
      const { rows } = (await import(join(import.meta.dirname, file))) as { rows: Row[] };
      return [file.replace(/^rfc(\d+)\.ts$/, "RFC $1"), rows] as const;
    }),
  );
  return new Map(tables);
}
