import type { JsonSchema } from "../protocol/json-schema.js";

/** What those find out about a call who serve it, where somebody observes it. */
export interface CallNotes {
  /** What it reached. */
  target?: {
    readonly entry: { readonly definition: { readonly name: string } };
    readonly arguments?: { readonly schema: JsonSchema };
  };
  /** The handler was called. */
  began?: boolean;
  /** What its handler, or the failure of it, came to. */
  result?: unknown;
  /** Of its internal error. */
  reference?: string;
  /** The answer did not come from the handler. */
  outcome?: "task" | "timeout" | "refused";
}
