import { defineServer } from "@tenon/runtime";
import { Database } from "./database.js";
import { Stock } from "./stock.js";
import { StockPages } from "./stock-pages.js";
import { StockTools } from "./stock-tools.js";

const database = new Database(process.env["DATABASE_URL"] ?? "file:stock.db");
const stock = new Stock(database);

export default defineServer({
  instructions: "What is in stock. Items are known by their SKU: find it before you refer to one.",
  // The database is provided, too, so that it is closed when the server stops.
  provide: [database, new StockTools(stock), new StockPages(stock)],
  // Over HTTP, /readyz says whether the database answers.
  http: { health: { ready: () => database.isReady() } },
});
