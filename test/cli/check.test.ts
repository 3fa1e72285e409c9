import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientReport } from "@tenon/compiler";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal, type RecordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const SOURCE = `
import { Tool } from "@tenon/runtime";

interface Node { label: string; children: Node[] }

export class Records {
  /** Finds records. */
  @Tool()
  find(query: string, limit: number | null = 10): string {
    return query + limit;
  }

  /** Draws a tree. */
  @Tool()
  draw(tree: Node, color?: string): string {
    return tree.label + color;
  }

  /** Merges records. */
  @Tool({ inputSchema: { type: "object", properties: { ids: { type: "array" } }, oneOf: [{ required: ["ids"] }] } })
  merge(args: Record<string, unknown>): string {
    return JSON.stringify(args);
  }

  /** Places a record, as its schema has it. */
  @Tool({
    outputSchema: {
      type: "object",
      properties: { at: { type: "array", prefixItems: [{ type: "number" }], items: false, minItems: 1 } },
    },
  })
  place(id: string): { at: [number] } {
    return { at: [id.length] };
  }

  /** Places a record, as its type has it. */
  @Tool()
  placed(id: string): { at: [number] } {
    return { at: [id.length] };
  }
}
`;

const FINE = `
import { Tool } from "@tenon/runtime";

export class Greeter {
  /** Greets somebody by name. */
  @Tool()
  greet(name: string, times?: number): string {
    return name.repeat(times ?? 1);
  }
}
`;

async function check(args: string[]): Promise<{ exitCode: number; terminal: RecordingTerminal }> {
  const terminal = recordingTerminal(project.root);
  return { exitCode: await run(["check", ...args], terminal), terminal };
}

