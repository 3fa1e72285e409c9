import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { hasModel, matchers, type ModelAnswer } from "@tenon/cli/matchers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { SCRIPTED_KEY, startScriptedModel, type ScriptedModel } from "../support/scripted-model.js";

expect.extend(matchers);

function answer(...calls: ModelAnswer["calls"]): ModelAnswer {
  return { calls, text: "", tokens: { input: 0, output: 0 } };
}

describe("toCallTool", () => {
  const given = answer(
    { tool: "find", arguments: { text: "tea", max: 3 } },
    { tool: "pay", invalidArguments: '{"to":' },
  );

  it("passes for a call with the arguments that matter", () => {
    expect(given).toCallTool("find");
    expect(given).toCallTool("find", { text: /^T/i, max: (max: unknown) => max === 3 });
    expect(given).toCallTool("find", { order: undefined });
    expect(given).not.toCallTool("find", { text: "coffee" });
    expect(given).not.toCallTool("list");
  });

  it("fails for arguments that are not JSON", () => expect(given).not.toCallTool("pay"));

  it("explains what was called instead", () => {
    expect(() => expect(given).toCallTool("find", { text: "coffee", max: 3 }))
      .toThrowErrorMatchingInlineSnapshot(`
      [Error: Expected the model to call \`find\`.
      \`text\` is "tea", expected "coffee".
      It called:
        find {"text":"tea","max":3}
        pay with arguments that are not a JSON object: {"to":]
    `);
    expect(() => expect(given).not.toCallTool("find")).toThrow("Expected the model not to call `find`.");
    expect(() => expect(answer()).toCallTool("find")).toThrow("It called no tool.");
  });

  it("reports a response that was not awaited", () => {
    expect(() => expect(Promise.resolve(given)).toCallTool("find")).toThrow("with `await`");
  });
});

it("toCallNoTool passes for text only", () => {
  expect(answer()).toCallNoTool();
  expect(answer({ tool: "find", arguments: {} })).not.toCallNoTool();
  expect(() => expect(answer({ tool: "find", arguments: {} })).toCallNoTool()).toThrow(
    "It called:\n  find {}",
  );
});

it("hasModel returns whether the environment has a key, or the URL of a server that needs no key", () => {
  expect(hasModel({})).toBe(false);
  expect(hasModel({ ANTHROPIC_BASE_URL: "http://127.0.0.1:1" })).toBe(false);
  expect(hasModel({ ANTHROPIC_API_KEY: "k" })).toBe(true);
  expect(hasModel({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toBe(true);
});

describe("openModel in an author's tests", () => {
  let project: ProjectFolder;
  let model: ScriptedModel;
  const workspace = join(import.meta.dirname, "../..");
  beforeAll(async () => {
    project = projectFolder({
      "src/travel.ts": `import { Tool } from "@tenon/runtime";
export class Travel {
  /** Current weather. */
  @Tool({ readOnly: true }) weather(city: string, units: "metric" | "imperial" = "metric"): string { return city + units; }
}
`,
      "test/travel.test.ts": `import { matchers, openModel, type Model } from "@tenon/cli/matchers";
import { afterAll, beforeAll, expect, test } from "vitest";

expect.extend(matchers);
let model: Model;
beforeAll(async () => { model = await openModel(".", { model: "m" }); });
afterAll(() => model.close());

test("chooses the tool", async () => {
  expect(await model.ask("Weather in Oslo?")).toCallTool("weather", { city: /oslo/i, units: "metric" });
});
test("chooses none", async () => {
  expect(await model.ask("Hello!")).toCallNoTool();
});
test("is typed by the tools", async () => {
  const received = await model.ask("Hello!");
  // @ts-expect-error There is no such tool.
  expect(received).not.toCallTool("wether");
  // @ts-expect-error There is no such argument.
  expect(received).not.toCallTool("weather", { town: "Oslo" });
  expect(model.tools.map(({ name }) => name)).toEqual(["weather"]);
});
test("reports a failure without the key", async () => {
  const failure = await model.ask("Fail!").catch((error: Error) => error);
  expect(String(failure)).toContain("rejected the key in OPENAI_API_KEY (401). Set OPENAI_API_KEY to a key");
  expect(String(failure)).not.toContain(process.env.OPENAI_API_KEY);
});
`,
      "test/tsconfig.json": JSON.stringify({
        extends: "../tsconfig.json",
        include: [".", "../.tenon/server.d.ts"],
      }),
      "vitest.config.mjs": `import { tenon } from "@tenon/cli/vitest";\nexport default { plugins: [tenon()] };\n`,
    });
    model = await startScriptedModel(({ prompt }) => {
      if (prompt.startsWith("Fail")) return { status: 401, raw: `{"error":{"message":"${SCRIPTED_KEY}"}}` };
      return prompt.startsWith("Weather")
        ? { calls: [{ tool: "weather", arguments: { city: "Oslo" } }] }
        : { text: "Hello!" };
    });
  });
  afterAll(async () => {
    await model.close();
    project.remove();
  });

  const node = async (...args: string[]): Promise<string> => {
    const env: NodeJS.ProcessEnv = { ...process.env, ...model.env.openai, NO_COLOR: "1", NODE_OPTIONS: "" };
    delete env["FORCE_COLOR"];
    for (const name of Object.keys(env)) if (/^(NODE_TEST|VITEST)/.test(name)) delete env[name];
    const ran = promisify(execFile)(process.execPath, args, { cwd: project.root, env });
    return ran.then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
  };

  it("sends the tools of the project, which also type its matchers", async () => {
    expect(await node(join(workspace, "node_modules/vitest/vitest.mjs"), "run")).toMatch(/Tests\s+4 passed/);
    expect(model.requests[0]).toMatchObject({
      model: "m",
      tools: [{ name: "weather", description: "Current weather." }],
    });
    expect(await node(join(workspace, "node_modules/typescript/bin/tsc"), "-p", "test/tsconfig.json")).toBe(
      "",
    );
  });
});
