import { readdirSync } from "node:fs";
import { join } from "node:path";
import { oauth } from "@tenon/runtime/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Issuer, startIssuer } from "./issuer.js";
import type { Row } from "./tables/row.js";
import { openTables, type Tables } from "./tables/run-rows.js";

const folder = join(import.meta.dirname, "tables");
const files = readdirSync(folder).filter((file) => /^rfc\d+\.ts$/.test(file));

let issuer: Issuer;
let tables: Tables;
beforeAll(async () => {
  issuer = await startIssuer();
  tables = await openTables(oauth, issuer);
});
afterAll(async () => {
  await tables.close();
  await issuer.close();
});

describe.each(files)("%s", async (file) => {
  const { rows } = (await import(join(folder, file))) as { rows: Row[] };

  test.each(rows.map((row): [string, Row] => [`${row.section}: ${row.title}`, row]))("%s", async (_, row) => {
    expect(await tables.run(row)).toEqual([]);
  });
});
