import type { Database } from "./database.js";

/** The content of a note. */
export interface Draft {
  /** Subject, in one line @minLength 1 @maxLength 200 */
  title: string;
  /** Markdown @maxLength 100000 */
  text: string;
  /** Words to find it by @maxItems 20 */
  tags: string[];
}

export interface Note extends Draft {
  id: number;
  changed: Date;
}

/** A note in a search result. */
export interface FoundNote {
  id: number;
  title: string;
  /** The text around the words, which are **bold**; without words, the beginning of the text */
  excerpt: string;
  tags: string[];
  changed: Date;
}

/** A row of the database, in which lists are JSON and times are text. */
type Row<Kind extends { tags: string[]; changed: Date }> = Omit<Kind, "tags" | "changed"> & {
  tags: string;
  changed: string;
};

const TAGS = "(SELECT json_group_array(name ORDER BY name) FROM tag WHERE note = note.id) AS tags";
const TAGGED = "(?1 = '' OR note.id IN (SELECT note FROM tag WHERE name = ?1))";

/** The notes in a database, independent of MCP. */
export class Notes {
  constructor(private readonly database: Database) {}

  async find(id: number): Promise<Note | undefined> {
    const rows = await this.database.rows<Row<Note>>(
      `SELECT id, title, text, changed, ${TAGS} FROM note WHERE id = ?`,
      id,
    );
    return rows.map(fromRow<Note>)[0];
  }

  /** Finds the notes that contain all words, best matches first. Without words, the newest notes come first. */
  async search(words: string, tag: string, limit: number): Promise<FoundNote[]> {
    const query = [...words.matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => `"${word}"*`).join(" ");
    const rows =
      query === ""
        ? await this.database.rows<Row<FoundNote>>(
            `SELECT id, title, substr(text, 1, 100) AS excerpt, changed, ${TAGS}
             FROM note WHERE ${TAGGED} ORDER BY changed DESC, id DESC LIMIT ?2`,
            tag,
            limit,
          )
        : await this.database.rows<Row<FoundNote>>(
            `SELECT id, note.title, snippet(words, 1, '**', '**', '…', 16) AS excerpt, changed, ${TAGS}
             FROM words JOIN note ON note.id = words.rowid WHERE words MATCH ?3 AND ${TAGGED} ORDER BY rank LIMIT ?2`,
            tag,
            limit,
            query,
          );
    return rows.map(fromRow<FoundNote>);
  }

  /** @returns the number of the new note */
  async add({ title, text, tags }: Draft): Promise<number> {
    const [added] = await this.database.change(
      ["INSERT INTO note (title, text) VALUES (?, ?)", title, text],
      [
        "INSERT OR IGNORE INTO tag (note, name) SELECT last_insert_rowid(), value FROM json_each(?)",
        JSON.stringify(tags),
      ],
    );
    return Number(added?.lastInsertRowid);
  }

  async change(id: number, { title, text, tags }: Draft): Promise<void> {
    await this.database.change(
      [
        "UPDATE note SET title = ?, text = ?, changed = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ?",
        title,
        text,
        id,
      ],
      ["DELETE FROM tag WHERE note = ?", id],
      ["INSERT OR IGNORE INTO tag (note, name) SELECT ?, value FROM json_each(?)", id, JSON.stringify(tags)],
    );
  }

  async remove(id: number): Promise<void> {
    await this.database.change(["DELETE FROM note WHERE id = ?", id]);
  }

  /** Returns all tags, with the number of notes for each. */
  tags(): Promise<{ tag: string; notes: number }[]> {
    return this.database.rows("SELECT name AS tag, count(*) AS notes FROM tag GROUP BY name ORDER BY name");
  }
}

function fromRow<Kind extends { tags: string[]; changed: Date }>(row: Row<Kind>): Kind {
  return { ...row, tags: JSON.parse(row.tags), changed: new Date(row.changed) } as unknown as Kind;
}
