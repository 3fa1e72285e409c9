import { ToolError, type Middleware } from "@tenon/runtime";
import type { Ledger } from "./ledger.js";

/** Middleware that rejects calls to tools that change something after the books are closed. */
export function closedBooks(ledger: Ledger): Middleware {
  return ({ method, definition }, next) => {
    const isTool = method === "tools/call" && "inputSchema" in definition;
    const isChange = isTool && definition.annotations?.readOnlyHint !== true;
    if (ledger.isClosed && isChange) throw new ToolError("The books are closed.");
    return next();
  };
}
