import { NotFoundError, Prompt, Resource } from "@tenon/runtime";
import type { Item, Movement, Stock } from "./stock.js";

/** What a model can read about the stock, and how to begin with it. */
export class StockPages {
  readonly #stock: Stock;

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /**
   * One item, with what came in and went out, the newest first.
   * @param sku The SKU of the item
   */
  @Resource("stock://{sku}")
  async item(sku: string): Promise<Item & { movements: Movement[] }> {
    const item = await this.#stock.find(sku);
    if (!item) throw new NotFoundError(`There is no item ${sku}.`);
    return { ...item, movements: await this.#stock.movements(sku) };
  }

  /**
   * Says what is to be ordered.
   * @param below Of what there are fewer than this
   */
  @Prompt()
  reorder(below = 10): string {
    return `Find all items. Of which are there fewer than ${below}? Suggest how many of each to order, and say why.`;
  }
}
