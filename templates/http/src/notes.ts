import { NotFoundError, Prompt, Resource, Tool, type Principal } from "@tenon/runtime";
import type { Note, NoteStore } from "./note-store.js";

/** Tools and resources for the caller's notes: `caller` is the authenticated user, not an argument. */
export class Notes {
  readonly #store: NoteStore;

  constructor(store: NoteStore) {
    this.#store = store;
  }

  /**
   * Adds a note.
   * @param text Text of the note @minLength 1 @maxLength 2000
   */
  @Tool({ name: "add_note", scopes: ["notes:write"], destructive: false, openWorld: false })
  add(text: string, caller: Principal): Note {
    return this.#store.add(caller.subject, text);
  }

  /**
   * Lists your notes, newest first.
   * @param containing Text that the notes must contain
   */
  @Tool({ name: "list_notes", scopes: ["notes:read"], readOnly: true, openWorld: false })
  list(caller: Principal, containing = ""): Note[] {
    const text = containing.toLowerCase();
    const found = this.#store.all(caller.subject).filter((note) => note.text.toLowerCase().includes(text));
    return found.toReversed();
  }

  /**
   * Deletes one of your notes.
   * @param id The number of the note @integer
   */
  @Tool({ name: "delete_note", scopes: ["notes:write"], destructive: true, openWorld: false })
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

  /** Summarizes your notes. */
  @Prompt({ name: "sum_up", scopes: ["notes:read"] })
  sumUp(): string {
    return "List my notes, then summarize them in five sentences, the most urgent first.";
  }
}
