import type { JsonSchema } from "../../protocol/json-schema.js";

/** The facts about a call that stages record for observers. */
export interface CallNotes {
  /** The declaration that the call reached. Without an entry, its arguments are those that the call may have meant. */
  target?:
    | {
        readonly entry?: { readonly definition: { readonly name: string } };
        readonly arguments?: { readonly schema: JsonSchema };
      }
    | undefined;
  /** Whether the handler has been called. */
  hasBegun?: boolean;
  /** The result that was built from the handler's value or failure. */
  result?: unknown;
  /** The reference of the call's internal error. */
  reference?: string;
  /** The outcome, if the response does not come from the handler. */
  outcome?: "task" | "timeout" | "rejected";
}
