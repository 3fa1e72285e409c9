import { Tool } from "@tenon/runtime";
import type { ConfirmedOrder, FoundProducts, OrderedItem, Shop, UserCart } from "./shop.mjs";

const ITEMS: OrderedItem[] = [
  { product_id: 42, quantity: 2 },
  { product_id: 1337, quantity: 1 },
];

export class ShopTools {
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Searches products of a category in a range of prices, with their popularity. */
  @Tool({ name: "search_products", readOnly: true })
  searchProducts(
    category = "Electronics",
    min_price = 50,
    max_price = 500,
    limit = 10,
  ): Promise<FoundProducts> {
    return this.#shop.searchProducts(category, min_price, max_price, limit);
  }

  /** Returns the cart of a user, and the latest orders. */
  @Tool({ name: "get_user_cart", readOnly: true })
  getUserCart(user_id = "user-00042"): Promise<UserCart> {
    return this.#shop.getUserCart(user_id);
  }

  /** Confirms an order. */
  @Tool({ name: "checkout", destructive: false })
  checkout(user_id = "user-00042", items: OrderedItem[] = ITEMS): Promise<ConfirmedOrder> {
    return this.#shop.checkout(user_id, items);
  }
}
