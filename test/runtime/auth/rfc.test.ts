import { readdirSync } from "node:fs";
import { join } from "node:path";
import { oauth } from "@tenon/runtime/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "./tables/row.js";
import { byListener, openTables, type Tables } from "./tables/run-rows.js";

const folder = join(import.meta.dirname, "tables");
const files = readdirSync(folder).filter((file) => /^rfc\d+\.ts$/.test(file));

let tables: Tables;
beforeAll(async () => {
  tables = await openTables(oauth, byListener);
});
afterAll(() => tables.close());

describe.each(files)("%s", async (file) => {
  const { rows } = (await import(join(folder, file))) as { rows: Row[] };

  test.each(rows.map((row): [string, Row] => [`${row.section}: ${row.title}`, row]))("%s", async (_, row) => {
    expect(await tables.run(row)).toEqual([]);
  });
});
