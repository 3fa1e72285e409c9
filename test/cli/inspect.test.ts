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
