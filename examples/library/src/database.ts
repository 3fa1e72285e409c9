import sqlite from "node-sqlite3-wasm";

type Value = Parameters<sqlite.Database["run"]>[1];

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS book (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL CHECK (title <> ''),
    author TEXT NOT NULL,
    year INTEGER NOT NULL,
    borrower TEXT,
    due TEXT
  );
`;

const SHELF = [
  ["The Left Hand of Darkness", "Ursula K. Le Guin", 1969],
  ["A Wizard of Earthsea", "Ursula K. Le Guin", 1968],
  ["The Summer Book", "Tove Jansson", 1972],
  ["Invisible Cities", "Italo Calvino", 1972],
  ["Beloved", "Toni Morrison", 1987],
] as const;

/** One SQLite file; `:memory:` keeps everything in this process. */
export class Database {
  readonly #connection: sqlite.Database;

  constructor(file: string) {
    this.#connection = new sqlite.Database(file);
    this.#connection.exec(SCHEMA);
    if (this.one<{ count: number }>("SELECT count(*) AS count FROM book")?.count === 0) this.#fill();
    // The file stays locked for other processes until it is closed.
    process.once("exit", () => this.close());
  }

  all<Row>(sql: string, values: Value = []): Row[] {
    return this.#connection.all(sql, values) as Row[];
  }

  one<Row>(sql: string, values: Value = []): Row | undefined {
    return (this.#connection.get(sql, values) ?? undefined) as Row | undefined;
  }

  /** @returns how many rows changed, and the id of the last one inserted */
  run(sql: string, values: Value = []): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#connection.run(sql, values);
    return { changes, id: Number(lastInsertRowid) };
  }

  /** All of `work` happens, or nothing of it. */
  transaction<Result>(work: () => Result): Result {
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  #fill(): void {
    for (const [title, author, year] of SHELF) {
      this.run("INSERT INTO book (title, author, year) VALUES (?, ?, ?)", [title, author, year]);
    }
  }
}
