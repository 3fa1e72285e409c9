import type { HeaderReader } from "../protocol/headers.js";
import type { Principal } from "./caller.js";
import type { Exchange } from "./exchange.js";
import type { LogSink } from "./log.js";

/** The parts of a request that identify its sender. */
export interface Credentials {
  readonly method: string;
  /** The path of the request's URL, if it is not the URL at which clients connect. */
  readonly path?: string | undefined;
  readonly header: HeaderReader;
  /** The proofs that any process of the server has accepted; absent if there is only one process. */
  readonly usedProofs?: UsedProofs | undefined;
}

/**
 * Identifies the sender of a request before its body is read. Created by `oauth` or `apiKeys` from `@tenon/runtime/auth`.
 */
export interface Auth {
  /** Summary of the accepted credentials, for the log, such as `2 API keys`. */
  readonly summary?: string | undefined;
  /**
   * Identifies the sender.
   *
   * @returns the caller, or the rejection of the request
   * @throws ProtocolError with a message for the client
   * @throws Error if the sender cannot be identified now, for example because an authorization server does not respond
   */
  authenticate(credentials: Credentials): Promise<Principal | Rejection>;
  /**
   * Returns public JSON documents by their path, from which a client without a token learns where to get one.
   *
   * @param needed the scopes that any tool, prompt, or resource of the server requires
   * @param server the name of the server, which login pages show
   */
  documents(needed: readonly string[], server?: ServerName): ReadonlyMap<string, string>;
  /**
   * Logs a warning if callers cannot use parts of the server.
   *
   * @param needed the scopes that any tool, prompt, or resource of the server requires
   */
  logProblems?(needed: readonly string[], log: LogSink): void;
  /** The known scopes, with the scopes that each implies. A scope that is not listed implies only itself. */
  readonly scopes?: ScopeTable | undefined;
  /**
   * Returns the value of `WWW-Authenticate` for a caller who lacks some of these scopes.
   *
   * @param header reads the headers of the request
   */
  challenge(scopes: readonly string[], reason: string, header: HeaderReader | undefined): string;
  /** Obtains tokens for other APIs on behalf of callers. Absent if it is not configured. */
  readonly exchange?: Exchange | undefined;
  /** The canonical URL of the server, as clients know it. Absent if it is not configured. */
  readonly resource?: string | undefined;
  /** Host names that requests may use in addition to the configured ones. */
  readonly hosts: readonly string[];
}

/** The name of a server. */
export interface ServerName {
  readonly name: string;
  /** The display name, if it differs. */
  readonly title?: string | undefined;
}

/** The rejection of a request. */
export interface Rejection {
  readonly status: 400 | 401 | 403;
  /** The reason, in human-readable form. Reveals nothing about a token except what is wrong with it. */
  readonly reason: string;
  /** The challenge to the client: the value of `WWW-Authenticate`. */
  readonly challenge: string;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a scope. */
export interface ScopeOptions<Scope extends string = string> {
  /** Scopes that a caller with this scope has as well. */
  readonly implies?: readonly Scope[] | undefined;
}

/** Scopes by name. */
export type ScopeTable<Scope extends string = string> = Readonly<Record<Scope, ScopeOptions<Scope>>>;

/** The DPoP proofs that must not be used again. */
export interface UsedProofs {
  /**
   * Remembers a proof.
   *
   * @param thumbprint the thumbprint of its key
   * @param id the ID of the proof (`jti`)
   * @param issued the time at which it was issued, in seconds since 1970
   * @param now the current time, in seconds since 1970
   * @returns false if it was used before, or might have been
   * @throws Error if it cannot be remembered, or the store does not respond
   */
  add(thumbprint: string, id: string, issued: number, now: number): boolean | Promise<boolean>;
}
