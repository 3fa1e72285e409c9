import { setTimeout as delay } from "node:timers/promises";

/** Waits for a successful response from a URL. */
export async function waitForResponse(url: URL | string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isThere())) await delay(100);
}
