import { defineServer } from "@tenon/runtime";
import { workers } from "@tenon/runtime/workers";
import { Shop } from "./shop.mjs";
import { ShopTools } from "./tools.js";

export default defineServer({
  provide: [new ShopTools(Shop.open())],
  store: workers(),
  http: { sessions: process.env["FIELD_SESSIONS"] === "1" },
});
