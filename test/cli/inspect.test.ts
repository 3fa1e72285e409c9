import { join } from "node:path";
import { compile } from "@tenon/compiler";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const GOOD = `
import { Prompt, Resource, Tool } from "@tenon/runtime";

export interface Conditions { city: string; celsius: number; sky: "clear" | "cloudy" }

export class Weather {
  /**
   * Current conditions for a city.
   *
   * Asks the nearest station, which may be some way off; say so when the city is large and the answer
   * matters to somebody.
   * @param city City name or postal code
   */
  @Tool({ readOnly: true })
  current(city: string, units: "metric" | "imperial" = "metric"): Conditions {
    return { city, celsius: units.length, sky: "clear" };
  }

  /** Forgets everything. */
  @Tool({ destructive: true, rateLimit: { calls: 5, windowMs: 60_000 }, timeoutMs: 2500 })
  forget(): void {}

  /** Plan a trip. */
  @Prompt()
  plan(city: string, days?: number): string {
    return city + days;
  }

  /**
   * Where the data comes from.
   * @mimeType text/plain
   */
  @Resource("weather://about", { title: "About", timeoutMs: 1000 })
  about(): string {
    return "";
  }

  /** The climate report of one year. */
  @Resource("climate://{city}/{year}")
  report(city: string, year: number): string {
    return city + year;
  }
}
`;

const LIMITED = {
  "src/mail.ts": `
import { Prompt, Tool, type Context } from "@tenon/runtime";

export class Mail {
  /** Sends a message. */
  @Tool({ rateLimit: ({ principal }) => ({ calls: principal ? 100 : 1, windowMs: 60_000 }), scopes: ["mail:send"] })
  send(text: string): string {
    return text;
  }

  /** Imports a mailbox. */
  @Tool({ task: "optional", timeoutMs: 60_000 })
  import(): { messages: number } {
    return { messages: 0 };
  }

  /** Imports it, once the person has agreed. */
  @Tool({ task: "required", taskStart: "handler", rateLimit: { calls: 1, windowMs: Number(process.env["WINDOW"]) } })
  clean(ctx: Context): void {
    ctx.startTask();
  }

  /** Answers a message. */
  @Prompt({ rateLimit: () => undefined })
  answer(): string {
    return "Answer it.";
  }
}
`,
  "src/server.ts": `
import { defineServer } from "@tenon/runtime";
import { oauth } from "@tenon/runtime/auth";

export default defineServer({
  stdio: {},
  auth: oauth({ issuer: "https://id.example.com", resource: "https://mcp.example.com/mcp", scopes: { "mail:send": {} } }),
  rateLimit: ({ address }) => ({ calls: address ? 10 : 1000, windowMs: 60_000 }),
});
`,
};

const ASKING = {
  "src/asking.ts": `
import type { Context } from "@tenon/runtime";

/** Asked by whoever calls it. */
export async function agreed(ctx: Context): Promise<boolean> {
  return (await ctx.elicit("Shall it be?")).action === "accept";
}

export const words = (ctx: Context): Promise<unknown> => ctx.sample({ messages: [], maxTokens: 9 });
`,
  "src/booking.ts": `
import { Prompt, Resource, Tool, UrlElicitationRequiredError, type Context } from "@tenon/runtime";
import { agreed, words } from "./asking.js";

class Login {
  constructor(private readonly url: string) {}
  needed(): Error { return new UrlElicitationRequiredError([{ message: "Log in.", url: this.url }]); }
}

export class Booking {
  /** Asks in person, twice the same, by helpers of this file and another. */
  @Tool() async book(ctx: Context): Promise<void> {
    const { elicit } = ctx;
    const who = await elicit<{ name: string; seat?: "window" | "aisle" }>("Who travels?");
    if (who.action !== "accept") return;
    await this.again(ctx);
    await words(ctx);
    await ctx.roots();
  }
  /** Asks what only the running server knows. */
  @Tool() async survey(fields: string[], ctx: Context): Promise<void> {
    const properties = Object.fromEntries(fields.map((name) => [name, { type: "string" as const }]));
    await ctx.ask("Please say.", { schema: { type: "object", properties } });
    await ctx.ask("And this.", { schema: { type: "object", properties: { age: { type: "integer" } } } });
  }
  /** Asks nothing, though what it calls has the name. */
  @Tool() none(): number { return this.sample() + [1].length; }
  /** Name of the account. */
  @Resource("booking://account") account(): string { throw new Login("https://example.com/in").needed(); }
  /** Plans. */
  @Prompt() async plan(ctx: Context): Promise<string> {
    if ((await ctx.elicitUrl("Look.", "https://example.com")).action !== "accept") return "Nothing.";
    return (await agreed(ctx)) ? "Yes." : "No.";
  }
  private async again(ctx: Context): Promise<void> {
    await agreed(ctx);
    await ctx.ask<{ name: string; seat?: "window" | "aisle" }>("Who else?");
  }
  private sample(): number { return 1; }
}
`,
};

