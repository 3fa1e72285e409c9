import { Prompt, Resource, type ListedResource } from "@tenon/runtime";
import type { Notes } from "./notes.js";

/** Resources and prompts for notes. */
export class NotePages {
  constructor(private readonly notes: Notes) {}

  /**
   * One note.
   * @mimeType text/markdown
   */
  @Resource<NotePages>("note://{id}", {
    list() {
      return this.newest();
    },
  })
  async note(/** @integer */ id: number): Promise<string | undefined> {
    const note = await this.notes.find(id);
    return note && `# ${note.title}\n\n${note.text}\n\n${note.tags.map((tag) => `#${tag}`).join(" ")}\n`;
  }

  /** All tags, with the number of notes for each. */
  @Resource("notes://tags")
  tags(): Promise<{ tag: string; notes: number }[]> {
    return this.notes.tags();
  }

  /**
   * Reviews notes for contradictions and open questions.
   * @param tag Tag of the notes
   */
  @Prompt<NotePages>({
    complete: {
      tag(value) {
        return this.findTags(value);
      },
    },
  })
  async review(tag: string): Promise<string> {
    const found = await this.notes.search("", tag, 50);
    const list = found.map(({ id, title, excerpt }) => `- ${title} (note://${id}): ${excerpt}`).join("\n");
    return `Which of these notes contradict each other, and which questions are still open?\n\n${list}`;
  }

  async newest(): Promise<ListedResource[]> {
    const found = await this.notes.search("", "", 100);
    return found.map(({ id, title }) => ({ uri: `note://${id}`, name: title, mimeType: "text/markdown" }));
  }

  async findTags(value: string): Promise<string[]> {
    const tags = await this.notes.tags();
    return tags.map(({ tag }) => tag).filter((tag) => tag.startsWith(value));
  }
}
