import { connect } from "@tenon/cli/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "../src/database.js";
import { Stock } from "../src/stock.js";
import { StockPages } from "../src/stock-pages.js";
import { StockTools } from "../src/stock-tools.js";

let database: Database;
let server: Awaited<ReturnType<typeof connect>>;

// Each test has its own database in memory instead of the one in src/server.ts.
beforeEach(async () => {
  database = new Database(":memory:");
  const stock = new Stock(database);
  server = await connect(new URL("..", import.meta.url), {
    provide: [database, new StockTools(stock), new StockPages(stock)],
  });
});
afterEach(() => server.close());

const board = { sku: "OAK-40", name: "Oak board, 40 mm", quantity: 12 };

describe("the stock", () => {
  it("is empty at first", async () => {
    expect(await server.tools.find_items()).toEqual([]);
  });

  it("adds an item only once", async () => {
    expect(await server.tools.add_item(board)).toEqual(board);
    await expect(server.tools.add_item({ ...board, quantity: 99 })).rejects.toThrow("already in stock");
    expect(await server.tools.find_items({ text: "oak" })).toEqual([board]);
    expect(await server.tools.find_items({ text: "%" })).toEqual([]);
  });

  it("treats SQL in values as text", async () => {
    const name = `Robert'); DROP TABLE item; --`;
    await server.tools.add_item({ sku: "BOB-1", name });
    expect(await server.tools.find_items({ text: name })).toMatchObject([{ sku: "BOB-1", quantity: 0 }]);
  });

  it("moves only items that are in stock, and records the reason", async () => {
    await server.tools.add_item(board);
    expect(await server.tools.move_items({ sku: "OAK-40", change: -5, reason: "a table" })).toMatchObject({
      quantity: 7,
    });
    await expect(server.tools.move_items({ sku: "OAK-40", change: -8, reason: "a bench" })).rejects.toThrow(
      "There are only 7 of OAK-40",
    );
    await expect(server.tools.move_items({ sku: "ELM", change: 1, reason: "found" })).rejects.toThrow(
      "no item ELM",
    );
    const { quantity, movements } = await server.resources.item({ sku: "OAK-40" });
    expect(quantity).toBe(7);
    expect(movements).toMatchObject([
      { change: -5, reason: "a table" },
      { change: 12, reason: "initial count" },
    ]);
  });

  it("rejects invalid arguments without changing the stock", async () => {
    await expect(server.tools.add_item({ ...board, sku: "oak" })).rejects.toThrow("sku");
    await expect(server.tools.add_item({ ...board, quantity: -1 })).rejects.toThrow("quantity");
    expect(await server.tools.find_items()).toEqual([]);
  });
});

it("rejects the page of an unknown item", async () => {
  await expect(server.resources.item({ sku: "ELM" })).rejects.toThrow("There is no item ELM.");
});

it("provides a prompt", async () => {
  const messages = await server.prompts.reorder({ below: 5 });
  expect(messages).toMatchObject([{ content: { text: expect.stringContaining("below 5") } }]);
});
