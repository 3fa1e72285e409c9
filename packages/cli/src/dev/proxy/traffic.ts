/** A JSON-RPC message between a client and the dev server. */
export interface ObservedMessage {
  from: "client" | "server";
  /** An ID of the session or, over HTTP without sessions, of the client. */
  session: string;
  message: unknown;
  /** The time, from `performance.now()`. */
  at: number;
  /** The headers of its HTTP request. */
  headers?: Readonly<Record<string, string>>;
}

/** Observes messages. Must not throw or change them. */
export type TrafficObserver = (observed: ObservedMessage) => void;
