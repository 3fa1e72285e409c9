import type { PrincipalInput } from "./caller.js";
import type { Routes } from "./routes.js";
import type { ServerCard } from "./server-card.js";

/**
 * Health checks for orchestrators and load balancers. These paths respond to every `Host` without credentials, and
 * reveal only yes (200) or no (503).
 */
export interface HealthConfig {
  /** Path that responds with 200 while the process runs. Default: `/healthz`. */
  livePath?: string | undefined;
  /**
   * Path that responds with 200 while the server accepts calls, and with 503 during a shutdown or while `ready` returns
   * false. Default: `/readyz`.
   */
  readyPath?: string | undefined;
  /**
   * Returns whether the dependencies of the server are available. Called at most once a second. The result is false if
   * it throws or takes more than five seconds.
   *
   * @example
   * ready: async () => (await db.query("select 1")).length === 1
   */
  ready?: (() => boolean | Promise<boolean>) | undefined;
  /**
   * How long the server keeps serving after a shutdown starts, in milliseconds, so that load balancers can stop sending
   * requests. During this time, `readyPath` responds with 503. `limits.drainTimeoutMs` starts afterward. Default: 0;
   * in Kubernetes, 5000 is usual.
   */
  shutdownDelayMs?: number | undefined;
}

/**
 * Proxies in front of the server: addresses, ranges such as `"10.0.0.0/8"`, `"loopback"` (this machine), or `"private"`
 * (all private networks). Each proxy must add the address of its client to `X-Forwarded-For`, or to `Forwarded` if
 * `header` names it; the other header is ignored.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7239
 */
export type TrustedProxies =
  | readonly string[]
  | { readonly addresses: readonly string[]; readonly header: "x-forwarded-for" | "forwarded" };

/** Configuration of Streamable HTTP. */
export interface HttpConfig {
  /**
   * Accepted values of the `Host` header, such as `"mcp.example.com"`. A port is compared only if the value has one.
   * Hosts of this machine are always accepted.
   */
  allowedHosts?: readonly string[] | undefined;
  /**
   * Accepted values of the `Origin` header, such as `"https://app.example.com"`. Responses to them include CORS headers.
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Proxies that are trusted to report the caller's address and the use of HTTPS: `ctx.address` is then the nearest
   * address that is not one of them. Default: none, and `X-Forwarded-For` and `Forwarded` are ignored.
   *
   * `X-Forwarded-Host` is always ignored: `allowedHosts` must contain what the proxy sends as `Host`.
   *
   * @example
   * trustedProxies: ["loopback", "10.0.0.0/8"]
   */
  trustedProxies?: TrustedProxies | undefined;
  /**
   * Health checks; false turns them off. In a server that is mounted in your own application, they are on only if this
   * is set.
   */
  health?: HealthConfig | false | undefined;
  /** Additional routes, such as a login callback or a webhook: `routes({ … })` from `@tenon/runtime/routes`. */
  routes?: Routes | undefined;
  /**
   * Whether legacy clients have sessions. Without sessions, which suits platforms with short-lived instances, each
   * request is independent, and the server cannot send requests to the client. Default: true.
   */
  sessions?: boolean | undefined;
  /**
   * Whether to serve the transport of 2024-11-05 as well: events at `/sse`, messages to `/messages`. Default:
   * false.
   */
  sse?: boolean | undefined;
  /**
   * Whether people who open the server's URL in a browser see a page: the name and description of the server, the
   * tools that a caller without a login may see, and how to connect clients. Default: true.
   */
  page?: boolean | undefined;
  /**
   * Description of the server for clients that have not connected yet: `serverCard({ … })` from
   * `@tenon/runtime/server-card`. Experimental: it follows a draft of the specification, which may change. Default: none.
   *
   * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127
   */
  card?: ServerCard | undefined;
  /**
   * Returns the principal of a request, as verified by a gateway, or `undefined` if there is none. A session belongs to the
   * principal that opened it and does not exist for any other.
   *
   * @example
   * principal: ({ header }) => users.bySession(header("x-user-session")) // "ada", or { subject: "ada", scopes: ["read"] }
   */
  principal?:
    | ((request: HttpRequestHead) => PrincipalInput | undefined | Promise<PrincipalInput | undefined>)
    | undefined;
}

/** A request without its body. */
export interface HttpRequestHead {
  /** HTTP method, such as `"POST"`. */
  readonly method: string;
  /** Address of the caller, as in `Caller`. */
  readonly address: string | undefined;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
}
