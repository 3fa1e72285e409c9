import { NotFoundError, Prompt, Resource, Tool, type Principal } from "@tenon/runtime";
import type { Note, NoteStore } from "./note-store.js";

/** What a model can do with the notes of whoever calls: `caller` is who has shown a key or a token, and no argument. */
export class Notes {
  readonly #store: NoteStore;

  constructor(store: NoteStore) {
    this.#store = store;
  }

  /**
   * Writes a note down.
   * @param text What to remember @minLength 1 @maxLength 2000
   */
  @Tool({ name: "add_note", scopes: ["notes:write"], destructive: false })
  add(text: string, caller: Principal): Note {
    return this.#store.add(caller.subject, text);
  }

  /**
   * Lists your notes, the newest first.
   * @param containing Only those that contain this text
   */
  @Tool({ name: "list_notes", scopes: ["notes:read"], readOnly: true })
  list(caller: Principal, containing = ""): Note[] {
    const text = containing.toLowerCase();
    const found = this.#store.all(caller.subject).filter((note) => note.text.toLowerCase().includes(text));
    return found.toReversed();
  }

  /**
   * Deletes one of your notes.
   * @param id The number of the note @integer
   */
  @Tool({ name: "delete_note", scopes: ["notes:write"], destructive: true })
  remove(id: number, caller: Principal): void {
    if (!this.#store.remove(caller.subject, id)) throw new NotFoundError(`You have no note ${id}.`);
  }

  /**
   * One of your notes.
   * @param id The number of the note @integer
   * @mimeType text/plain
   */
  @Resource("notes://{id}", { scopes: ["notes:read"] })
  note(id: number, caller: Principal): string {
    const note = this.#store.find(caller.subject, id);
    if (!note) throw new NotFoundError(`You have no note ${id}.`);
    return note.text;
  }

  /** Sums up what you have written down. */
  @Prompt({ name: "sum_up", scopes: ["notes:read"] })
  sumUp(): string {
    return "List my notes, then sum them up in five sentences, the most urgent first.";
  }
}
