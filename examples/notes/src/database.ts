import { createClient, type Client, type InStatement, type InValue, type ResultSet } from "@libsql/client";
import { SCHEMA } from "./schema.js";

/** An SQL statement and the values of its `?` placeholders. Never put a value into the SQL text. */
export type Statement = readonly [sql: string, ...values: InValue[]];

/** A SQLite database. The first query opens it. */
export class Database {
  #opened: Promise<Client> | undefined;

  /** @param url `file:notes.db`, `:memory:`, or a libSQL server (`libsql://…`) */
  constructor(private readonly url: string) {}

  /** Returns the rows that a query finds. `Row` is the type of a row. */
  async rows<Row>(...statement: Statement): Promise<Row[]> {
    const { rows } = await (await this.#client()).execute(toStatement(statement));
    return rows.map((row) => ({ ...row }) as Row);
  }

  /** Runs statements in one transaction. */
  async change(...statements: Statement[]): Promise<ResultSet[]> {
    return (await this.#client()).batch(statements.map(toStatement), "write");
  }

  /** Closes the database when the server stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#opened)?.close();
    this.#opened = undefined;
  }

  #client(): Promise<Client> {
    // If opening fails, the next query tries again.
    this.#opened ??= open(this.url).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function open(url: string): Promise<Client> {
  // Several processes can use one file: writers wait for each other, and readers do not wait for a writer.
  const client = createClient({ url, timeout: 5000 });
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute("PRAGMA foreign_keys = ON");
  await client.batch([...SCHEMA], "write");
  return client;
}

function toStatement([sql, ...args]: Statement): InStatement {
  return { sql, args };
}
