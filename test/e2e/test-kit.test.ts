/**
 * An author's tests, with Vitest and with node:test: they read decorated classes, and get a typed client of the server.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { skillText } from "../support/skill-application.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

const workspace = resolve(import.meta.dirname, "../..");

const WEATHER = `import { Prompt, Resource, Tool, ToolError, type Context, type ToolResult } from "@tenon/runtime";
import cities from "./cities.json" with { type: "json" };

export interface Conditions { city: string; at: Date; celsius: number }
export interface Station { read(city: string): number }

export class Weather {
  constructor(private readonly station: Station = { read: () => 7 }) {}

  /** Current conditions. */
  @Tool({ readOnly: true })
  async current(city: string, units: "c" | "f" = "c", since?: Date): Promise<Conditions> {
    if (city === "" || units === "f") throw new ToolError("Which city?");
    return { city, at: since ?? new Date(0), celsius: this.station.read(city) };
  }

  @Tool()
  async book(args: { city: string; tags?: Set<string> }, ctx: Context) {
    ctx.log("info", "booking");
    ctx.progress(1, 2, "half");
    const who = await ctx.elicit<{ name: string }>("Who is traveling?");
    return (who.action === "accept" ? who.content.name : who.action) + ": " + args.city + [...(args.tags ?? [])];
  }

  @Tool({ view: "./page.view.ts" }) page(): string { return "page"; }
  @Tool({ visibility: ["app"] }) turn(pages: number): number { return pages; }
  @Tool() sum(...values: number[]): number { return values.reduce((a, b) => a + b, 0); }
  @Tool({ task: "optional" }) async travel(mode: "go" | "fail" | "wait", ctx: Context): Promise<{ name: string }> {
    if (mode === "wait") await new Promise((_resolve, reject) => ctx.signal.addEventListener("abort", reject));
    const { name } = await ctx.ask<{ name: string }>("Who is traveling?");
    if (mode === "fail") throw new ToolError(name + " is ill.");
    return { name };
  }
  @Tool() nothing(): void {}
  @Tool() anything(): unknown { return undefined; }
  @Tool() cities(): string[] { return cities; }
  @Tool() found(n: number): { result: number } | number | undefined { return n > 1 ? { result: n } : n || undefined; }
  @Tool() fail(): void { throw new Error("secret"); }
  @Tool() image() { return { type: "image" as const, data: "aGk=", mimeType: "image/png" }; }
  @Tool() both(): ToolResult<{ at: Date }> {
    return { content: [{ type: "text", text: "now" }], structuredContent: { at: new Date(5) } };
  }
  @Tool() async delegate({ audience }: { audience: string }, ctx: Context): Promise<string> {
    const { authorization, scopes } = await ctx.exchange({ audience });
    return authorization + " " + scopes.join();
  }
  @Tool() whoami(_: { x?: string }, ctx: Context) { return ctx.principal?.subject ?? "nobody"; }

  /** The report of one year. */
  @Resource("climate://{city}/{year}")
  report(city: string, year: number): string { return city + " in " + (year + 1); }

  /** Found or not. */
  @Resource("notes://{id}")
  note(id: number): string | undefined { return id === 1 ? "# One" : undefined; }

  @Resource("stations://all")
  stations(): { name: string }[] { return [{ name: "a" }]; }

  @Resource("icon://x")
  icon(): Uint8Array { return new Uint8Array([1, 2]); }

  @Prompt()
  plan(city: string, days?: number) { return "Plan " + (days ?? 3) + " days in " + city + "."; }
}
`;

const VITEST = `import { connect, ToolFailure } from "@tenon/cli/testing";
import { expect, it } from "vitest";
import { Weather } from "../src/weather.js";

const source = new URL("../src/server.ts", import.meta.url);

it("the test kit reads decorated classes", async () => {
  expect((await new Weather({ read: () => 3 }).current("Oslo")).celsius).toBe(3);
});

