/**
 * The tools on `node:http` alone: parses, calls, and stringifies, and checks nothing. With `FIELD_SESSIONS`, it has sessions,
 * which are only names.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { listen, start } from "./processes.mjs";
import { Shop } from "./shop.mjs";

const LIST = `{"tools":${readFileSync(new URL("tools.json", import.meta.url), "utf8")}}`;
const HAS_SESSIONS = process.env.FIELD_SESSIONS === "1";
const OPENED =
  '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"field","version":"1.0.0"}}';

start(() => {
  const shop = Shop.open();
  /** @type {Record<string, (args: any) => Promise<object>>} */
  const tools = {
    search_products: (args) => shop.searchProducts(args.category, args.min_price, args.max_price, args.limit),
    get_user_cart: (args) => shop.getUserCart(args.user_id),
    checkout: (args) => shop.checkout(args.user_id, args.items),
  };

  /** @param {any} message @returns {Promise<string>} JSON text */
  const getResult = async ({ method, params }) => {
    if (method === "initialize") return OPENED;
    if (method === "tools/list") return LIST;
    const value = await tools[params.name]?.(params.arguments);
    return `{"content":[{"type":"text","text":${JSON.stringify(JSON.stringify(value))}}]}`;
  };

  const server = createServer((request, response) => {
    if (request.method === "DELETE") return void response.writeHead(200, { "content-length": 0 }).end();
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
    request.on("end", async () => {
      const message = JSON.parse(body);
      if (message.id === undefined) return void response.writeHead(202, { "content-length": 0 }).end();
      const text = `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${await getResult(message)}}`;
      response
        .writeHead(200, {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text),
          ...(HAS_SESSIONS && message.method === "initialize" && { "mcp-session-id": randomUUID() }),
        })
        .end(text);
    });
  });
  listen(server);
});
