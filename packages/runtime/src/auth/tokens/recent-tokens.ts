/** So many are known at once; the oldest go first. */
const MOST = 10_000;

interface Known<Found> {
  readonly value: Found;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** What was found out about tokens a short while ago, by their digest: of a token itself nothing is kept. */
export class RecentTokens<Found> {
  readonly #known = new Map<string, Known<Found>>();
  readonly #underWay = new Map<string, Promise<Found>>();

  /**
   * What is known of a token, or is found out now: once, however many requests come with it.
   *
   * @throws what finding it out throws, which is not remembered
   */
  async find(digest: string, findOut: () => Promise<Known<Found>>): Promise<Found> {
    const known = this.#recall(digest);
    if (known !== undefined) return known;
    const underWay = this.#underWay.get(digest);
    if (underWay !== undefined) return underWay;
    const finding = findOut()
      .then((found) => {
        this.#remember(digest, found);
        return found.value;
      })
      .finally(() => this.#underWay.delete(digest));
    this.#underWay.set(digest, finding);
    return finding;
  }

  #recall(digest: string): Found | undefined {
    const known = this.#known.get(digest);
    if (known === undefined || known.until > Date.now()) return known?.value;
    this.#known.delete(digest);
    return undefined;
  }

  #remember(digest: string, found: Known<Found>): void {
    if (this.#known.size >= MOST) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(digest, found);
  }
}