it("the test kit calls tools as their methods are declared", async () => {
  await using server = await connect(source);
  const now = await server.tools.current({ city: "Oslo", since: new Date(5) });
  const at: string = now.at;
  expect({ ...now, at }).toEqual({ city: "Oslo", at: "1970-01-01T00:00:00.005Z", celsius: 7 });
  expect(await server.tools.sum({ values: [1, 2, 3] })).toBe(6);
  expect(await server.tools.turn({ pages: 2 })).toBe(2);
  expect(await server.tools.nothing()).toBe(undefined);
  expect((await server.tools.image())[0]?.type).toBe("image");
  const both: { at: string } = await server.tools.both();
  expect(both).toEqual({ at: "1970-01-01T00:00:00.005Z" });
  expect((await server.tools.sum.result({ values: [] })).structuredContent).toBe(0);
});

it.each(["2026-07-28", "2025-11-25", "2024-11-05"])("returns the value of the method in %s", async (revision) => {
  const server = await connect(source, { revision });
  expect(await server.tools.cities()).toEqual(["Oslo", "Rome"]);
  expect(await server.tools.found({ n: 2 })).toEqual({ result: 2 });
  expect(await server.tools.found({ n: 1 })).toBe(1);
  expect(await server.tools.found({ n: 0 })).toBe(null);
  expect(await server.tools.anything()).toBe(undefined);
  await server.close();
  await expect(server.tools.cities()).rejects.toThrow("The client is closed. Call close() after tools/call.");
});

it("the test kit throws what a model would read", async () => {
  await using server = await connect(source, { showErrors: false });
  await expect(server.tools.current({ city: "" })).rejects.toThrow("Which city?");
  const failure = await server.tools.fail().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ToolFailure);
  expect((failure as Error).message).not.toContain("secret");
  expect(server.serverLog.at(-1)?.err?.message).toBe("secret");
  // @ts-expect-error A city is a string.
  await expect(server.tools.book({ city: 1 })).rejects.toThrow("city");
  // @ts-expect-error There is no such tool.
  expect(server.tools.boook).toBe(undefined);
});

it("the test kit replaces the exchange of tokens", async () => {
  await using server = await connect(source, {
    principal: "ada",
    exchange: ({ audience }, principal) => {
      if (audience === "closed") throw new Error("No such API.");
      const accessToken = principal?.subject + "@" + String(audience);
      return audience === "mail" ? { accessToken, scopes: ["send"] } : accessToken;
    },
  });
  expect(await server.tools.delegate({ audience: "orders" })).toBe("Bearer ada@orders ");
  expect(await server.tools.delegate({ audience: "mail" })).toBe("Bearer ada@mail send");
  await expect(server.tools.delegate({ audience: "closed" })).rejects.toThrow("No such API.");
});

it("the test kit reads resources and gets prompts", async () => {
  await using server = await connect(source);
  const text: string = await server.resources.report({ city: "São Paulo", year: 2020 });
  expect(text).toBe("São Paulo in 2021");
  expect((await server.resources.stations())[0]?.name).toBe("a");
  const note: string = await server.resources.note({ id: 1 });
  expect(note).toBe("# One");
  expect([...(await server.resources.icon())]).toEqual([1, 2]);
  expect(await server.prompts.plan({ city: "Oslo", days: 4 })).toMatchObject([
    { role: "user", content: { text: "Plan 4 days in Oslo." } },
  ]);
});

it.each(["2026-07-28", "2025-06-18"])("answers what the server asks in %s", async (revision) => {
  await using server = await connect(source, { revision, answers: { elicit: [{ name: "Ada" }, "decline"] } });
  expect(await server.tools.book({ city: "Rome", tags: new Set(["x"]) })).toBe("Ada: Romex");
  expect(await server.tools.book({ city: "Rome" })).toBe("decline: Rome");
  expect(server.logs).toContainEqual({ level: "info", data: "booking" });
  expect(server.progress[0]).toMatchObject({ progress: 1, total: 2, message: "half" });
});

it("rejects misspelled options and answers, which tests in JavaScript may contain", async () => {
  const options: object[] = [{ revison: "2025-06-18" }, { answers: { elict: [] } }];
  const messages = options.map((each) => connect(source, each).catch(({ message }) => message));
  expect(await Promise.all(messages)).toEqual([
    expect.stringContaining("revison\` is not an option. Remove it, or use one of: answers, provide,"),
    "\`answers.elict\` answers no request. Use \`elicit\`, \`sample\`, or \`roots\`.",
  ]);
});

