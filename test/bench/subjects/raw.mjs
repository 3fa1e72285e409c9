/**
 * The physical limit: a hand-written loop that parses, looks up, calls, and stringifies, and checks nothing. It
 * responds in the era of each request.
 */
import { readFileSync } from "node:fs";
import { add, document, extra, extraTools, search } from "./workload.mjs";

const SERVER_INFO = '{"name":"bench","version":"1.0.0"}';
const MODERN = `,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":${SERVER_INFO}}`;
const HANDSHAKE = `"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":${SERVER_INFO}`;
/** The JSON text of the list, prepared in advance. */
const LIST = `"tools":${readFileSync(new URL(`./tools-${extraTools()}.json`, import.meta.url), "utf8")}`;

/** @param {string} text */
const textMembers = (text) => `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;

/** @type {Record<string, (args: any) => string>} */
const TOOLS = {
  add: (args) => textMembers(add(args.a, args.b)),
  search: (args) => {
    const json = JSON.stringify(search(args));
    return `${textMembers(json)},"structuredContent":${json}`;
  },
  document: () => textMembers(document()),
};

/** @param {any} message */
function members(message) {
  switch (message.method) {
    case "tools/call": {
      const { name, arguments: args } = message.params;
      return (TOOLS[name] ?? ((each) => textMembers(extra(each.query, each.limit))))(args);
    }
    case "tools/list":
      return LIST;
    case "initialize":
      return HANDSHAKE;
    default:
      return "";
  }
}

/** @param {string} text @returns {string | undefined} */
function answer(text) {
  const message = JSON.parse(text);
  if (message.id === undefined) return undefined;
  const modern = message.params?._meta === undefined ? "" : MODERN;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{${members(message)}${modern}}}`;
}

function serveStdio() {
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    let replies = "";
    for (const line of lines) {
      const reply = answer(line);
      if (reply !== undefined) replies += `${reply}\n`;
    }
    if (replies !== "") process.stdout.write(replies);
  });
  process.stdin.on("end", () => process.exit(0));
}

async function serveHttp() {
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const text = answer(body);
      if (text === undefined) {
        response.writeHead(202).end();
        return;
      }
      response
        .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
        .end(text);
    });
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    process.stderr.write(`http://127.0.0.1:${port}/mcp\n`);
  });
}

if (process.argv.includes("--http")) await serveHttp();
else serveStdio();
