import type { Icon } from "./protocol.js";

/** What `src/server.ts` may say about the whole server. Everything is optional. */
export interface ServerConfig {
  /** Defaults to `name` of package.json. */
  name?: string;
  title?: string;
  /** Defaults to `version` of package.json. */
  version?: string;
  description?: string;
  websiteUrl?: string;
  icons?: Icon[];
  /** Advice for the model on how the server's tools belong together. */
  instructions?: string;
  /** Instances of decorated classes whose constructors need something. Other classes are constructed by the runtime. */
  provide?: readonly object[];
  limits?: Partial<Limits>;
  http?: HttpConfig;
  /** How long clients may keep a list that cannot change while the server runs, in milliseconds. Default one minute. */
  listTtlMs?: number;
}

/** Who may call over Streamable HTTP, besides programs and pages on this machine. */
export interface HttpConfig {
  /** Values of the `Host` header to accept, such as `"mcp.example.com"`; with a port only where one is given. */
  allowedHosts?: readonly string[];
  /** Values of the `Origin` header to accept, such as `"https://app.example.com"`. */
  allowedOrigins?: readonly string[];
}

/** Bounds on what one peer can make the server hold or do. */
export interface Limits {
  /** Largest HTTP body, in bytes. */
  bodyBytes: number;
  /** Longest line on stdio, in bytes. */
  lineBytes: number;
  /** Most messages in one JSON-RPC batch. */
  batchMessages: number;
  /** Deepest nesting of a message. */
  depth: number;
  /** Most sessions open at once (legacy Streamable HTTP). */
  sessions: number;
  /** A session without traffic ends after this many milliseconds. */
  sessionIdleMs: number;
  /** Most bytes waiting for a client that reads its event stream too slowly; then the stream is cut. */
  streamBytes: number;
  /** How long a server that is told to stop waits for calls in progress, in milliseconds. */
  drainMs: number;
}

/**
 * Describes the server as a whole. Only needed when a class must be constructed with something, or when
 * package.json should not name the server.
 *
 * @example
 * // src/server.ts
 * export default defineServer({ instructions: "Prefer metric units.", provide: [new Weather(db)] });
 */
export function defineServer(config: ServerConfig): ServerConfig {
  return config;
}
