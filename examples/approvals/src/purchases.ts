/** The budget that pays. */
export enum Budget {
  /** Office */
  Office = "office",
  /** Travel */
  Travel = "travel",
  /** Research */
  Research = "research",
}

/** A request to buy an item. */
export interface Purchase {
  id: number;
  item: string;
  euros: number;
  state: "requested" | "approved" | "rejected" | "paid";
  /** The budget of an approved purchase. */
  budget?: Budget;
  /** The comment on the decision. */
  note?: string;
}

/** All purchases, in memory. A real server uses a database. */
export class Purchases {
  readonly #all: Purchase[] = [];

  add(item: string, euros: number): number {
    const id = this.#all.length + 1;
    this.#all.push({ id, item, euros, state: "requested" });
    return id;
  }

  find(id: number): Purchase | undefined {
    return this.#all.find((each) => each.id === id);
  }

  in(state: Purchase["state"]): Purchase[] {
    return this.#all.filter((each) => each.state === state);
  }

  change(id: number, change: Partial<Omit<Purchase, "id">>): Purchase {
    const purchase = this.find(id);
    if (!purchase) throw new Error(`There is no purchase ${id}.`);
    return Object.assign(purchase, change);
  }
}
