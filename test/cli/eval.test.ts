import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { beforeAll, describe, expect, it } from "vitest";
import { answerWell, EVALS, useEvalProject } from "../support/eval-project.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { SCRIPTED_KEY, type ScriptedRequest, type ScriptedResponse } from "../support/scripted-model.js";

const evals = useEvalProject();

describe.each(["openai", "anthropic"] as const)("tenon eval with the API of %s", (api) => {
  it("sends the tools as the server lists them, and the instructions", async () => {
    const { code, out } = await evals.evaluate(["--model", "m-1", "--runs", "2"], evals.model.env[api]);
    expect(code).toBe(0);
    expect(evals.model.requests).toHaveLength(8);
    const inspected = recordingTerminal(evals.project.root);
    await run(["inspect", "--json"], inspected);
    const listed = (JSON.parse(inspected.stdout()) as { tools: ScriptedRequest["tools"] }).tools;
    for (const request of evals.model.requests) {
      expect(request).toMatchObject({ api, model: "m-1", instructions: "Ask before you book." });
      expect(request.tools).toEqual(
        listed
          .filter(({ name }) => name !== "turn")
          .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      );
    }
    const [{ headers }] = evals.model.requests as [ScriptedRequest];
    expect(headers[api === "openai" ? "authorization" : "x-api-key"]).toBe(
      api === "openai" ? `Bearer ${SCRIPTED_KEY}` : SCRIPTED_KEY,
    );
    expect(out).toContain("✓   2/2 Weather in Oslo?");
    expect(out).toContain("accuracy   100%");
    expect(out).toContain("tokens     800 in, 80 out");
  });

  it("does not print the key if a model repeats it in an argument", async () => {
    evals.respond = () => ({ calls: [{ tool: "weather", arguments: { city: `k ${SCRIPTED_KEY}` } }] });
    const { out, err } = await evals.evaluate(["--model", "m"], evals.model.env[api]);
    expect(out).toContain("k (key)");
    expect(out + err).not.toContain(SCRIPTED_KEY);
  });

  it("reports wrong tools, wrong arguments, and confused tools", async () => {
    evals.respond = ({ prompt, earlier }) => {
      if (prompt.startsWith("Three"))
        return earlier === 0
          ? { calls: [{ tool: "weather", arguments: { city: "Rome" } }] }
          : { calls: [{ tool: "book", arguments: { city: "Rome", days: "3" } }] };
      if (prompt.startsWith("What")) return { calls: [{ tool: "book", arguments: {} }] };
      if (prompt.startsWith("Tell")) return { calls: [{ tool: "joke", arguments: {} }] };
      return { calls: [{ tool: "weather", arguments: { city: "Oslo", units: "imperial" } }] };
    };
    const { code, out } = await evals.evaluate(["--model", "m", "--runs", "2"], evals.model.env[api]);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "✗   0/2 Weather in Oslo?
                \`units\` is "imperial", expected "metric"  (2 times)
      ✗   0/2 Three days in Rome!
                called \`weather\` instead of \`book\`
                \`days\` is "3", expected (days) => days === 3
      ✗   0/2 Tell me a joke.
                called \`joke\` instead of no tool  (2 times)
                There is no tool \`joke\`.  (2 times)
      ✗   0/2 What about Oslo?
                called \`book\`, which is excluded  (2 times)

      tool       expected  called  precision  recall
      book       2         3       33.3%      50%
      joke       0         2       0%         -
      weather    2         3       66.7%      100%
      (no tool)  2         0       -          0%
      confused: \`joke\` instead of no tool, 2 times
      confused: \`weather\` instead of \`book\`, 1 time

      accuracy   0%
      precision  37.5%
      recall     75%
      arguments  50%
      tokens     800 in, 80 out
      "
    `);
  });
});

