import type { Caller, Principal } from "../../api/caller.js";
import type { Call } from "./call.js";
import type { ClientDescription } from "../../protocol/client-description.js";

/** Headers that carry credentials. Handlers do not see them. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "dpop",
  "mcp-session-id",
  "proxy-authorization",
  "x-api-key",
]);

/** The `Caller` of one call. */
export class CallCaller implements Caller {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  get principal(): Principal | undefined {
    return this.#call.peer.principal;
  }

  get client(): ClientDescription {
    return this.#call.client;
  }

  get address(): string | undefined {
    return this.#call.peer.address;
  }

  get session(): { readonly id: string } | undefined {
    return this.#call.session;
  }

  readonly header = (name: string): string | undefined => {
    const lower = name.toLowerCase();
    return CREDENTIALS.has(lower) ? undefined : this.#call.peer.header?.(lower);
  };
}
