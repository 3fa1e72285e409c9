import { NotFoundError, Tool, type Context } from "@tenon/runtime";
import type { Draft, Found, Note, Notes } from "./notes.js";

/** What is to be otherwise in a note; what is left out stays. */
export interface Change extends Partial<Draft> {
  /** The number of the note @integer */
  id: number;
}

/** What a model can do with notes. */
export class NoteTools {
  constructor(private readonly notes: Notes) {}

  /**
   * Finds notes by words in their title or text.
   * @param words All of them have to be there, or words that begin so; the newest notes, when empty
   * @param tag Only notes that have this tag
   * @param limit At most this many @integer @minimum 1 @maximum 100
   */
  @Tool({ name: "find_notes", readOnly: true, openWorld: false })
  find(words = "", tag = "", limit = 20): Promise<Found[]> {
    return this.notes.search(words, tag, limit);
  }

  /** Writes a new note. */
  @Tool({ name: "add_note", destructive: false, openWorld: false })
  async add({ title, text, tags = [] }: Omit<Draft, "tags"> & Partial<Draft>, ctx: Context): Promise<Note> {
    const id = await this.notes.add({ title, text, tags });
    ctx.notify.resourcesChanged();
    return this.#note(id);
  }

  /** Changes a note: what is left out stays as it is. */
  @Tool({ name: "change_note", destructive: true, idempotent: true, openWorld: false })
  async change({ id, ...change }: Change, ctx: Context): Promise<Note> {
    await this.notes.change(id, { ...(await this.#note(id)), ...change });
    ctx.notify.resourceUpdated(`note://${id}`);
    return this.#note(id);
  }

  /**
   * Deletes a note for good.
   * @param id The number of the note @integer
   */
  @Tool({ name: "delete_note", destructive: true, idempotent: true, openWorld: false })
  async delete(id: number, ctx: Context): Promise<string> {
    const { title } = await this.#note(id);
    await this.notes.remove(id);
    ctx.notify.resourcesChanged();
    return `Note ${id} (“${title}”) is gone.`;
  }

  async #note(id: number): Promise<Note> {
    const note = await this.notes.find(id);
    if (!note) throw new NotFoundError(`There is no note ${id}. Find notes to see their numbers.`);
    return note;
  }
}
