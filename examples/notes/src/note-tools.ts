import { NotFoundError, Tool, type Context } from "@tenon/runtime";
import type { Draft, FoundNote, Note, Notes } from "./notes.js";

/** Changes to a note. Omitted members stay the same. */
export interface Change extends Partial<Draft> {
  /** The number of the note @integer */
  id: number;
}

/** Tools for notes. */
export class NoteTools {
  constructor(private readonly notes: Notes) {}

  /**
   * Finds notes by words in their title or text.
   * @param words Words or beginnings of words, all of which must occur; empty for the newest notes
   * @param tag Tag that the notes must have
   * @param limit Maximum number of notes @integer @minimum 1 @maximum 100
   */
  @Tool({ name: "find_notes", readOnly: true, openWorld: false })
  find(words = "", tag = "", limit = 20): Promise<FoundNote[]> {
    return this.notes.search(words, tag, limit);
  }

  /** Adds a note. */
  @Tool({ name: "add_note", destructive: false, openWorld: false })
  async add({ title, text, tags = [] }: Omit<Draft, "tags"> & Partial<Draft>, ctx: Context): Promise<Note> {
    const id = await this.notes.add({ title, text, tags });
    ctx.notify.resourcesChanged();
    return this.#note(id);
  }

  /** Changes a note. Omitted arguments stay the same. */
  @Tool({ name: "change_note", destructive: true, idempotent: true, openWorld: false })
  async change({ id, ...change }: Change, ctx: Context): Promise<Note> {
    await this.notes.change(id, { ...(await this.#note(id)), ...change });
    ctx.notify.resourceUpdated(`note://${id}`);
    return this.#note(id);
  }

  /**
   * Deletes a note permanently.
   * @param id The number of the note @integer
   */
  @Tool({ name: "delete_note", destructive: true, idempotent: true, openWorld: false })
  async delete(id: number, ctx: Context): Promise<string> {
    const { title } = await this.#note(id);
    await this.notes.remove(id);
    ctx.notify.resourcesChanged();
    return `Deleted note ${id} (“${title}”).`;
  }

  async #note(id: number): Promise<Note> {
    const note = await this.notes.find(id);
    if (!note)
      throw new NotFoundError(`There is no note ${id}. Use find_notes to see the numbers of the notes.`);
    return note;
  }
}
