import { NotFoundError, Tool, ToolError } from "@tenon/runtime";
import type { Item, Stock } from "./stock.js";

/** An item that nobody has counted yet. */
export interface NewItem {
  /**
   * Stock keeping unit: what it is to be known by
   * @pattern ^[A-Z0-9-]{2,20}$
   */
  sku: string;
  /**
   * What it is
   * @minLength 1
   * @maxLength 200
   */
  name: string;
  /**
   * How many there are
   * @integer
   * @minimum 0
   */
  quantity?: number;
}

/** What a model can do with the stock. */
export class StockTools {
  readonly #stock: Stock;

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /**
   * Finds items by a part of their name or SKU.
   * @param text All items, when empty
   * @param limit At most this many @integer @minimum 1 @maximum 100
   */
  @Tool({ name: "find_items", readOnly: true })
  find(text = "", limit = 20): Promise<Item[]> {
    return this.#stock.search(text, limit);
  }

  /** Adds an item that is not in stock yet. */
  @Tool({ name: "add_item", destructive: false })
  async add({ sku, name, quantity = 0 }: NewItem): Promise<Item> {
    const item = { sku, name, quantity };
    if (!(await this.#stock.add(item))) throw new ToolError(`${sku} is in stock already. Move it instead.`);
    return item;
  }

  /**
   * Puts items into stock or takes them out, and notes why.
   * @param sku Which item
   * @param change How many come in; negative for those that go out @integer
   * @param reason Why, in a few words @minLength 1 @maxLength 200
   */
  @Tool({ name: "move_items", destructive: false })
  async move(sku: string, change: number, reason: string): Promise<Item> {
    const isMoved = await this.#stock.move(sku, change, reason);
    const item = await this.#stock.find(sku);
    if (!item) throw new NotFoundError(`There is no item ${sku}. Find items to see their SKUs.`);
    if (!isMoved) throw new ToolError(`There are only ${item.quantity} of ${sku}. Nothing was moved.`);
    return item;
  }
}
