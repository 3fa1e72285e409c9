import type { SpentStates } from "../ask/replay/spent-states.js";
import type { Replica } from "./replica.js";

/** The states that must not be used again, at any replica. */
export class StoreSpentStates implements SpentStates {
  readonly #replica: Replica;

  constructor(replica: Replica) {
    this.#replica = replica;
  }

  async spend(id: string, ttlMs: number): Promise<boolean> {
    const name = this.#replica.key(`spent:{${id}}`);
    return (await this.#replica.store.set(name, this.#replica.id, { ttlMs, ifAbsent: true })) !== undefined;
  }
}
