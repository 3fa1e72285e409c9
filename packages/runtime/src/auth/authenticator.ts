import type { Principal } from "../api/caller.js";
import type { UsedProofs } from "./dpop/used-proofs.js";
import type { ScopeTable } from "./scopes.js";
import type { HeaderReader } from "../protocol/headers.js";

/** What a request shows of who sends it. */
export interface Credentials {
  readonly method: string;
  /** The path of its URL, where that is not the URL at which clients connect. */
  readonly path?: string | undefined;
  readonly header: HeaderReader;
  /** The proofs that were used at any process of the server; absent where there is one alone. */
  readonly usedProofs?: UsedProofs | undefined;
}

/** Finds out who sends a request, before its body is read. Made by `oauth` or `apiKeys` of `@tenon/runtime/auth`. */
export interface Auth {
  /**
   * @returns who it is, or why the request is not served
   * @throws ProtocolError for what the client is told in these words
   * @throws when that cannot be found out now, such as when an authorization server does not answer
   */
  authenticate(credentials: Credentials): Promise<Principal | Refusal>;
  /**
   * JSON that anybody may read, by its path: how a client without a token finds out where to get one.
   *
   * @param needed the scopes that anything the server serves needs
   */
  documents(needed: readonly string[]): ReadonlyMap<string, string>;
  /** The scopes there are, and what each of them implies. Of one that is not among them nothing more is known. */
  readonly scopes?: ScopeTable;
  /**
   * What a caller is told, as the value of `WWW-Authenticate`, who lacks some of these scopes.
   *
   * @param header of the request
   */
  challenge(scopes: readonly string[], reason: string, header: HeaderReader | undefined): string;
  /** Hosts that requests name, besides those that are configured. */
  readonly hosts: readonly string[];
}

/** Why a request is not served. */
export interface Refusal {
  readonly status: 400 | 401 | 403;
  /** For people. Says nothing of a token but what is wrong with it. */
  readonly reason: string;
  /** What the client has to do: the value of `WWW-Authenticate`. */
  readonly challenge: string;
  /** Headers of the answer besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function isRefusal(found: Principal | Refusal): found is Refusal {
  return "challenge" in found;
}
