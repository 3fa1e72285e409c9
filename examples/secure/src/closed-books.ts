import { ToolError, type Middleware } from "@tenon/runtime";
import type { Ledger } from "./ledger.js";

/** Middleware of one's own: once the books are closed, no tool is called that changes something. */
export function closedBooks(ledger: Ledger): Middleware {
  return ({ method, definition }, next) => {
    const isTool = method === "tools/call" && "inputSchema" in definition;
    const changes = isTool && definition.annotations?.readOnlyHint !== true;
    if (ledger.isClosed && changes) throw new ToolError("The books are closed.");
    return next();
  };
}