describe("the types of cases", () => {
  const check = (text: string, include = [".", "../.tenon/server.d.ts"]): string => {
    const compilerOptions = {
      target: "es2022",
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    };
    evals.project.write({
      "types/check.evals.ts": text,
      "types/tsconfig.json": JSON.stringify({
        compilerOptions: { ...compilerOptions, types: ["node"] },
        include,
      }),
    });
    const tsc = join(import.meta.dirname, "../../node_modules/.bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", join(evals.project.root, "types")], {
      encoding: "utf8",
    });
    rmSync(join(evals.project.root, "types"), { recursive: true });
    return stdout;
  };
  beforeAll(() => evals.evaluate(["--dry-run"]));

  it("accept the tools and arguments of the project", () => {
    expect(check(EVALS)).toBe("");
    const date =
      '{ prompt: "a", tool: "book", arguments: { from: new Date(0), days: 3, city: undefined }, not: ["weather"] }';
    expect(
      check(EVALS.replace("cases: [", `cases: [${date}, { prompt: "b", tool: ["book", "weather"] },`)),
    ).toBe("");
  });

  it("accept any tool before the project is compiled", () => {
    expect(
      check(EVALS.replace('import { OSLO } from "../src/travel.js";', 'const OSLO = "Oslo";'), ["."]),
    ).toBe("");
    const first =
      '{ prompt: "a", tool: "wether", arguments: { at: new Date(0), list: [1], map: { a: {} } } },';
    expect(
      check(
        `import { defineEvals } from "@tenon/cli/testing"; export default defineEvals({ cases: [${first}] });`,
        ["."],
      ),
    ).toBe("");
  });

  it.each([
    ["tool: 'wether'", "wether"],
    ["tool: 'weather', arguments: { town: 'Oslo' }", "town"],
    ["tool: 'weather', arguments: { units: 'kelvin' }", "kelvin"],
    ["tool: 'book', arguments: { days: (days) => days.length }", "length"],
    ["not: ['bok']", "bok"],
    ["tool: null, arguments: {}", "arguments"],
    ["", "prompt"],
  ])("reject { %s }", (text, word) => {
    const found = check(EVALS.replace("cases: [", `cases: [{ prompt: "a", ${text} },`));
    expect(found).toContain("error TS");
    expect(found).toContain(word);
  });
});

it("tenon eval compares the results with the committed ones, by model", async () => {
  const first = await evals.evaluate(["--model", "m", "--update"]);
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining("Wrote tenon.evals.json") as string });
  await evals.evaluate(["--model", "other", "--runs", "1", "--update"]);
  const file = join(evals.project.root, "tenon.evals.json");
  const { models } = JSON.parse(readFileSync(file, "utf8")) as { models: Record<string, object> };
  expect(models).toMatchObject({
    m: { accuracy: 1, recall: 1, cases: { "Weather in Oslo?": { right: 3, runs: 3 } } },
    other: { cases: { "Weather in Oslo?": { right: 1, runs: 1 } } },
  });
  evals.respond = (request) =>
    request.prompt.startsWith("Weather") ? { text: "Sunny." } : answerWell(request);
  const { out } = await evals.evaluate(["--model", "m"]);
  expect(out).toContain("✗   0/3 Weather in Oslo?  was 3/3");
  expect(out).toContain("recall     50% (was 100%)");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ evalsVersion: 1, models });
  const { out: json } = await evals.evaluate(["--model", "m", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    totals: { recall: 0.5 },
    baseline: { recall: 1 },
    confusions: [{ expected: "weather", called: "(no tool)", count: 3 }],
  });
});

it("tenon eval compares only the prompts, and stores nothing, if files are named", async () => {
  await evals.evaluate(["--model", "m", "--runs", "1", "--update"]);
  evals.respond = () => ({});
  const { out } = await evals.evaluate(["test/travel.evals.ts", "--model", "m", "--runs", "1"]);
  expect(out).toContain("✗   0/1 Weather in Oslo?  was 1/1");
  expect(out).toMatch(/recall {5}0%$/m);
  const stored = await evals.evaluate(["test/travel.evals.ts", "--model", "m", "--update"]);
  expect(stored.code).toBe(2);
  expect(stored.err).toContain("--update stores the results of all files.");
});

