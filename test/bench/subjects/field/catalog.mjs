/**
 * The data of the workload: products, carts, and orders. Everything is computed from a number, so that the API, Redis, and
 * the load generator agree without sharing anything.
 * @module
 */

export const PRODUCTS = 100_000;

const CATEGORIES = [
  "Electronics",
  ...["Books", "Clothing", "Sports", "Home", "Garden", "Toys", "Food", "Beauty", "Cars", "Music", "Movies"],
  ...["Games", "Office", "Health", "Pets", "Travel", "Tools", "Jewelry", "Baby"],
];
const TAGS = ["sale", "new", "featured", "bestseller", "clearance", "limited", "popular", "exclusive"];
/** The number of brands. */
const BRANDS = 50;

const SALES_TAX = 0.085;
const SHIPPING = 5.99;
/** The subtotal from which an order is shipped free, with a discount. */
const LARGE_ORDER = 100;
const DISCOUNT = 0.1;

/** Returns a product. @param {number} id from 1 */
export function product(id) {
  const index = id - 1;
  const category = CATEGORIES[index % CATEGORIES.length] ?? "";
  const brand = `Brand ${String(index % BRANDS).padStart(2, "0")}`;
  const number = String(id).padStart(6, "0");
  return {
    id,
    sku: `SKU-${number}`,
    name: `${brand} ${category} Item ${id}`,
    category,
    brand,
    price: (100 + (index % 99_900)) / 100,
    stock: index % 501,
    rating: (10 + (index % 40)) / 10,
    tags: Array.from({ length: 2 + (index % 3) }, (_, at) => TAGS[(index + at) % TAGS.length]),
    weight: (1 + (index % 100)) / 10,
    description: `${category} of good quality by ${brand}, number ${number}.`,
  };
}

/**
 * Returns the products of a category in a range of prices, the cheapest first.
 *
 * @param {string} category @param {number} min @param {number} max @param {number} limit
 */
export function searchCatalog(category, min, max, limit) {
  const found = [];
  for (let id = 1 + CATEGORIES.indexOf(category); id > 0 && id <= PRODUCTS; id += CATEGORIES.length) {
    const each = product(id);
    if (each.price >= min && each.price <= max) found.push(each);
  }
  found.sort((one, other) => one.price - other.price);
  return { category, total_found: found.length, products: found.slice(0, limit) };
}

/**
 * Computes an order.
 *
 * @param {{ user_id: string, items: { product_id: number, quantity: number }[] }} cart
 */
export function priceOrder({ user_id, items }) {
  const subtotal = cents(
    items.reduce((sum, { product_id, quantity }) => sum + product(product_id).price * quantity, 0),
  );
  const isLarge = subtotal >= LARGE_ORDER;
  const tax = cents(subtotal * SALES_TAX);
  const shipping = isLarge ? 0 : SHIPPING;
  const discount = isLarge ? cents(subtotal * DISCOUNT) : 0;
  return {
    order_id: `ORD-${user_id.replaceAll("-", "")}-${items.length}`,
    user_id,
    subtotal,
    tax,
    shipping,
    discount,
    total: cents(subtotal + tax + shipping - discount),
    items_count: items.length,
  };
}

/** Returns the cart of a user, as Redis stores it. @param {number} user from 1 */
export function createCart(user) {
  const entry = (/** @type {number} */ factor, /** @type {number} */ qty) => ({
    product_id: ((user * factor) % PRODUCTS) + 1,
    qty,
  });
  const items = [entry(7, 1 + (user % 3)), entry(13, 1 + (user % 2))];
  if (user % 3 === 0) items.push(entry(17, 1));
  const total = items.reduce((sum, { product_id, qty }) => sum + product(product_id).price * qty, 0);
  return { items, total: cents(total) };
}

/** Returns the first orders of a user. @param {number} user from 1 @param {number} count */
export function createHistory(user, count) {
  return Array.from({ length: count }, (_, index) => ({
    order_id: `ORD-${String(user).padStart(5, "0")}-${String(index + 1).padStart(2, "0")}`,
    product_id: ((user * (index + 1) * 7) % PRODUCTS) + 1,
    qty: 1 + ((index + 1) % 3),
    price: (((user * (index + 1) * 13) % 9999) + 1) / 100,
    ts: 1_740_000_000 + user * 86_400 + (index + 1) * 3600,
  }));
}

/** Returns how popular a product is at the beginning. @param {number} id */
export function getPopularity(id) {
  return (id * 7) % 10_000;
}

/** Returns the name of a user. @param {number} user from 1 */
export function userName(user) {
  return `user-${String(user).padStart(5, "0")}`;
}

/** @param {number} amount */
function cents(amount) {
  return Math.round(amount * 100) / 100;
}
