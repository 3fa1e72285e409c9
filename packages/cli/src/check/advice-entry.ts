import type { EntryKind } from "../project/declared-entries.js";

/** A suggestion to improve a definition that all clients accept. */
export interface Advice {
  about: "size" | "count" | "description" | "annotations" | "signature" | "result";
  kind: "server" | EntryKind;
  /** The name or URI; empty for the server itself. */
  name: string;
  message: string;
}
