// app/mcp/route.ts
import { createHttpHandler } from "@tenon/runtime/http";
import { server } from "../../dist/app.js";

const mcp = createHttpHandler(server);
export { mcp as DELETE, mcp as GET, mcp as OPTIONS, mcp as POST };
