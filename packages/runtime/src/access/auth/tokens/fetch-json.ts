const TIMEOUT_MS = 5_000;

/** Maximum size of a response, far more than keys, metadata or claims need. */
const MAX_RESPONSE_BYTES = 1 << 20;

/**
 * Fetches JSON from an authorization server. oauth4webapi would parse metadata and introspection responses, but
 * does not limit their size, and would be one more package to install.
 *
 * @throws Error if there is no response in time, or it is redirected, too long, or not JSON
 */
export async function fetchJson(url: string, init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(url, {
    ...init,
    headers: { accept: "application/json", ...init.headers },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