describe("a response", () => {
  const call = (tool: string, args: object = {}): NonNullable<ScriptedResponse["calls"]>[number] => ({
    tool,
    arguments: args,
  });
  const book = (args: object): ScriptedResponse => ({ calls: [call("book", args)] });

  it.each<[string, ScriptedResponse, string, object]>([
    [
      "one of several tools",
      { calls: [call("weather")] },
      'tool: ["book", "weather"]',
      { recall: 1, precision: 1 },
    ],
    [
      "both",
      { calls: [call("weather"), call("book")] },
      'tool: ["book", "weather"]',
      { recall: 1, precision: 1 },
    ],
    [
      "another tool as well",
      { calls: [call("weather"), call("book")] },
      'tool: "book"',
      { accuracy: 0, recall: 1, precision: 0.5 },
    ],
    [
      "the same tool twice",
      { calls: [call("book", { days: 1 }), call("book", { days: 2 })] },
      'tool: "book", arguments: { days: 2 }',
      { accuracy: 1 },
    ],
    [
      "another value",
      book({ days: 3 }),
      'tool: "book", arguments: { days: 2, city: "Rome" }',
      { accuracy: 0, arguments: 0, recall: 1 },
    ],
    [
      "a date as text",
      book({ from: "1970-01-01T00:00:00.000Z" }),
      'tool: "book", arguments: { from: new Date(0) }',
      { accuracy: 1 },
    ],
    [
      "a pattern twice",
      { calls: [call("book", { city: "Rome" })] },
      'tool: "book", arguments: { city: /rome/gi }',
      { accuracy: 1 },
    ],
    [
      "a number for a pattern",
      book({ days: 14 }),
      'tool: "book", arguments: { days: /^14$/ }',
      { accuracy: 1 },
    ],
    ["no argument", book({}), 'tool: "book", arguments: { from: undefined }', { accuracy: 1, arguments: 1 }],
    [
      "an argument that must be absent",
      book({ from: "now" }),
      'tool: "book", arguments: { from: undefined }',
      { accuracy: 0 },
    ],
    [
      "a default value",
      { calls: [call("weather", {})] },
      'tool: "weather", arguments: { units: "metric" }',
      { accuracy: 1 },
    ],
    [
      "an omitted argument that has a default",
      { calls: [call("weather", {})] },
      'tool: "weather", arguments: { units: undefined }',
      { accuracy: 1 },
    ],
    ["no call", {}, 'tool: "book", arguments: { days: 1 }', { accuracy: 0, recall: 0 }],
    ["a call of an excluded tool", { calls: [call("book")] }, 'not: ["book"]', { accuracy: 0, precision: 0 }],
    ["no call where one is excluded", {}, 'not: ["book"]', { accuracy: 1 }],
  ])("with %s is judged correctly", async (_, response, expectation, totals) => {
    evals.respond = () => response;
    evals.project.write({
      "other/one.evals.ts": `export default { cases: [{ prompt: "p", ${expectation} }] };`,
    });
    const { out } = await evals.evaluate(["other/one.evals.ts", "--model", "m", "--runs", "2", "--json"]);
    rmSync(join(evals.project.root, "other"), { recursive: true });
    expect((JSON.parse(out) as { totals: object }).totals).toMatchObject(totals);
  });
});

