/** The types of shop.mjs, for the project that Tenon compiles. */
export interface FoundProducts {
  category: string;
  total_found: number;
  products: {
    id: number;
    sku: string;
    name: string;
    price: number;
    rating: number;
    popularity_rank: number;
  }[];
  top10_popular_ids: number[];
}

export interface UserCart {
  user_id: string;
  cart: {
    items: { product_id: number; qty: number }[];
    item_count: number;
    estimated_total: number;
  };
  recent_history: { order_id: string; product_id: number; qty: number; price: number; ts: number }[];
}

export interface OrderedItem {
  product_id: number;
  quantity: number;
}

export interface ConfirmedOrder {
  order_id: string;
  user_id: string;
  total: number;
  items_count: number;
  rate_limit_count: number;
  status: string;
}

export declare class Shop {
  static open(): Shop;
  searchProducts(
    category: string,
    min_price: number,
    max_price: number,
    limit: number,
  ): Promise<FoundProducts>;
  getUserCart(user_id: string): Promise<UserCart>;
  checkout(user_id: string, items: OrderedItem[]): Promise<ConfirmedOrder>;
}
