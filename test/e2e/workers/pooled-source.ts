/** A server whose calls report which process responds, and can be held there. */
export const POOLED = {
  "src/desk.ts": `import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Resource, Tool, ToolError, type Context } from "@tenon/runtime";

export class Desk {
  /** Which process answers. */
  @Tool({ readOnly: true })
  where(): string {
    return String(process.pid);
  }

  /** Says that it has begun, and answers when a file is there. */
  @Tool({ readOnly: true })
  async hold(file: string): Promise<string> {
    console.error("holding");
    while (!existsSync(file)) await setTimeout(5);
    return "done";
  }

  /** May be called seldom. */
  @Tool({ readOnly: true, rateLimit: { calls: 4, windowMs: 3_600_000 } })
  seldom(): string {
    return "Called.";
  }

  /** Says that the note has changed. */
  @Tool({ destructive: false })
  touch(ctx: Context): string {
    ctx.notify.resourceUpdated("note://1");
    return String(process.pid);
  }

  /** A note. */
  @Resource("note://{id}")
  note(id: string): string {
    return id;
  }

  /** Asks twice. */
  @Tool({ readOnly: true })
  async ask(ctx: Context): Promise<string[]> {
    const pids = [];
    for (const question of ["first", "second"]) {
      console.error("asking by " + process.pid);
      const answer = await ctx.elicit<{ ok: boolean }>(question, { key: question });
      if (answer.action !== "accept") throw new ToolError("No.");
      pids.push(await ctx.step(question, async () => String(process.pid)));
    }
    return pids;
  }

  /** Writes long lines. */
  @Tool({ readOnly: true })
  async chatter(letter: string): Promise<string> {
    for (let line = 0; line < 20; line++) {
      console.error(letter.repeat(50_000));
      await setTimeout(1);
    }
    return "Written.";
  }

  /** Ends the process. */
  @Tool({ readOnly: true })
  fall(): never {
    process.exit(3);
  }
}
`,
  "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { workers } from "@tenon/runtime/workers";

if (process.env["MISSING"] === "yes") throw new Error("DATABASE_URL is not set.");
console.error("loaded");

export default defineServer({ name: "desk", store: workers() });
`,
};
