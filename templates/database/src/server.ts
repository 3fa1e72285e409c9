import { defineServer } from "@tenon/runtime";
import { Database } from "./database.js";
import { Stock } from "./stock.js";
import { StockPages } from "./stock-pages.js";
import { StockTools } from "./stock-tools.js";

const database = new Database(process.env["DATABASE_URL"] ?? "file:stock.db");
const stock = new Stock(database);

export default defineServer({
  instructions: "A stock list. Each item has a SKU: find it before you refer to the item.",
  // The server closes the database when it stops.
  provide: [database, new StockTools(stock), new StockPages(stock)],
  // Over HTTP, /readyz checks the database.
  http: { health: { ready: () => database.isReady() } },
});
