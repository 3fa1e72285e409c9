/** A note. */
export interface Note {
  id: number;
  text: string;
  written: Date;
}

/** Stores the notes of each user in memory. To keep them after a restart, implement the same methods with a database. */
export class NoteStore {
  readonly #notes = new Map<string, Map<number, Note>>();
  #lastId = 0;

  add(owner: string, text: string): Note {
    const note: Note = { id: ++this.#lastId, text, written: new Date() };
    const notes = this.#notes.get(owner) ?? new Map<number, Note>();
    this.#notes.set(owner, notes.set(note.id, note));
    return note;
  }

  /** Finds a note, if it belongs to this owner. */
  find(owner: string, id: number): Note | undefined {
    return this.#notes.get(owner)?.get(id);
  }

  all(owner: string): Note[] {
    return [...(this.#notes.get(owner)?.values() ?? [])];
  }

  remove(owner: string, id: number): boolean {
    return this.#notes.get(owner)?.delete(id) ?? false;
  }
}
