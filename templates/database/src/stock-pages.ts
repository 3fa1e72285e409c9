import { NotFoundError, Prompt, Resource } from "@tenon/runtime";
import type { Item, Movement, Stock } from "./stock.js";

/** Resources and prompts for the stock. */
export class StockPages {
  readonly #stock: Stock;

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /**
   * One item with its latest movements, newest first.
   * @param sku The SKU of the item
   */
  @Resource("stock://{sku}")
  async item(sku: string): Promise<Item & { movements: Movement[] }> {
    const item = await this.#stock.find(sku);
    if (!item) throw new NotFoundError(`There is no item ${sku}.`);
    return { ...item, movements: await this.#stock.movements(sku) };
  }

  /**
   * Suggests which items to reorder.
   * @param below Quantity below which an item is reordered
   */
  @Prompt()
  reorder(below = 10): string {
    return `Find all items with a quantity below ${below}. Suggest how many of each to order, and explain why.`;
  }
}