it("tenon eval fails if a metric is below its threshold", async () => {
  evals.respond = (request) =>
    request.prompt.startsWith("Weather") ? { text: "Sunny." } : answerWell(request);
  const failed = await evals.evaluate([
    "--model",
    "m",
    "--threshold",
    "recall=90",
    "--threshold",
    "precision=90",
  ]);
  expect(failed.code).toBe(1);
  expect(failed.out).toContain("✗ recall is 50%, below the threshold of 90%");
  expect(failed.out).not.toContain("✗ precision");
  expect((await evals.evaluate(["--model", "m", "--threshold", "recall=50"])).code).toBe(0);
  evals.respond = () => ({ text: "Sunny." });
  const silent = await evals.evaluate(["--model", "m", "--threshold", "precision=90"]);
  expect(silent.code).toBe(0);
  expect(silent.err).toContain("No response counts toward precision: the threshold was not checked.");
  expect(await evals.evaluate(["--threshold", "recal=50"])).toMatchObject({ code: 2 });
  expect(await evals.evaluate(["--threshold", "recall=0.9"])).toMatchObject({ code: 2 });
  const repeated = ["--threshold", "recall=99", "--threshold", "recall=1"];
  expect(await evals.evaluate(repeated)).toMatchObject({ code: 2 });
});

describe("tenon eval without a key", () => {
  it("prints the prompts and the size of the requests", async () => {
    const { code, out, err } = await evals.evaluate(["--runs", "5"], {});
    expect(code).toBe(0);
    expect(evals.model.requests).toEqual([]);
    expect(out.replace(/[\d,]+(?= tokens)/, "N")).toMatchInlineSnapshot(`
      "Would send 20 requests: 4 prompts × 5 runs, each with 3 tools. About N tokens of input.

        Weather in Oslo?
          \`weather\` with \`city\` and \`units\`
        Three days in Rome!
          \`book\` with \`city\` and \`days\`
        Tell me a joke.
          no tool
        What about Oslo?
          not \`book\`
      "
    `);
    expect(err).toContain("Set OPENAI_API_KEY or ANTHROPIC_API_KEY");
    const tokens = Number(/About ([\d,]+) tokens/.exec(out)?.[1]?.replace(",", ""));
    // The estimate concerns the requests that a run would send.
    await evals.evaluate(["--runs", "5", "--model", "MODEL"]);
    const bytes = evals.model.requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
    expect(tokens).toBe(Math.ceil(bytes / 4));
  });

  it("names only the variables of the API that is chosen", async () => {
    const env = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
    const { code, err } = await evals.evaluate(["--api", "anthropic"], env);
    expect({ code, err }).toEqual({
      code: 0,
      err: "hint   Nothing was sent. Set ANTHROPIC_API_KEY, and name a --model.\n",
    });
  });

  it("prints its requests as JSON with --json, and with --dry-run even if there is a key", async () => {
    const { out } = await evals.evaluate(["--dry-run", "--json"]);
    expect(evals.model.requests).toEqual([]);
    expect(JSON.parse(out)).toMatchObject({
      requests: 12,
      tools: ["book", "offers", "weather"],
      cases: [
        { prompt: "Weather in Oslo?", tools: ["weather"], not: [] },
        {},
        { tools: [] },
        { tools: null, not: ["book"] },
      ],
    });
  });
});

describe("a case", () => {
  it.each([
    ["{ tool: 'weather' }", "case 1 has no prompt for `weather`."],
    ["{ prompt: 'a', tool: 'wether' }", 'case 1 ("a"): Unknown tool `wether`. Did you mean `weather`?'],
    ["{ prompt: 'a', tool: 'turn' }", 'case 1 ("a"): Unknown tool `turn`.'],
    ["{ prompt: 'a', tool: 'book', arguments: { cty: 1 } }", "Unknown argument `cty`. Did you mean `city`?"],
    ["{ prompt: 'a' }", 'case 1 ("a") expects nothing.'],
    ["{ prompt: 'a', tools: 'book' }", "Unknown member `tools`. Did you mean `tool`?"],
    ["{ prompt: 'a', tool: [] }", "`tool` is an empty list."],
    ["{ prompt: 'a', tool: 'book', not: ['book'] }", "`book` is in both `tool` and `not`."],
    ["{ prompt: 'a', tool: null, arguments: {} }", "`arguments` requires one `tool`"],
    [
      "{ prompt: 'a', tool: null }, { prompt: 'a', tool: 'book' }",
      "Two cases in src/bad.evals.ts have the same prompt",
    ],
  ])("is rejected if it is %s", async (text, message) => {
    evals.project.write({ "src/bad.evals.ts": `export default { cases: [${text}] };` });
    const { code, err } = await evals.evaluate(["src/bad.evals.ts"]);
    rmSync(join(evals.project.root, "src/bad.evals.ts"));
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain("src/bad.evals.ts");
  });

  it.each([
    ["throws", "(days) => days.x.y", "threw for 1:"],
    ["is asynchronous", "async (days) => days > 1", "is asynchronous."],
  ])("is reported with its file if its function %s", async (_, predicate, message) => {
    evals.project.write({
      "test/throws.evals.ts": `export default { cases: [{ prompt: "a", tool: "book", arguments: { days: ${predicate} } }] };`,
    });
    evals.respond = () => ({ calls: [{ tool: "book", arguments: { days: 1 } }] });
    const { code, err } = await evals.evaluate(["test/throws.evals.ts", "--model", "m"]);
    rmSync(join(evals.project.root, "test/throws.evals.ts"));
    expect(code).toBe(1);
    expect(err).toContain(`test/throws.evals.ts: the function for \`days\` ${message}`);
  });
});

