import { setTimeout as delay } from "node:timers/promises";

/** Returns when something there says yes. */
export async function serverAnswers(url: URL | string): Promise<void> {
  const isThere = (): Promise<boolean> =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isThere())) await delay(100);
}
