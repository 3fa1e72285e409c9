/** Items that have the same name in two lists. */
export interface Pair<Item> {
  readonly name: string;
  /** Absent if it is new. */
  readonly before?: Item | undefined;
  /** Absent if it was removed. */
  readonly after?: Item | undefined;
}

/** Pairs the items of two lists: those of the second list in its order, then removed ones. */
export function pairByName<Item>(
  before: readonly Item[],
  after: readonly Item[],
  getName: (item: Item) => string,
): Pair<Item>[] {
  const old = new Map(before.map((item) => [getName(item), item]));
  const current = new Map(after.map((item) => [getName(item), item]));
  return [
    ...after.map((item) => ({ name: getName(item), before: old.get(getName(item)), after: item })),
    ...[...old].flatMap(([name, item]) => (current.has(name) ? [] : [{ name, before: item }])),
  ];
}