it("the test kit waits for tasks, and answers their elicitations", async () => {
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  await using server = await connect(source, { capabilities, answers: { elicit: [{ name: "Ada" }] } });
  const { resultType } = await server.client.request("tools/call", { name: "travel", arguments: { mode: "go" } });
  expect(resultType).toBe("task");
  expect(await server.tools.travel({ mode: "go" })).toEqual({ name: "Ada" });
  await expect(server.tools.travel({ mode: "fail" })).rejects.toThrow("Ada is ill.");
  const signal = AbortSignal.timeout(50);
  await expect(server.tools.travel({ mode: "wait" }, { signal })).rejects.toThrow("timeout");
});

it("the test kit rejects a path that does not exist, even inside a project", async () => {
  await expect(connect("./sorce")).rejects.toThrow(
    "sorce does not exist. Pass the project folder, or a file in it.",
  );
});

it("the test kit rejects mocks that replace nothing", async () => {
  const mock = { current: () => ({ city: "Oslo" }) };
  const message = "provide[0] replaces nothing: it is not an instance of a class with tools, prompts, or resources (Weather).";
  await expect(connect(source, { provide: [mock] })).rejects.toThrow(message);
});

it("the test kit applies options that its project does not configure", async () => {
  await using server = await connect(source, { config: { limits: { maxResultChars: 10 } } });
  await expect(server.tools.cities()).rejects.toThrow("The result has 15 characters");
});

it("the test kit reads skills as clients do, and hides restricted ones", async () => {
  const config = { skills: { trips: { scopes: ["travel"] } } };
  await using server = await connect(source, { config, principal: { subject: "ada", scopes: ["travel"] } });
  const [skill] = await server.client.listSkills();
  expect(await server.client.readSkill(skill?.uri ?? "")).toEqual({ "SKILL.md": expect.stringContaining("Call") });
  await using other = await connect(source, { config });
  expect(await other.client.listSkills()).toEqual([]);
});

it("the test kit accepts mocks in place of instances, and a principal to act as", async () => {
  await using server = await connect(source, { provide: [new Weather({ read: () => 40 })], principal: "ada" });
  expect((await server.tools.current({ city: "Oslo" })).celsius).toBe(40);
  expect(await server.tools.whoami({})).toBe("ada");
});
`;

const NODE = `import { connect } from "@tenon/cli/testing";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Weather } from "../src/weather.js";

