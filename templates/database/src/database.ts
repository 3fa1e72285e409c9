import { createClient, type Client, type InStatement, type InValue } from "@libsql/client";
import { MIGRATIONS } from "./migrations.js";

/** A statement and the values of its `?`: never put a value into the text of SQL. */
export type Statement = readonly [sql: string, ...values: InValue[]];

/** A SQLite database that is opened, and brought up to date, by the first query. */
export class Database {
  readonly #url: string;
  #opened: Promise<Client> | undefined;

  /** @param url `file:stock.db`, `:memory:`, or a server of libSQL (`libsql://…`) */
  constructor(url: string) {
    this.#url = url;
  }

  /** The rows that a query finds. `Row` says which columns it names. */
  async rows<Row>(...statement: Statement): Promise<Row[]> {
    const { rows } = await (await this.#client()).execute(prepared(statement));
    return rows.map((row) => ({ ...row }) as Row);
  }

  /**
   * All of these happen, or none.
   *
   * @returns how many rows each of them has changed
   */
  async change(...statements: Statement[]): Promise<number[]> {
    const results = await (await this.#client()).batch(statements.map(prepared), "write");
    return results.map(({ rowsAffected }) => rowsAffected);
  }

  async isReady(): Promise<boolean> {
    return (await this.rows("SELECT 1")).length === 1;
  }

  /** Called when the server stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#opened)?.close();
    this.#opened = undefined;
  }

  #client(): Promise<Client> {
    // One that could not be opened is tried again by the next query.
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
  const done = Number(rows[0]?.["user_version"]);
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index >= done) await client.batch([...statements, `PRAGMA user_version = ${index + 1}`], "write");
  }
  return client;
}

function prepared([sql, ...args]: Statement): InStatement {
  return { sql, args };
}
