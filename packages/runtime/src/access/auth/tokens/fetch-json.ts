const TIMEOUT_MS = 5_000;

/** Maximum size of a response, far more than keys, metadata, claims, or tokens need. */
const MAX_RESPONSE_BYTES = 1 << 20;

/**
 * Fetches JSON from an authorization server. oauth4webapi would parse metadata and introspection responses, but
 * does not limit their size, and would be one more package to install.
 *
 * @throws Error if there is no response in time, or it is an error, a redirect, too long, or not JSON
 */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetchResponse(url, init);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  return JSON.parse(await readText(response));
}

/**
 * Requests a response from an authorization server, with any status. Redirects are not followed, since they could lead
 * tokens and secrets to another server.
 *
 * @param init its `signal` replaces the time limit of five seconds
 * @throws Error if there is no response in time
 */
export function fetchResponse(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("accept", "application/json");
  return fetch(url, {
    ...init,
    headers,
    // Cloudflare's runtime does not know "error".
    redirect: "manual",
    signal: init.signal ?? AbortSignal.timeout(TIMEOUT_MS),
  });
}

/**
 * Reads the body of a response.
 *
 * @throws Error if it is too long, or does not arrive in time
 */
export async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