test("a decorated class, and a server with a mock", async () => {
  assert.deepEqual(new Weather().cities(), ["Oslo", "Rome"]);
  assert.equal((await new Weather({ read: () => 3 }).current("Oslo")).celsius, 3);
  const server = await connect(new URL("../src/server.ts", import.meta.url), {
    provide: [new Weather({ read: () => 40 })],
    answers: { elicit: [{ name: "Ada" }] },
  });
  assert.equal((await server.tools.current({ city: "Oslo" })).celsius, 40);
  assert.equal(await server.tools.book({ city: "Rome" }), "Ada: Rome");
  assert.match(String((await server.client.readSkill("skill://trips/SKILL.md"))["SKILL.md"]), /Call/);
  await server.close();
});
`;

const ALONE = `import { connect } from "@tenon/cli/testing";
await connect("..").catch((error) => console.log(error.message));
`;

let project: ProjectFolder;
beforeAll(() => {
  const compilerOptions = { target: "es2022", lib: ["es2023", "esnext.disposable"], noEmit: true };
  project = projectFolder({
    "src/weather.ts": WEATHER,
    "skills/trips/SKILL.md": skillText("trips", "Call `current`, then `book`."),
    "tsconfig.json": tsconfig({ lib: ["es2023", "dom"] }),
    "src/page.view.ts": `export default function mount(root: HTMLElement): void { root.textContent = "Page"; }\n`,
    "src/cities.json": `["Oslo", "Rome"]`,
    "test/weather.test.ts": VITEST,
    "test/weather.node.mts": NODE,
    "test/alone.mjs": ALONE,
    "test/tsconfig.json": JSON.stringify({
      extends: "../tsconfig.json",
      compilerOptions,
      include: [".", "../.tenon/server.d.ts"],
    }),
    "vitest.config.mjs": `import { tenon } from "@tenon/cli/vitest";\nexport default { plugins: [tenon()] };\n`,
  });
});
afterAll(() => project.remove());

/** Returns the environment of a terminal without colors, outside of any test run. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const env = { ...process.env, FORCE_COLOR: "0", NO_COLOR: "1", NODE_OPTIONS: "" };
  for (const name of Object.keys(env))
    if (/^(NODE_TEST|VITEST)/.test(name)) delete env[name as keyof typeof env];
  return env;
}

function node(...args: string[]): { status: number | null; output: string } {
  const env = plainEnvironment();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project.root,
    env,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

const installedPath = (path: string): string => join(workspace, "node_modules", path);
const vitest = (): ReturnType<typeof node> => node(installedPath("vitest/vitest.mjs"), "run");

describe("an author's tests", () => {
  test("run with vitest", () => {
    const { status, output } = vitest();
    expect(output).toMatch(/Tests\s+17 passed/);
    expect(status).toBe(0);
  });

  test("run again in Vitest's watch mode when a source is edited", async () => {
    const file = join(project.root, "src/weather.ts");
    const child = spawn(process.execPath, [installedPath("vitest/vitest.mjs"), "--watch"], {
      cwd: project.root,
      env: plainEnvironment(),
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => (output += String(chunk)));
    try {
      await eventually(() => expect(output).toMatch(/Tests\s+17 passed/));
      writeFileSync(file, WEATHER.replace("reduce((a, b) => a + b, 0)", "reduce((a, b) => a * b, 1)"));
      await eventually(() => expect(output).toMatch(/Tests\s+1 failed \| \d+ passed/));
      writeFileSync(file, WEATHER);
      await eventually(() => expect(output.match(/Tests\s+17 passed/g)).toHaveLength(2));
    } finally {
      writeFileSync(file, WEATHER);
      child.kill();
      await once(child, "exit");
    }
  });

  test("are typed by the author's methods", () => {
    const { output } = node(installedPath("typescript/bin/tsc"), "-p", "test/tsconfig.json");
    expect(output).toBe("");
  });

  test("run with node:test", () => {
    const { status, output } = node("--import", "@tenon/cli/register", "--test", "test/weather.node.mts");
    expect(output).toMatch(/(# |ℹ )pass 1/);
    expect(status).toBe(0);
  });

  test("run with decorated JavaScript", () => {
    const mixed = projectFolder({
      "tsconfig.json": tsconfig({ allowJs: true }),
      "src/typed.ts": "export const greeting: string = 'Hello';\n",
      "src/greeter.js": `import { Tool } from "@tenon/runtime";
import { greeting } from "./typed.js";
export class Greeter {
  /**
   * Greets.
   * @param {string} name
   */
  @Tool({ readOnly: true })
  greet(name) {
    return greeting + " " + name;
  }
}
`,
      "call.mjs": `import { connect } from "@tenon/cli/testing";
const server = await connect(".");
console.log(await server.tools.greet({ name: "Ada" }));
await server.close();
`,
    });
    const args = ["--import", "@tenon/cli/register", "call.mjs"];
    const run = spawnSync(process.execPath, args, {
      cwd: mixed.root,
      env: plainEnvironment(),
      encoding: "utf8",
    });
    mixed.remove();
    expect(run.stderr).toBe("");
    expect(run.stdout).toBe("Hello Ada\n");
  });

  test("report what is missing if nothing compiles the project", () => {
    expect(node("test/alone.mjs").output).toMatchInlineSnapshot(`
      "No package.json was found in /tmp or its parent folders.
      "
    `);
  });

  test("receive the diagnostics of a project with errors", () => {
    writeFileSync(
      join(project.root, "src/wrong.ts"),
      `import { Tool } from "@tenon/runtime";
export class Wrong { @Tool() run(when: () => void) { return String(when); } }
`,
    );
    const { output } = node("--import", "@tenon/cli/register", "--test", "test/weather.node.mts");
    expect(output).toContain("src/wrong.ts:2");
    expect(output).toContain("The server of this project has errors.");
  });
});
