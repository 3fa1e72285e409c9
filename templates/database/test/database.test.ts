import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "../src/database.js";
import { MIGRATIONS } from "../src/migrations.js";

it("stores its data in a file, and migrates it once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stock-"));
  const url = `file:${join(folder, "stock.db")}`;
  try {
    await using first = new Database(url);
    await first.change(["INSERT INTO item (sku, name, quantity) VALUES (?, ?, ?)", "A-1", "Anvil", 3]);
    await using second = new Database(url);
    expect(await second.rows("SELECT quantity FROM item")).toEqual([{ quantity: 3 }]);
    expect(await second.rows("PRAGMA user_version")).toEqual([{ user_version: MIGRATIONS.length }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("applies all statements or none", async () => {
  await using database = new Database(":memory:");
  const insert = "INSERT INTO item (sku, name, quantity) VALUES (?, ?, ?)";
  await expect(database.change([insert, "A-1", "Anvil", 3], [insert, "B-2", "Bolt", -1])).rejects.toThrow(
    "CHECK constraint failed",
  );
  expect(await database.rows("SELECT * FROM item")).toEqual([]);
});

it("enforces foreign keys", async () => {
  await using database = new Database(":memory:");
  const insert = "INSERT INTO movement (sku, change, reason) VALUES (?, ?, ?)";
  await expect(database.change([insert, "none", 1, "found"])).rejects.toThrow(
    "FOREIGN KEY constraint failed",
  );
});
