const TIMEOUT_MS = 5_000;

/**
 * Fetches what an authorization server publishes, from where it says it is and nowhere else.
 *
 * @throws Error when there is no answer in time, or it is no JSON
 */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
