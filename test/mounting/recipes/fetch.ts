import { createHttpHandler } from "@tenon/runtime/http";
import { server } from "../server.js";

export const app = { fetch: createHttpHandler(server) };
