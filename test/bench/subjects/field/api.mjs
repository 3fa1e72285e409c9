/**
 * The HTTP API that the tools call. It stores the response to each search, so that it uses little of the processors,
 * which it shares with the measured servers.
 */
import { createServer } from "node:http";
import { priceOrder, product, searchCatalog } from "./catalog.mjs";

/** @type {Map<string, string>} */
const responses = new Map();

/** @param {string} path @returns {string} JSON text */
function get(path) {
  const known = responses.get(path);
  if (known !== undefined) return known;
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const read = (/** @type {string} */ name) => searchParams.get(name) ?? "";
  const value =
    pathname === "/products/search"
      ? searchCatalog(
          read("category"),
          Number(read("min_price")),
          Number(read("max_price")),
          Number(read("limit")),
        )
      : product(Number(pathname.slice("/products/".length)));
  const text = JSON.stringify(value);
  responses.set(path, text);
  return text;
}

const server = createServer((request, response) => {
  const send = (/** @type {string} */ text) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    response.writeHead(200, headers).end(text);
  };
  if (request.method === "GET") return send(get(request.url ?? ""));
  let body = "";
  request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
  request.on("end", () => send(JSON.stringify(priceOrder(JSON.parse(body)))));
});
// A connection that the tools keep open must not end between two of their requests.
server.keepAliveTimeout = 3_600_000;
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stderr.write(`http://127.0.0.1:${port}\n`);
});
