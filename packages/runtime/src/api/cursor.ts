/** One page of a list. */
export interface Page<Item> {
  /** The items of this page. */
  items: Item[];
  /** Cursor of the next page. Absent on the last page. */
  nextCursor?: string | undefined;
}

/** The size of a page, and the position of each of its items. */
export interface PageOptions<Item, Position> {
  /** Maximum number of items. Default: 100. */
  size?: number | undefined;
  /** Returns the position after an item: the next page begins there. */
  position: (item: Item) => Position;
}

/**
 * The argument with which a client requests a page of a list. Declare a parameter of this type anywhere in the signature of a
 * tool: the tool then has an optional argument of that name, a string that only this server can create. The `list` callback of a
 * resource template receives one, too.
 *
 * A cursor contains a position of your own type, encrypted for the tool and its caller. Clients can neither read nor change
 * it. It remains valid as long as the server has the same `name` and `TENON_STATE_KEYS`.
 *
 * @typeParam Position where a page begins, as JSON: the ID of a row, an offset, or the token of another API
 * @example
 * \@Tool({ readOnly: true, openWorld: false })
 * async orders(cursor: Cursor<number>): Promise<Page<Order>> {
 *   const rows = this.db.iterateOrders({ after: cursor.position ?? 0 });
 *   return cursor.page(rows, { position: (order) => order.id });
 * }
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export interface Cursor<Position = number> {
  /** Where the requested page begins. Undefined for the first page. */
  readonly position: Position | undefined;
  /**
   * Creates a page of the first items of a sequence that begins at `position`. It reads only the items that the page
   * needs. The page ends early if it would otherwise exceed `maxResultChars`, or 100,000 characters without such a
   * limit.
   *
   * @param items the items starting at `position`, such as a list, a generator, or the rows of a query
   * @example
   * cursor.page(rows, { size: 50, position: (row) => row.id })
   */
  page<Item>(
    items: Iterable<Item> | AsyncIterable<Item>,
    options: PageOptions<Item, Position>,
  ): Promise<Page<Item>>;
  /**
   * Creates a page of a whole list that is in memory. The position is the number of items before the page.
   *
   * @param all the whole list
   * @param size maximum number of items on a page. Default: 100
   */
  slice<Item>(this: Cursor<number>, all: readonly Item[], size?: number): Page<Item>;
  /**
   * Returns the text of the cursor for a page that begins at a position.
   *
   * @example
   * return { items: answer.items, nextCursor: answer.nextToken ? cursor.at(answer.nextToken) : undefined };
   */
  at(position: Position): string;
}
