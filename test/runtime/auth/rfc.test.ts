import * as auth from "@tenon/runtime/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Issuer, startIssuer } from "./issuer.js";
import type { Row } from "./tables/row.js";
import { readTables } from "./tables/read-tables.js";
import { openTables, type Tables } from "./tables/run-rows.js";

let issuer: Issuer;
let tables: Tables;
beforeAll(async () => {
  issuer = await startIssuer();
  tables = await openTables(auth, issuer);
});
afterAll(async () => {
  await tables.close();
  await issuer.close();
});

describe.each([...(await readTables())])("%s", (_rfc, rows) => {
  test.each(
    rows.map((row): [string, Row] => [
      `section ${row.section}: responds with ${row.expected.status} for ${row.title}`,
      row,
    ]),
  )("%s", async (_, row) => {
    expect(await tables.run(row)).toEqual([]);
  });
});