it("a file that throws is reported with its error and line", async () => {
  evals.project.write({ "src/bad.evals.ts": 'throw new Error("boom");' });
  const { code, err } = await evals.evaluate(["src/bad.evals.ts"]);
  rmSync(join(evals.project.root, "src/bad.evals.ts"));
  expect(code).toBe(1);
  expect(err).toMatch(/The server or its evals cannot be loaded\.[^]*boom[^]*src\/bad\.evals\.ts:1/);
});

it("a file without cases, a missing file, and a damaged tenon.evals.json are reported", async () => {
  evals.project.write({ "src/bad.evals.ts": "export const cases = [];" });
  expect((await evals.evaluate(["src/bad.evals.ts"])).err).toContain(
    "src/bad.evals.ts has no default export with cases.",
  );
  const misspelled = "export default { cases: [{ prompt: 'a', tool: null }], threshold: { recall: 1 } };";
  evals.project.write({ "src/bad.evals.ts": misspelled });
  expect((await evals.evaluate(["src/bad.evals.ts"])).err).toContain(
    "src/bad.evals.ts: Unknown member `threshold`. Did you mean `thresholds`?",
  );
  evals.project.write({ "src/bad.evals.ts": "export default { cases: [] };" });
  expect(await evals.evaluate(["src/bad.evals.ts", "--model", "m"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("src/bad.evals.ts contains no cases.") as string,
  });
  rmSync(join(evals.project.root, "src/bad.evals.ts"));
  expect(await evals.evaluate(["src/none.evals.ts"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("does not exist") as string,
  });
  writeFileSync(join(evals.project.root, "tenon.evals.json"), "{");
  expect((await evals.evaluate(["--model", "m"])).err).toContain("tenon.evals.json cannot be read: line 1");
  writeFileSync(join(evals.project.root, "tenon.evals.json"), "{}");
  expect((await evals.evaluate(["--model", "m"])).err).toContain(
    "tenon.evals.json is from another version of Tenon.",
  );
  writeFileSync(join(evals.project.root, "tenon.evals.json"), '{"evalsVersion":1,"models":null}');
  expect((await evals.evaluate(["--model", "m"])).err).toContain("tenon.evals.json has no results.");
  writeFileSync(join(evals.project.root, "tenon.evals.json"), '{"evalsVersion":1,"models":{"m":{}}}');
  expect((await evals.evaluate(["--model", "m"])).err).toContain("tenon.evals.json has no results for `m`.");
});

it("tenon eval accepts the evals of an example", async () => {
  const terminal = recordingTerminal(join(import.meta.dirname, "../../examples/git"));
  expect(await run(["eval", "--dry-run", "--json"], terminal)).toBe(0);
  const { tools, cases } = JSON.parse(terminal.stdout()) as { tools: string[]; cases: unknown[] };
  expect(tools).toContain("git_status");
  expect(cases.length).toBeGreaterThan(10);
});
