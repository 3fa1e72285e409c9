/** The maximum number of known tokens. The oldest are forgotten first. */
const MAX_TOKENS = 10_000;

interface Known<Found> {
  readonly value: Found;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Recent results of verifying tokens, by their digest. Tokens themselves are not stored. */
export class RecentTokens<Found> {
  readonly #known = new Map<string, Known<Found>>();
  readonly #inProgress = new Map<string, Promise<Found>>();

  /**
   * Returns the remembered result for a token, or verifies it with `verify`, which runs only once for concurrent
   * requests.
   *
   * @throws the error of `verify`, which is not remembered
   */
  async find(digest: string, verify: () => Promise<Known<Found>>): Promise<Found> {
    const known = this.#findKnown(digest);
    if (known !== undefined) return known;
    const inProgress = this.#inProgress.get(digest);
    if (inProgress !== undefined) return inProgress;
    const result = verify()
      .then((found) => {
        this.#remember(digest, found);
        return found.value;
      })
      .finally(() => this.#inProgress.delete(digest));
    this.#inProgress.set(digest, result);
    return result;
  }

  #findKnown(digest: string): Found | undefined {
    const known = this.#known.get(digest);
    if (known === undefined || known.until > Date.now()) return known?.value;
    this.#known.delete(digest);
    return undefined;
  }

  #remember(digest: string, found: Known<Found>): void {
    if (this.#known.size >= MAX_TOKENS) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(digest, found);
  }
}
