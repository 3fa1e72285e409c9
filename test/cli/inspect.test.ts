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
  auth: oauth({ issuer: "https://id.example.com", resource: "https://mcp.example.com/mcp", scopes: { "mail:send": {} } }),
  rateLimit: ({ address }) => ({ calls: address ? 10 : 1000, windowMs: 60_000 }),
});
`,
};

const REFUSED = `
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

  it.each([80, 60])("shows who may, how often, and what may be a task, in %i columns", async (columns) => {
    project = projectFolder(LIMITED);
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect"], { ...terminal, out: { ...terminal.out, columns } })).toBe(0);
    const text = terminal.stdout();
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(columns);
    await expect(text).toMatchFileSnapshot(`inspect/mail-${columns}.txt`);
  });

  it("prints definitions verbatim as JSON, and nothing else", async () => {
    project = projectFolder({ "src/weather.ts": GOOD });
    const { exitCode, listing, stderr } = await inspectJson();
    const { manifest } = compile({ root: project.root });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(Object.keys(listing)).toEqual([
      "tools",
      "prompts",
      "resources",
      "resourceTemplates",
      "diagnostics",
    ]);
    expect(listing).toEqual({
      tools: manifest?.tools.map(({ definition }) => definition),
      prompts: manifest?.prompts.map(({ definition }) => definition),
      resources: manifest?.resources.map(({ definition }) => definition),
      resourceTemplates: manifest?.resourceTemplates.map(({ definition }) => definition),
      diagnostics: [],
    });
    expect(listing.tools.map(({ name }) => name)).toEqual(["current", "forget"]);
  });

  it("lists what is refused beside what is not, and succeeds", async () => {
    project = projectFolder({ "src/weather.ts": GOOD, "src/broken.ts": REFUSED });
    const { exitCode, listing } = await inspectJson();
    expect(exitCode).toBe(0);
    expect(listing.tools.map(({ name }) => name)).toEqual(["current", "forget"]);
    expect(listing.diagnostics).toMatchObject([
      { severity: "error", declaration: { kind: "tool", name: "subscribe" } },
    ]);
  });

  it("fails when nothing is left to serve", async () => {
    project = projectFolder({ "src/broken.ts": REFUSED });
    const { exitCode, listing } = await inspectJson();
    expect(exitCode).toBe(1);
    expect(listing).toMatchObject({ tools: [], diagnostics: [{ declaration: { name: "subscribe" } }] });
  });

  it.each([
    { missing: "package.json", files: {}, gone: "nowhere-near" },
    { missing: "src", files: {}, gone: "" },
  ])("refuses a folder without $missing", async ({ gone }) => {
    project = projectFolder({});
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect", "--json", join(project.root, gone)], terminal)).toBe(1);
    expect(terminal.stdout()).toBe("");
    expect(terminal.stderr()).toMatch(
      gone ? /is not a folder/ : /is not a Tenon project: it has no src folder/,
    );
  });

  it("refuses settings it cannot read", async () => {
    project = projectFolder({ "src/weather.ts": GOOD, "tsconfig.json": "{ nonsense" });
    const terminal = recordingTerminal(project.root);
    expect(await run(["inspect", "--json"], terminal)).toBe(1);
    expect(terminal.stdout()).toBe("");
    expect(terminal.stderr()).toContain("config-unreadable");
  });
});