const UNSERVABLE = `
import { Tool } from "@tenon/runtime";

export class Broken {
  /** Cannot be served. */
  @Tool()
  subscribe(callback: () => void): void {
    callback();
  }
}
`;

interface Listing {
  tools: { name: string }[];
  questions: Record<string, object[]>;
  diagnostics: { code: string; severity: string; declaration?: { kind: string; name: string } }[];
}

async function inspectJson(): Promise<{ exitCode: number; listing: Listing; stderr: string }> {
  const terminal = recordingTerminal(project.root);
  const exitCode = await run(["inspect", "--json"], terminal);
  return { exitCode, listing: JSON.parse(terminal.stdout()) as Listing, stderr: terminal.stderr() };
}

describe("tenon inspect", () => {
  it("shows what a client will see", async () => {
    project = projectFolder({ "src/weather.ts": GOOD });
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect"], terminal)).toBe(0);
    expect(terminal.stderr()).toBe("");
    await expect(terminal.stdout()).toMatchFileSnapshot("inspect/weather.txt");
  });

  it.each([80, 60])("shows scopes, rate limits, and task support in %i columns", async (columns) => {
    project = projectFolder(LIMITED);
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect"], { ...terminal, out: { ...terminal.out, columns } })).toBe(0);
    const text = terminal.stdout();
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(columns);
    await expect(text).toMatchFileSnapshot(`inspect/mail-${columns}.txt`);
  });

  it.each([80, 60])("shows the questions a client may receive in %i columns", async (columns) => {
    project = projectFolder(ASKING);
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect"], { ...terminal, out: { ...terminal.out, columns } })).toBe(0);
    const text = terminal.stdout();
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(columns);
    await expect(text).toMatchFileSnapshot(`inspect/asking-${columns}.txt`);
    const { questions } = (await inspectJson()).listing;
    expect(Object.keys(questions)).toEqual([
      "tool book",
      "tool survey",
      "prompt plan",
      "resource booking://account",
    ]);
    expect(questions["resource booking://account"]).toEqual([{ method: "elicitation/create", mode: "url" }]);
  });

  it("prints only the verbatim definitions as JSON", async () => {
    project = projectFolder({ "src/weather.ts": GOOD });
    const { exitCode, listing, stderr } = await inspectJson();
    const { manifest } = compile({ root: project.root });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(Object.keys(listing)).toEqual([
      "tools",
      "prompts",
      "resources",
      "resourceTemplates",
      "questions",
      "diagnostics",
    ]);
    expect(listing).toEqual({
      tools: manifest?.tools.map(({ definition }) => definition),
      prompts: manifest?.prompts.map(({ definition }) => definition),
      resources: manifest?.resources.map(({ definition }) => definition),
      resourceTemplates: manifest?.resourceTemplates.map(({ definition }) => definition),
      questions: {},
      diagnostics: [],
    });
    expect(listing.tools.map(({ name }) => name)).toEqual(["current", "forget"]);
  });

  it("lists rejected declarations next to accepted ones, and succeeds", async () => {
    project = projectFolder({ "src/weather.ts": GOOD, "src/broken.ts": UNSERVABLE });
    const { exitCode, listing } = await inspectJson();
    expect(exitCode).toBe(0);
    expect(listing.tools.map(({ name }) => name)).toEqual(["current", "forget"]);
    expect(listing.diagnostics).toMatchObject([
      { severity: "error", declaration: { kind: "tool", name: "subscribe" } },
    ]);
  });

  it("fails if nothing remains to be served", async () => {
    project = projectFolder({ "src/broken.ts": UNSERVABLE });
    const { exitCode, listing } = await inspectJson();
    expect(exitCode).toBe(1);
    expect(listing).toMatchObject({ tools: [], diagnostics: [{ declaration: { name: "subscribe" } }] });
  });

  it.each([
    { missing: "package.json", files: {}, gone: "nowhere-near" },
    { missing: "src", files: {}, gone: "" },
  ])("rejects a folder without $missing", async ({ gone }) => {
    project = projectFolder({});
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect", "--json", join(project.root, gone)], terminal)).toBe(1);
    expect(JSON.parse(terminal.stdout())).toMatchObject({ tools: [], diagnostics: [{ severity: "error" }] });
    expect(terminal.stderr()).toMatch(
      gone ? /is not a folder/ : /is not a Tenon project: it has no src folder/,
    );
  });

  it("rejects settings it cannot read, and lists that in its JSON, too", async () => {
    project = projectFolder({ "src/weather.ts": GOOD, "tsconfig.json": "{ nonsense" });
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect", "--json"], terminal)).toBe(1);
    expect(JSON.parse(terminal.stdout())).toMatchObject({
      tools: [],
      diagnostics: [{ code: "config-unreadable" }],
    });
    expect(terminal.stderr()).toContain("config-unreadable");
  });
});
