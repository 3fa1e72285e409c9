import { NotFoundError, Tool, ToolError } from "@tenon/runtime";
import type { Item, Stock } from "./stock.js";

/** A new item. */
export interface NewItem {
  /**
   * Stock keeping unit, which identifies the item
   * @pattern ^[A-Z0-9-]{2,20}$
   */
  sku: string;
  /**
   * Name of the item
   * @minLength 1
   * @maxLength 200
   */
  name: string;
  /**
   * Quantity in stock
   * @integer
   * @minimum 0
   */
  quantity?: number;
}

/** Tools for the stock. */
export class StockTools {
  readonly #stock: Stock;

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /**
   * Finds items by a part of their name or SKU.
   * @param text Part of the name or SKU; empty for all items
   * @param limit Maximum number of items @integer @minimum 1 @maximum 100
   */
  @Tool({ name: "find_items", readOnly: true, openWorld: false })
  find(text = "", limit = 20): Promise<Item[]> {
    return this.#stock.search(text, limit);
  }

  /** Adds a new item. */
  @Tool({ name: "add_item", destructive: false, openWorld: false })
  async add({ sku, name, quantity = 0 }: NewItem): Promise<Item> {
    const item = { sku, name, quantity };
    if (!(await this.#stock.add(item)))
      throw new ToolError(`${sku} is already in stock. Use move_items to change its quantity.`);
    return item;
  }

  /**
   * Adds items to the stock or removes them, and records the reason.
   * @param sku SKU of the item
   * @param change Number of items to add; negative to remove items @integer
   * @param reason Reason in a few words @minLength 1 @maxLength 200
   */
  @Tool({ name: "move_items", destructive: false, openWorld: false })
  async move(sku: string, change: number, reason: string): Promise<Item> {
    const isMoved = await this.#stock.move(sku, change, reason);
    const item = await this.#stock.find(sku);
    if (!item) throw new NotFoundError(`There is no item ${sku}. Use find_items to see the SKUs.`);
    if (!isMoved) throw new ToolError(`There are only ${item.quantity} of ${sku}. Nothing was moved.`);
    return item;
  }
}
