import type { Endpoint } from "./endpoint.js";

/** A connection problem, as a message. */
export interface ConnectionProblem {
  readonly message: string;
  readonly hint?: string;
  /** Whether the next attempt would fail, too. */
  readonly isLasting: boolean;
}

/** The meaning of the error codes for connections that fail in every attempt. */
const LASTING: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is unknown",
  EAI_AGAIN: "its name cannot be resolved",
  ECONNREFUSED: "it refuses connections",
  EHOSTUNREACH: "the network has no route to it",
  ENETUNREACH: "the network has no route to it",
  UND_ERR_CONNECT_TIMEOUT: "it does not accept connections",
};

const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

/**
 * Describes why `fetch` rejected.
 *
 * @param env the environment, which may configure a proxy
 */
export function describeConnectionError(
  error: unknown,
  { url, variables }: Pick<Endpoint, "url" | "variables">,
  env: NodeJS.ProcessEnv = process.env,
): ConnectionProblem {
  const { code, message = "" } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  // For status 407, `fetch` rejects without any text; the tunnel of a proxy names the status.
  if ((code === undefined && message === "") || /\b407\b/.test(message))
    return {
      message: "The proxy requires a user name and a password (407).",
      hint: "Set them in the proxy's URL, such as HTTPS_PROXY=http://user:password@proxy:3128.",
      isLasting: true,
    };
  // Errors without a code come from `fetch` itself, such as "bad port".
  if (code === undefined) return { message: `${url.host} cannot be reached: ${message}.`, isLasting: true };
  const isCertificate = /CERT|SSL|TLS|SIGNATURE/.test(code);
  const reason = LASTING[code] ?? (isCertificate ? "its certificate is not trusted" : undefined);
  if (reason === undefined)
    return { message: `The connection to ${url.host} was lost (${code}).`, isLasting: false };
  const proxy = PROXY_VARIABLES.find((name) => env[name]);
  const isIgnored = proxy !== undefined && env["NODE_USE_ENV_PROXY"] !== "1";
  return {
    message: `${url.host} cannot be reached: ${reason} (${code}).`,
    hint: isCertificate
      ? "If a proxy inspects connections, set NODE_EXTRA_CA_CERTS to a file with its certificate."
      : isIgnored
        ? `Node uses ${proxy} only with NODE_USE_ENV_PROXY=1, in version 22.21 and later, or 24.0 and later.`
        : `Check the network, and ${proxy ?? variables.baseUrl}.`,
    isLasting: true,
  };
}
