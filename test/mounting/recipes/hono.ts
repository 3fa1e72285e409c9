import { getConnInfo } from "@hono/node-server/conninfo";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Context, Hono } from "hono";
import { server } from "../server.js";

const mcp = createHttpHandler(server, { address: (_, c: Context) => getConnInfo(c).remote.address });

export const app = new Hono();
app.all("/mcp", (c) => mcp(c.req.raw, c));
app.all("/.well-known/oauth-protected-resource/*", (c) => mcp(c.req.raw, c));
