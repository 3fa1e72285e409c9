import { createClient, type Client, type InStatement, type InValue, type ResultSet } from "@libsql/client";
import { SCHEMA } from "./schema.js";

/** A statement and the values of its `?`: never put a value into the text of SQL. */
export type Statement = readonly [sql: string, ...values: InValue[]];

/** A SQLite database, opened by its first query. */
export class Database {
  #opened: Promise<Client> | undefined;

  /** @param url `file:notes.db`, `:memory:`, or a server of libSQL (`libsql://…`) */
  constructor(private readonly url: string) {}

  /** The rows that a query finds. `Row` says which columns it names. */
  async rows<Row>(...statement: Statement): Promise<Row[]> {
    const { rows } = await (await this.#client()).execute(prepared(statement));
    return rows.map((row) => ({ ...row }) as Row);
  }

  /** All of these happen, or none. */
  async change(...statements: Statement[]): Promise<ResultSet[]> {
    return (await this.#client()).batch(statements.map(prepared), "write");
  }

  /** Called when the server stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    (await this.#opened)?.close();
    this.#opened = undefined;
  }

  #client(): Promise<Client> {
    // One that could not be opened is tried again by the next query.
    this.#opened ??= open(this.url).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

async function open(url: string): Promise<Client> {
  const client = createClient({ url });
  // Several processes can use one file: readers do not wait for a writer, and writers wait for each other.
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute("PRAGMA busy_timeout = 5000");
  await client.execute("PRAGMA foreign_keys = ON");
  await client.batch([...SCHEMA], "write");
  return client;
}

function prepared([sql, ...args]: Statement): InStatement {
  return { sql, args };
}
