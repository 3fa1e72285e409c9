import {
  type Context,
  type ListedResource,
  type Notify,
  Prompt,
  Resource,
  Tool,
  ToolError,
} from "@tenon/runtime";

/** A server whose lists and resources change while it runs. */
export class Notebook {
  readonly #notes = new Map<string, string>([["1", "One"]]);
  #locked = true;

  /** The tool write. */
  @Tool()
  write(id: string, text: string, ctx: Context): string {
    const isNew = !this.#notes.has(id);
    this.#notes.set(id, text);
    if (isNew) ctx.notify.resourcesChanged();
    ctx.notify.resourceUpdated(`note://${id}`);
    return isNew ? "Added." : "Changed.";
  }

  /** The tool unlock. */
  @Tool()
  unlock(ctx: Context): string {
    this.#locked = false;
    this.#tell(ctx.notify);
    return "Unlocked.";
  }

  /** The tool lock. */
  @Tool()
  lock(ctx: Context): string {
    this.#locked = true;
    this.#tell(ctx.notify);
    return "Locked.";
  }

  /** The tool storm. */
  @Tool()
  storm(ctx: Context): string {
    // The same changes, many times in a row.
    for (let count = 0; count < 100; count++) {
      this.#tell(ctx.notify);
      ctx.notify.resourceUpdated("note://1");
    }
    return "Told.";
  }

  /** The tool secret. */
  @Tool<Notebook>({
    enabled() {
      return this.isUnlocked;
    },
  })
  secret(): string {
    return "Sesame.";
  }

  /** The tool poll. */
  @Tool()
  async poll(ms: number, ctx: Context): Promise<string> {
    ctx.progress(1, 2);
    // The client reconnects for the rest, which exists after `ms` milliseconds.
    ctx.closeStream(20);
    ctx.progress(2, 2);
    await new Promise((resolve) => setTimeout(resolve, ms));
    Notebook.polled += 1;
    return "Worth the wait.";
  }

  /** The tool slow. */
  @Tool()
  async slow(ms: number, signal: AbortSignal): Promise<string> {
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", () => {
        Notebook.lastAbort = (signal.reason as Error).name;
      });
    });
    return "Done.";
  }

  /** The prompt summary. */
  @Prompt<Notebook>({
    enabled() {
      return this.isUnlocked;
    },
  })
  summary(): string {
    return "Sum up.";
  }

  /** The template note. */
  @Resource<Notebook>("note://{id}", {
    mimeType: "text/plain",
    list() {
      return this.list();
    },
  })
  note(id: string): string {
    const text = this.#notes.get(id);
    if (text === undefined) throw new ToolError("No such note.");
    return text;
  }

  /** The resource license. */
  @Resource("notes://license", { cache: { ttlMs: 3_600_000, cacheScope: "public" } })
  license(): string {
    return "MIT";
  }

  static current: Notebook | undefined;
  static lastAbort = "";
  /** The number of completed calls to `poll`. */
  static polled = 0;

  constructor() {
    Notebook.current = this;
  }

  get isUnlocked(): boolean {
    return !this.#locked;
  }

  list(): ListedResource[] {
    return [...this.#notes.keys()].map((id) => ({ uri: `note://${id}`, name: `Note ${id}` }));
  }

  forget(id: string): void {
    this.#notes.delete(id);
  }

  #tell(notify: Notify): void {
    notify.toolsChanged();
    notify.promptsChanged();
  }
}
