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
  // Several processes can use one file: writers wait for each other, and readers do not wait for a writer.
  const client = createClient({ url, timeout: 5000 });
  await client.execute("PRAGMA foreign_keys = ON");
  await client.execute("PRAGMA journal_mode = WAL");
  await migrate(client);
  return client;
}

/** Applies the migrations that the database lacks, each in a transaction. */
async function migrate(client: Client): Promise<void> {
  let version = await readVersion(client);
  for (; version < MIGRATIONS.length; version = await readVersion(client)) {
    try {
      await client.batch([...(MIGRATIONS[version] ?? []), `PRAGMA user_version = ${version + 1}`], "write");
    } catch (error) {
      // Another process may have applied it in the meantime.
      if ((await readVersion(client)) === version) throw error;
    }
  }
}

async function readVersion(client: Client): Promise<number> {
  const { rows } = await client.execute("PRAGMA user_version");
  return Number(rows[0]?.["user_version"]);
}

function toStatement([sql, ...args]: Statement): InStatement {
  return { sql, args };
}
