/** One JSON-RPC message between a client and the server under development, as it passes. */
export interface PassingMessage {
  from: "client" | "server";
  /** The same for all messages of a session; over HTTP without sessions, of one client. */
  session: string;
  message: unknown;
  /** When it passed, by `performance.now()`. */
  at: number;
  /** Of the HTTP request that brought it. */
  headers?: Readonly<Record<string, string>>;
}

/** Sees what passes and changes nothing. Must not throw. */
export type Traffic = (passing: PassingMessage) => void;
