import type { Database } from "./database.js";

/** A row of the table `item`. */
export interface Item {
  /** Stock keeping unit, which identifies the item */
  sku: string;
  name: string;
  quantity: number;
}

/** A row of the table `movement`. */
export interface Movement {
  /** Number of added items; negative if items were removed */
  change: number;
  reason: string;
  at: string;
}

/** The stock and its history, independent of MCP. */
export class Stock {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(sku: string): Promise<Item | undefined> {
    const [item] = await this.#database.rows<Item>("SELECT sku, name, quantity FROM item WHERE sku = ?", sku);
    return item;
  }

  search(text: string, limit: number): Promise<Item[]> {
    const like = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return this.#database.rows<Item>(
      "SELECT sku, name, quantity FROM item WHERE name LIKE ?1 ESCAPE '\\' OR sku LIKE ?1 ESCAPE '\\' ORDER BY sku LIMIT ?2",
      like,
      limit,
    );
  }

  movements(sku: string): Promise<Movement[]> {
    return this.#database.rows<Movement>(
      "SELECT change, reason, at FROM movement WHERE sku = ? ORDER BY id DESC LIMIT 20",
      sku,
    );
  }

  /**
   * Adds an item.
   *
   * @returns false if an item with this SKU already exists
   */
  async add({ sku, name, quantity }: Item): Promise<boolean> {
    const [added] = await this.#database.change(
      ["INSERT INTO item (sku, name, quantity) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", sku, name, quantity],
      [
        "INSERT INTO movement (sku, change, reason) SELECT ?, ?, 'initial count' WHERE changes() = 1",
        sku,
        quantity,
      ],
    );
    return added === 1;
  }

  /**
   * Changes the quantity of an item, and records the reason.
   *
   * @returns false if the stock does not contain enough of it
   */
  async move(sku: string, change: number, reason: string): Promise<boolean> {
    const [moved] = await this.#database.change(
      ["UPDATE item SET quantity = quantity + ?1 WHERE sku = ?2 AND quantity + ?1 >= 0", change, sku],
      ["INSERT INTO movement (sku, change, reason) SELECT ?, ?, ? WHERE changes() = 1", sku, change, reason],
    );
    return moved === 1;
  }
}
