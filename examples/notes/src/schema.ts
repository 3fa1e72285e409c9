/** Tables for notes and tags, and a full-text index, which triggers keep current. */
export const SCHEMA: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS note (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    changed TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ'))
  ) STRICT`,
  `CREATE TABLE IF NOT EXISTS tag (
    note INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (note, name)
  ) STRICT, WITHOUT ROWID`,
  "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, text, content = 'note', content_rowid = 'id')",
  `CREATE TRIGGER IF NOT EXISTS note_added AFTER INSERT ON note BEGIN
    INSERT INTO words (rowid, title, text) VALUES (new.id, new.title, new.text);
  END`,
  `CREATE TRIGGER IF NOT EXISTS note_deleted AFTER DELETE ON note BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
  END`,
  `CREATE TRIGGER IF NOT EXISTS note_changed AFTER UPDATE ON note BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.id, old.title, old.text);
    INSERT INTO words (rowid, title, text) VALUES (new.id, new.title, new.text);
  END`,
];
