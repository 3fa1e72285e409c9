/** So many are known at once; the oldest go first. */
const MOST = 10_000;

/** What was found out about tokens a short while ago, by their digest: of a token itself nothing is kept. */
export class RecentTokens<Found> {
  readonly #found = new Map<string, { value: Found; until: number }>();

  find(digest: string): Found | undefined {
    const known = this.#found.get(digest);
    if (known === undefined || known.until > Date.now()) return known?.value;
    this.#found.delete(digest);
    return undefined;
  }

  /** @param until in milliseconds since 1970 */
  add(digest: string, value: Found, until: number): void {
    if (this.#found.size >= MOST) {
      const [oldest] = this.#found.keys();
      if (oldest !== undefined) this.#found.delete(oldest);
    }
    this.#found.set(digest, { value, until });
  }
}
