import { createNodeHandler } from "@tenon/runtime/node";
import fastify from "fastify";
import { server } from "../server.js";

const mcp = createNodeHandler(server);

export const app = fastify();
app.addHook("onRequest", (request, reply, next) => mcp(request.raw, reply.raw, next));
