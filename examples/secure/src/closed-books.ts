import { ToolError, type Middleware } from "@tenon/runtime";
import type { Ledger } from "./ledger.js";

/** Creates middleware that, once the books are closed, rejects calls to tools that change data. */
export function protectClosedBooks(ledger: Ledger): Middleware {
  return ({ method, definition }, next) => {
    const isTool = method === "tools/call" && "inputSchema" in definition;
    const isChange = isTool && definition.annotations?.readOnlyHint !== true;
    if (ledger.isClosed && isChange) throw new ToolError("The books are closed.");
    return next();
  };
}
