/**
 * The published server, rebuilt: version 1.26 of the official SDK on Express, which creates a server for each request,
 * without sessions. It responds with streams of events, as that version does by default.
 */
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { z } from "zod";
import { listen, start } from "./processes.mjs";
import { Shop } from "./shop.mjs";

const ITEMS = [
  { product_id: 42, quantity: 2 },
  { product_id: 1337, quantity: 1 },
];

const inText = async (value) => ({ content: [{ type: "text", text: JSON.stringify(await value) }] });

function withTools(shop) {
  const server = new McpServer({ name: "field", version: "1.0.0" });
  server.tool(
    "search_products",
    "Searches products of a category in a range of prices, with their popularity",
    {
      category: z.string().default("Electronics"),
      min_price: z.number().default(50),
      max_price: z.number().default(500),
      limit: z.number().default(10),
    },
    (args) => inText(shop.searchProducts(args.category, args.min_price, args.max_price, args.limit)),
  );
  server.tool(
    "get_user_cart",
    "Returns the cart of a user, and the latest orders",
    { user_id: z.string().default("user-00042") },
    ({ user_id }) => inText(shop.getUserCart(user_id)),
  );
  server.tool(
    "checkout",
    "Confirms an order",
    {
      user_id: z.string().default("user-00042"),
      items: z.array(z.object({ product_id: z.number(), quantity: z.number() })).default(ITEMS),
    },
    ({ user_id, items }) => inText(shop.checkout(user_id, items)),
  );
  return server;
}

start(() => {
  const shop = Shop.open();
  const app = express();
  app.use(express.json());
  const serve = async (request, response) => {
    const server = withTools(shop);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    try {
      await server.connect(transport);
      await transport.handleRequest(request, response, request.body);
    } finally {
      await transport.close();
      await server.close();
    }
  };
  app.post("/mcp", (request, response, next) => void serve(request, response).catch(next));
  listen(createServer(app));
});
