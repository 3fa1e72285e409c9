import { NotFoundError, Prompt, Resource, Tool, ToolError } from "@tenon/runtime";
import type { Database } from "./database.js";

/** A row of the table `book`. */
export interface Book {
  id: number;
  title: string;
  author: string;
  year: number;
  /** Who has it; null while it stands on the shelf. */
  borrower: string | null;
  /** When it should be back, as YYYY-MM-DD. */
  due: string | null;
}

/** A book as someone hands it in. */
export interface NewBook {
  /** @minLength 1 @maxLength 200 */
  title: string;
  /** @minLength 1 */
  author: string;
  /** Year of first publication. @integer @minimum 1450 @maximum 2100 */
  year: number;
}

export class Library {
  constructor(private readonly database: Database) {}

  /**
   * Find books whose title or author contains some text.
   * @param text Part of a title or of an author's name; everything, when empty
   * @param available Only books that stand on the shelf
   * @param limit At most this many @integer @minimum 1 @maximum 100
   */
  @Tool({ readOnly: true })
  search(text = "", available = false, limit = 20): Book[] {
    const shelf = available ? "AND borrower IS NULL" : "";
    const like = `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
    return this.database.all<Book>(
      `SELECT * FROM book WHERE (title LIKE ?1 ESCAPE '\\' OR author LIKE ?1 ESCAPE '\\') ${shelf} ORDER BY title LIMIT ?2`,
      [like, limit],
    );
  }

  /** Add books to the shelf: all of them, or none when one is there already. */
  @Tool({ destructive: false })
  add(args: { /** @minItems 1 @maxItems 50 */ books: NewBook[] }): Book[] {
    return this.database.transaction(() =>
      args.books.map(({ title, author, year }) => {
        const twin = this.database.one<Book>("SELECT * FROM book WHERE title = ? AND author = ?", [
          title,
          author,
        ]);
        if (twin)
          throw new ToolError(`"${title}" by ${author} is book ${twin.id} already. Nothing was added.`);
        const { id } = this.database.run("INSERT INTO book (title, author, year) VALUES (?, ?, ?)", [
          title,
          author,
          year,
        ]);
        return this.#book(id);
      }),
    );
  }

  /**
   * Lend a book.
   * @param id The book's number @integer
   * @param borrower Who takes it @minLength 1
   * @param due When it should be back @format date
   */
  @Tool({ destructive: false })
  lend(id: number, borrower: string, due: Date): Book {
    const { changes } = this.database.run(
      "UPDATE book SET borrower = ?, due = ? WHERE id = ? AND borrower IS NULL",
      [borrower, due.toISOString().slice(0, 10), id],
    );
    const book = this.#book(id);
    if (changes === 0) throw new ToolError(`Book ${id} is lent to ${book.borrower} until ${book.due}.`);
    return book;
  }

  /**
   * Take a book back.
   * @param id The book's number @integer
   */
  @Tool({ destructive: false, idempotent: true, name: "return" })
  takeBack(id: number): Book {
    this.database.run("UPDATE book SET borrower = NULL, due = NULL WHERE id = ?", [id]);
    return this.#book(id);
  }

  /**
   * Remove a book for good.
   * @param id The book's number @integer
   */
  @Tool({ destructive: true })
  remove(id: number): void {
    const book = this.#book(id);
    if (book.borrower) throw new ToolError(`Book ${id} is lent to ${book.borrower}; take it back first.`);
    this.database.run("DELETE FROM book WHERE id = ?", [id]);
  }

  /** One book, as it is in the database. */
  @Resource("library://books/{id}")
  book(/** @integer */ id: number): Book {
    return this.#book(id);
  }

  /** Everything one author has on the shelf. */
  @Resource("library://authors/{author}/books")
  byAuthor(author: string): Book[] {
    return this.database.all<Book>("SELECT * FROM book WHERE author = ? ORDER BY year", [author]);
  }

  /** How many books there are, and how many are out. */
  @Resource("library://summary")
  summary(): { books: number; lent: number } {
    return this.database.one<{ books: number; lent: number }>(
      "SELECT count(*) AS books, count(borrower) AS lent FROM book",
    )!;
  }

  /**
   * Recommend something to read.
   * @param mood What the reader is in the mood for
   * @param pages Roughly how long it may be
   */
  @Prompt()
  recommend(mood: "calm" | "adventurous" | "serious", pages?: number): string {
    const shelf = this.search("", true).map((book) => `- ${book.title} (${book.author}, ${book.year})`);
    const length = pages === undefined ? "" : ` of about ${pages} pages`;
    return `Recommend one ${mood} book${length} from this shelf, and say why:\n${shelf.join("\n")}`;
  }

  #book(id: number): Book {
    const book = this.database.one<Book>("SELECT * FROM book WHERE id = ?", [id]);
    if (!book) throw new NotFoundError(`There is no book ${id}.`);
    return book;
  }
}
