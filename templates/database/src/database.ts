import { createClient, type Client, type InStatement, type InValue } from "@libsql/client";
import { MIGRATIONS } from "./migrations.js";

/** An SQL statement and the values of its `?` placeholders. Never put a value into the SQL text. */
export type Statement = readonly [sql: string, ...values: InValue[]];

/** A SQLite database. The first query opens it and runs new migrations. */
export class Database {
  readonly #url: string;
  #opened: Promise<Client> | undefined;

  /** @param url `file:stock.db`, `:memory:`, or a libSQL server (`libsql://…`) */
  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the rows that a query finds. `Row` is the type of a row. */
  async rows<Row>(...statement: Statement): Promise<Row[]> {
    const { rows } = await (await this.#client()).execute(toStatement(statement));
    return rows.map((row) => ({ ...row }) as Row);
  }

  /**
   * Runs statements in one transaction.
   *
   * @returns the number of rows that each statement changed
   */
  async change(...statements: Statement[]): Promise<number[]> {
    const results = await (await this.#client()).batch(statements.map(toStatement), "write");
    return results.map(({ rowsAffected }) => rowsAffected);
  }

  /** Returns whether the database responds to queries. */
  async isReady(): Promise<boolean> {
    return (await this.rows("SELECT 1")).length === 1;
  }

  /** Closes the database when the server stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#opened)?.close();
    this.#opened = undefined;
  }

  #client(): Promise<Client> {
    // If opening fails, the next query tries again.
    this.#opened ??= open(this.#url).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function open(url: string): Promise<Client> {
  const client = createClient({ url });
  await client.execute("PRAGMA foreign_keys = ON");
  // Several processes can use one file: readers do not wait for a writer, and writers wait for each other.
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute("PRAGMA busy_timeout = 5000");
  const { rows } = await client.execute("PRAGMA user_version");
  const version = Number(rows[0]?.["user_version"]);
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index >= version) await client.batch([...statements, `PRAGMA user_version = ${index + 1}`], "write");
  }
  return client;
}

function toStatement([sql, ...args]: Statement): InStatement {
  return { sql, args };
}