describe("tenon check", () => {
  it("reports what clients reject and ignore, and fails if something is rejected", async () => {
    project = projectFolder({ "src/records.ts": SOURCE });
    const { exitCode, terminal } = await check([]);
    expect(exitCode).toBe(1);
    expect(terminal.stderr()).toBe("");
    await expect(terminal.stdout()).toMatchFileSnapshot("check/records.txt");
  });

  it("aligns its columns, however long a name is", async () => {
    const name = "a_tool_with_a_name_that_goes_on_for_a_good_while";
    project = projectFolder({ "src/greeter.ts": FINE.replace("greet(", `${name}(`) });
    const { terminal } = await check([]);
    expect(terminal.stdout()).toMatch(new RegExp(`^${name} +\\d+ +\\d+ +fine$`, "m"));
  });

  it("succeeds if no client of the chosen families rejects anything", async () => {
    project = projectFolder({ "src/greeter.ts": FINE });
    for (const args of [[], ["--client", "gemini"], ["--client", "claude", "--client", "openai"]]) {
      expect((await check(args)).exitCode, args.join(" ")).toBe(0);
    }
    expect((await check(["--client", "openai-strict"])).exitCode).toBe(1);
    const { terminal } = await check(["--client", "claude", "--client", "claude"]);
    expect(terminal.stdout()).toContain("\nFor claude\n");
    expect((await check(["--client", "openai-strict", "--profile", "openai-strict"])).exitCode).toBe(0);
  });

  it("reports, like inspect, the server's checks that the schema does not show to clients", async () => {
    const scores = "scores: Record<number, `${Uppercase<string>}-${number}`>, name";
    project = projectFolder({ "src/greeter.ts": FINE.replace("greet(name", `greet(${scores}`) });
    const { exitCode, terminal } = await check([]);
    expect(exitCode).toBe(0);
    expect(terminal.stdout()).toContain("greet: checked by the server, but not part of the listed schemas\n");
    const inspected = recordingTerminal(project.root);
    await run(["inspect"], inspected);
    for (const text of [terminal.stdout(), inspected.stdout()]) {
      expect(text.replaceAll(/\s+/g, " ")).toContain("`scores`: names must match ^(?!-0$)-?");
    }
    expect(inspected.stdout()).toContain("Also checked: `scores → [key]`: must match");
    project.remove();
    project = projectFolder({ "src/greeter.ts": FINE });
    expect((await check([])).terminal.stdout()).not.toContain("checked by the server");
  });

  it("considers the client families of the project's profile", async () => {
    project = projectFolder({
      "src/greeter.ts": FINE,
      "src/server.ts": `import { defineServer } from "@tenon/runtime";\nexport default defineServer({ profile: "gemini" });\n`,
    });
    const { exitCode, terminal } = await check(["--json"]);
    const report = JSON.parse(terminal.stdout()) as ClientReport;
    expect(report.clients.map(({ name }) => name)).toContain("gemini");
    expect(exitCode).toBe(0);
  });

  it("adds the errors of the project to the JSON, since the declarations with errors are missing from it", async () => {
    const read = async (): Promise<{ codes: string[]; tools?: string[] | undefined }> => {
      const { exitCode, terminal } = await check(["--json"]);
      expect(exitCode).toBe(1);
      const report = JSON.parse(terminal.stdout()) as Partial<ClientReport> & {
        diagnostics: { code: string }[];
      };
      return {
        codes: report.diagnostics.map(({ code }) => code),
        tools: report.tools?.map(({ name }) => name),
      };
    };
    const broken = `import { Tool } from "@tenon/runtime";
      export class Broken {
        /** Finds one. */
        @Tool() find(id: symbol): string { return String(id); }
      }`;
    project = projectFolder({ "src/greeter.ts": FINE, "src/broken.ts": broken });
    expect(await read()).toEqual({ codes: ["type-symbol"], tools: ["greet"] });
    project.remove();
    project = projectFolder({ "src/greeter.ts": FINE, "tsconfig.json": "{" });
    expect(await read()).toEqual({ codes: ["config-unreadable"], tools: undefined });
  });

  it("measures definitions by the JSON that lists contain", async () => {
    project = projectFolder({ "src/greeter.ts": FINE });
    const { terminal } = await check(["--json"]);
    const report = JSON.parse(terminal.stdout()) as ClientReport;
    const inspected = recordingTerminal(project.root);
    await run(["inspect", "--json"], inspected);
    const [definition] = (JSON.parse(inspected.stdout()) as { tools: object[] }).tools;
    const bytes = Buffer.byteLength(JSON.stringify(definition));
    expect(report.tools[0]).toEqual({
      name: "greet",
      bytes,
      tokens: Math.ceil(bytes / 4),
      findings: [],
      checkedOnly: [],
    });
    expect(report.total).toEqual({ bytes, tokens: Math.ceil(bytes / 4) });
  });

  it("fails for a project with errors, and checks the remaining declarations", async () => {
    project = projectFolder({
      "src/greeter.ts": FINE.replace("times?: number", "times?: symbol"),
      "src/other.ts": FINE.replace("Greeter", "Other").replace("greet(", "hail("),
    });
    const { exitCode, terminal } = await check([]);
    expect(exitCode).toBe(1);
    expect(terminal.stderr()).toContain("type-symbol");
    expect(terminal.stdout()).toContain("hail");
  });
});

describe("tenon build --profile", () => {
  it("writes the schemas of that profile", async () => {
    project = projectFolder({ "src/greeter.ts": FINE });
    const terminal = recordingTerminal(project.root);
    expect(await run(["build", "--profile", "openai-strict"], terminal)).toBe(0);
    const text = readFileSync(join(project.root, "dist/tenon.manifest.json"), "utf8");
    const { tools } = JSON.parse(text) as {
      tools: { definition: { inputSchema: object }; input: object }[];
    };
    expect(tools[0]?.definition.inputSchema).toEqual({
      type: "object",
      properties: { name: { type: "string" }, times: { type: ["number", "null"] } },
      required: ["name", "times"],
      additionalProperties: false,
    });
  });
});

