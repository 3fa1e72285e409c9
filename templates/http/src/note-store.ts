/** What somebody has written down. */
export interface Note {
  id: number;
  text: string;
  written: Date;
}

/** Keeps the notes of each person in memory. Put a database behind the same methods when they should outlive the process. */
export class NoteStore {
  readonly #notes = new Map<string, Map<number, Note>>();
  #lastId = 0;

  add(owner: string, text: string): Note {
    const note: Note = { id: ++this.#lastId, text, written: new Date() };
    const notes = this.#notes.get(owner) ?? new Map<number, Note>();
    this.#notes.set(owner, notes.set(note.id, note));
    return note;
  }

  /** Of that person; nobody else's are found. */
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
