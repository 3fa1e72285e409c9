/**
 * The migrations of the database, oldest first. Each runs once, in a transaction. Add new migrations at the end, and never
 * change one that has run.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE item (
      sku TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      quantity INTEGER NOT NULL CHECK (quantity >= 0)
    ) STRICT`,
  ],
  [
    `CREATE TABLE movement (
      id INTEGER PRIMARY KEY,
      sku TEXT NOT NULL REFERENCES item (sku) ON DELETE CASCADE,
      change INTEGER NOT NULL,
      reason TEXT NOT NULL,
      at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ'))
    ) STRICT`,
    "CREATE INDEX movement_by_item ON movement (sku, id)",
  ],
];