describe("tenon check, on definitions that every client accepts", () => {
  const words = "word ".repeat(2000);
  const LARGE = `
import { Prompt, Resource, Tool } from "@tenon/runtime";

export class Large {
  /** Exports. ${words} */
  @Tool({ readOnly: true })
  export(/** ${words} */ format: string): string {
    return format;
  }

  /** Finds. @param query What to look for */
  @Tool({ readOnly: true })
  find(query: string, exact = false, sort: "asc" | "desc" = "asc"): string {
    return query + exact + sort;
  }

  @Tool()
  remove(id: string): void {}

  @Prompt()
  plan(): string {
    return "";
  }

  @Resource("notes://all")
  all(): string {
    return "";
  }
}
`;

  it("reports definitions that are large, undescribed, or silent about their effects", async () => {
    project = projectFolder({ "src/large.ts": LARGE });
    const terminal = recordingTerminal(project.root);
    expect(await run(["check", "--max-tokens", "2000"], terminal)).toBe(1);
    const { stdout } = terminal;
    expect(stdout()).toMatch(/^export +\d+ +\d+ {2}large$/m);
    expect(stdout().slice(stdout().indexOf("Suggestions"))).toMatchInlineSnapshot(`
      "Suggestions
        tool export
          - needs about 5061 tokens, more than 1500. Shorten the descriptions of its arguments and results
          - does not set \`openWorld\`, so clients assume that it reaches other systems, such as the web
          - has a description of 10008 characters; Claude Code reads only the first 2048
        tool find
          - does not set \`openWorld\`, so clients assume that it reaches other systems, such as the web
        tool remove
          - has no description
          - does not describe \`id\`
          - sets neither \`readOnly\` nor \`destructive\`, so clients assume that it is destructive
          - does not set \`openWorld\`, so clients assume that it reaches other systems, such as the web
        prompt plan
          - has no description
        resource notes://all
          - has no description

      "
    `);
    expect(terminal.stderr()).toMatch(/^error {2}All tools need about \d+ tokens, more than 2000: /);
    expect(stdout()).not.toContain("more than 2000");
  });

  it("fails for the size of definitions only if a budget is given", async () => {
    project = projectFolder({ "src/large.ts": LARGE });
    expect(await run(["check"], recordingTerminal(project.root))).toBe(0);
    const terminal = recordingTerminal(project.root);
    expect(await run(["check", "--json"], terminal)).toBe(0);
    const { maxTokens, advice } = JSON.parse(terminal.stdout()) as {
      maxTokens: number;
      advice: { about: string; kind: string; name: string }[];
    };
    expect(maxTokens).toBe(10_000);
    expect(advice.map(({ about, kind, name }) => `${about}: ${kind} ${name}`)).toEqual([
      "size: tool export",
      "annotations: tool export",
      "annotations: tool find",
      "description: tool remove",
      "description: tool remove",
      "annotations: tool remove",
      "annotations: tool remove",
      "description: tool export",
      "description: prompt plan",
      "description: resource notes://all",
    ]);
    expect(await run(["check", "--max-tokens", "lots"], recordingTerminal(project.root))).toBe(2);
  });

  it("reports nothing for a server that describes everything", async () => {
    project = projectFolder({ "src/greeter.ts": DESCRIBED });
    const terminal = recordingTerminal(project.root);
    expect(await run(["check"], terminal)).toBe(0);
    expect(terminal.stdout()).not.toContain("Suggestions");
  });

  it("reports that a second parameter changes the arguments of the first", async () => {
    project = projectFolder({ "src/booking.ts": createBooking("place: { city: string; days: number }") });
    expect(await run(["build"], recordingTerminal(project.root))).toBe(0);
    const against = ["check", "--baseline", "dist/tenon.manifest.json"];
    const checkReport = async (parameters: string): Promise<string> => {
      project.write({ "src/booking.ts": createBooking(parameters) });
      const terminal = recordingTerminal(project.root);
      await run(against, terminal);
      return terminal.stdout();
    };
    expect(await checkReport("place: { city: string; days: number }, note?: string")).toContain(
      "- accepted `city`, `days`, and now accepts `place`, `note`: before,",
    );
    expect(await checkReport("place: { city: string; days: number; note?: string }")).not.toContain("- took");
    expect(await checkReport("city: string, days: number")).not.toContain("- took");
  });
});

const DESCRIBED = `
import { Tool } from "@tenon/runtime";

export class Greeter {
  /**
   * Greets somebody by name.
   * @param name Whom
   */
  @Tool({ readOnly: true, openWorld: false })
  greet(name: string): string {
    return name;
  }
}
`;

function createBooking(parameters: string): string {
  return `
import { Tool } from "@tenon/runtime";

export class Booking {
  /** Books. */
  @Tool({ destructive: false })
  book(${parameters}): void {}
}
`;
}
