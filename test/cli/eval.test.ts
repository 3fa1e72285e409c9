import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import {
  SCRIPTED_KEY,
  startScriptedModel,
  type ScriptedModel,
  type ScriptedRequest,
  type ScriptedResponse,
} from "../support/scripted-model.js";

const TRAVEL = `import { Tool } from "@tenon/runtime";
export const OSLO = "Oslo";
export class Travel {
  /** Current weather in a city. */
  @Tool({ readOnly: true }) weather(city: string, units: "metric" | "imperial" = "metric"): string { return city + units; }
  /** Books a trip. */
  @Tool() book(city: string, days: number, from?: Date): string { return city + days + from; }
  /** Shows the offers. */
  @Tool({ readOnly: true, view: "./offers.html" }) offers(): string { return "None."; }
  /** Turns a page of the view. */
  @Tool({ visibility: ["app"] }) turn(page: number): number { return page; }
}
`;

const SERVER = `import { defineServer } from "@tenon/runtime";
export default defineServer({ instructions: "Ask before you book." });
`;

const EVALS = `import { defineEvals } from "@tenon/cli/testing";
import { OSLO } from "../src/travel.js";
export default defineEvals({
  cases: [
    { prompt: "Weather in Oslo?", tool: "weather", arguments: { city: OSLO, units: "metric" } },
    { prompt: "Three days in Rome!", tool: "book", arguments: { city: /rome/i, days: (days) => days === 3 } },
    { prompt: "Tell me a joke.", tool: null },
    { prompt: "What about Oslo?", not: ["book"] },
  ],
});
`;

let project: ProjectFolder;
let model: ScriptedModel;
let respond: (request: ScriptedRequest) => ScriptedResponse | Promise<ScriptedResponse>;

beforeAll(async () => {
  project = projectFolder({
    "src/travel.ts": TRAVEL,
    "src/server.ts": SERVER,
    "src/offers.html": "<!doctype html><title>Offers</title><p>None.</p>",
    "test/travel.evals.ts": EVALS,
  });
  model = await startScriptedModel((request) => respond(request));
});
afterAll(async () => {
  await model.close();
  project.remove();
});

const VARIABLES = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"];

beforeEach(() => {
  for (const name of VARIABLES) vi.stubEnv(name, "");
  model.requests.length = 0;
  respond = answerWell;
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(project.root, "tenon.evals.json"), { force: true });
});

/** Calls the right tool with the right arguments. */
function answerWell({ prompt }: ScriptedRequest): ScriptedResponse {
  if (prompt.startsWith("Weather")) return { calls: [{ tool: "weather", arguments: { city: "Oslo" } }] };
  if (prompt.startsWith("Three")) return { calls: [{ tool: "book", arguments: { city: "ROME", days: 3 } }] };
  if (prompt.startsWith("What")) return { calls: [{ tool: "weather", arguments: { city: "Oslo" } }] };
  return { text: "Why did the chicken cross the road?" };
}

interface Ran {
  code: number;
  out: string;
  err: string;
}

async function evaluate(
  args: readonly string[],
  env: Record<string, string> = model.env.openai,
): Promise<Ran> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const terminal = recordingTerminal(project.root);
  const code = await run(["eval", ...args], terminal);
  const [out, err] = [terminal.stdout(), terminal.stderr()];
  // No message contains the key, whatever happens.
  expect(out + err).not.toContain(SCRIPTED_KEY);
  return { code, out, err };
}

describe.each(["openai", "anthropic"] as const)("tenon eval with the API of %s", (api) => {
  it("sends the tools as the server lists them, and the instructions", async () => {
    const { code, out } = await evaluate(["--model", "m-1", "--runs", "2"], model.env[api]);
    expect(code).toBe(0);
    expect(model.requests).toHaveLength(8);
    const inspected = recordingTerminal(project.root);
    await run(["inspect", "--json"], inspected);
    const listed = (JSON.parse(inspected.stdout()) as { tools: ScriptedRequest["tools"] }).tools;
    for (const request of model.requests) {
      expect(request).toMatchObject({ api, model: "m-1", instructions: "Ask before you book." });
      expect(request.tools).toEqual(
        listed
          .filter(({ name }) => name !== "turn")
          .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      );
    }
    const [{ headers }] = model.requests as [ScriptedRequest];
    expect(headers[api === "openai" ? "authorization" : "x-api-key"]).toBe(
      api === "openai" ? `Bearer ${SCRIPTED_KEY}` : SCRIPTED_KEY,
    );
    expect(out).toContain("✓   2/2 Weather in Oslo?");
    expect(out).toContain("accuracy   100 %");
    expect(out).toContain("tokens     800 in, 80 out");
  });

  it("reports wrong tools, wrong arguments, and what was confused", async () => {
    respond = ({ prompt, earlier }) => {
      if (prompt.startsWith("Three"))
        return earlier === 0
          ? { calls: [{ tool: "weather", arguments: { city: "Rome" } }] }
          : { calls: [{ tool: "book", arguments: { city: "Rome", days: "3" } }] };
      if (prompt.startsWith("What")) return { calls: [{ tool: "book", arguments: {} }] };
      if (prompt.startsWith("Tell")) return { calls: [{ tool: "joke", arguments: {} }] };
      return { calls: [{ tool: "weather", arguments: { city: "Oslo", units: "imperial" } }] };
    };
    const { code, out } = await evaluate(["--model", "m", "--runs", "2"], model.env[api]);
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
      book       2         3       33.3 %     50 %
      joke       0         2       0 %        -
      weather    2         3       66.7 %     100 %
      (no tool)  2         0       -          0 %
      confused: \`joke\` instead of no tool, 2 times
      confused: \`weather\` instead of \`book\`, 1 time

      accuracy   0 %
      precision  37.5 %
      recall     75 %
      arguments  50 %
      tokens     800 in, 80 out
      "
    `);
  });
});

describe("the types of cases", () => {
  const check = (text: string): string => {
    const compilerOptions = {
      target: "es2022",
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    };
    project.write({
      "types/check.evals.ts": text,
      "types/tsconfig.json": JSON.stringify({
        compilerOptions: { ...compilerOptions, types: ["node"] },
        include: [".", "../.tenon/server.d.ts"],
      }),
    });
    const tsc = join(import.meta.dirname, "../../node_modules/.bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", join(project.root, "types")], {
      encoding: "utf8",
    });
    rmSync(join(project.root, "types"), { recursive: true });
    return stdout;
  };
  beforeAll(() => evaluate(["--dry-run"]));

  it("accept the tools and arguments of the project", () => {
    expect(check(EVALS)).toBe("");
    const date =
      '{ prompt: "a", tool: "book", arguments: { from: new Date(0), days: 3, city: undefined }, not: ["weather"] }';
    expect(
      check(EVALS.replace("cases: [", `cases: [${date}, { prompt: "b", tool: ["book", "weather"] },`)),
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

it("compares the results with the committed ones, by model", async () => {
  const first = await evaluate(["--model", "m", "--update"]);
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining("Wrote tenon.evals.json") as string });
  await evaluate(["--model", "other", "--runs", "1", "--update"]);
  const file = join(project.root, "tenon.evals.json");
  const { models } = JSON.parse(readFileSync(file, "utf8")) as { models: Record<string, object> };
  expect(models).toMatchObject({
    m: { accuracy: 1, recall: 1, cases: { "Weather in Oslo?": { right: 3, runs: 3 } } },
    other: { cases: { "Weather in Oslo?": { right: 1, runs: 1 } } },
  });
  respond = (request) => (request.prompt.startsWith("Weather") ? { text: "Sunny." } : answerWell(request));
  const { out } = await evaluate(["--model", "m"]);
  expect(out).toContain("✗   0/3 Weather in Oslo?  was 3/3");
  expect(out).toContain("recall     50 % (was 100 %)");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ evalsVersion: 1, models });
  const { out: json } = await evaluate(["--model", "m", "--json"]);
  expect(JSON.parse(json)).toMatchObject({
    totals: { recall: 0.5 },
    baseline: { recall: 1 },
    confusions: [{ expected: "weather", called: "(no tool)", count: 3 }],
  });
});

it("compares only the prompts, and stores nothing, if files are named", async () => {
  await evaluate(["--model", "m", "--runs", "1", "--update"]);
  respond = () => ({});
  const { out } = await evaluate(["test/travel.evals.ts", "--model", "m", "--runs", "1"]);
  expect(out).toContain("✗   0/1 Weather in Oslo?  was 1/1");
  expect(out).toMatch(/recall {5}0 %$/m);
  const stored = await evaluate(["test/travel.evals.ts", "--model", "m", "--update"]);
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
    ["no call", {}, 'tool: "book", arguments: { days: 1 }', { accuracy: 0, recall: 0 }],
    ["a call of an excluded tool", { calls: [call("book")] }, 'not: ["book"]', { accuracy: 0, precision: 0 }],
    ["no call where one is excluded", {}, 'not: ["book"]', { accuracy: 1 }],
  ])("with %s is judged as such", async (_, response, expectation, totals) => {
    respond = () => response;
    project.write({ "other/one.evals.ts": `export default { cases: [{ prompt: "p", ${expectation} }] };` });
    const { out } = await evaluate(["other/one.evals.ts", "--model", "m", "--runs", "2", "--json"]);
    rmSync(join(project.root, "other"), { recursive: true });
    expect((JSON.parse(out) as { totals: object }).totals).toMatchObject(totals);
  });
});

it("warns if a key leaves the machine without encryption", async () => {
  const env = { OPENAI_API_KEY: SCRIPTED_KEY, OPENAI_BASE_URL: "http://models.invalid/v1" };
  const { code, err } = await evaluate(["--model", "m", "--runs", "1"], env);
  expect(code).toBe(1);
  expect(err).toContain("models.invalid receives the key without encryption.");
  expect(err).toContain("models.invalid cannot be reached: its name");
});

it("fails if a share is below its threshold", async () => {
  respond = (request) => (request.prompt.startsWith("Weather") ? { text: "Sunny." } : answerWell(request));
  const failed = await evaluate(["--model", "m", "--threshold", "recall=90", "--threshold", "precision=90"]);
  expect(failed.code).toBe(1);
  expect(failed.out).toContain("✗ recall is 50 %, below the threshold of 90 %");
  expect(failed.out).not.toContain("✗ precision");
  expect((await evaluate(["--model", "m", "--threshold", "recall=50"])).code).toBe(0);
  expect(await evaluate(["--threshold", "recal=50"])).toMatchObject({ code: 2 });
});

describe("without a key", () => {
  it("prints the prompts and the size of the requests", async () => {
    const { code, out, err } = await evaluate(["--runs", "5"], {});
    expect(code).toBe(0);
    expect(model.requests).toEqual([]);
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
    await evaluate(["--runs", "5", "--model", "MODEL"]);
    const bytes = model.requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
    expect(tokens).toBe(Math.ceil(bytes / 4));
  });

  it("prints the same as JSON, and with --dry-run in spite of a key", async () => {
    const { out } = await evaluate(["--dry-run", "--json"]);
    expect(model.requests).toEqual([]);
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

describe("a problem of the endpoint", () => {
  const ask = (env?: Record<string, string>): Promise<Ran> => evaluate(["--model", "m", "--runs", "1"], env);

  it.each<[string, ScriptedResponse, string]>([
    [
      "a wrong key",
      {
        status: 401,
        raw: JSON.stringify({ error: { message: `Incorrect API key provided: ${SCRIPTED_KEY}` } }),
      },
      "/v1/chat/completions rejected the key in OPENAI_API_KEY (401).",
    ],
    [
      "a key without permission",
      { status: 403, raw: "{}" },
      "does not allow the model `m` for the key in OPENAI_API_KEY (403).",
    ],
    [
      "an unknown model",
      { status: 404, raw: JSON.stringify({ error: { message: "The model `m` does not exist" } }) },
      "does not serve the model `m` (404). The model `m` does not exist",
    ],
    [
      "a used-up quota",
      { status: 429, raw: JSON.stringify({ error: { code: "insufficient_quota" } }) },
      "The account of OPENAI_API_KEY has no quota left (429).",
    ],
    [
      "a rejected request",
      { status: 400, raw: JSON.stringify({ error: { message: `Invalid schema\nfor ${SCRIPTED_KEY}` } }) },
      "rejected the request (400). Invalid schema for (key)",
    ],
    [
      "a redirect",
      { status: 302, headers: { location: "http://127.0.0.1:9/" } },
      "redirects to another URL (302).",
    ],
    [
      "a proxy with a login",
      { status: 407, raw: "<html>" },
      "The proxy requires a user name and a password (407).",
    ],
    [
      "a page instead of a message",
      { raw: "<html>Welcome", headers: { "content-type": "text/html" } },
      "did not respond with a message of a model (text/html).",
    ],
    [
      "JSON that is not a message",
      { raw: '{"choices":[]}' },
      "did not respond with a message of a model (application/json).",
    ],
  ])("such as %s ends the run with one sentence", async (_, response, message) => {
    respond = () => response;
    const { code, out, err } = await ask();
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err.split("\n").filter((line) => line.startsWith("error"))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it("such as a port without a server names the server, and the proxy that Node ignores", async () => {
    vi.stubEnv("HTTPS_PROXY", "");
    vi.stubEnv("https_proxy", "");
    vi.stubEnv("HTTP_PROXY", "");
    vi.stubEnv("http_proxy", "http://proxy:3128");
    vi.stubEnv("NODE_USE_ENV_PROXY", "");
    const closed = await startScriptedModel(() => ({}));
    await closed.close();
    const { code, err } = await ask({ OPENAI_BASE_URL: `${closed.url}/v1` });
    expect(code).toBe(1);
    expect(err).toContain(
      `${new URL(closed.url).host} cannot be reached: it refuses connections (ECONNREFUSED).`,
    );
    expect(err).toContain("Node uses http_proxy only with NODE_USE_ENV_PROXY=1");
  });

  it("such as a rate limit is waited out for as long as the endpoint requires", async () => {
    respond = (request) =>
      request.earlier === 0
        ? { status: 429, headers: { "retry-after": "0" }, raw: "{}" }
        : { ...answerWell(request) };
    const { code, out } = await ask();
    expect(code).toBe(0);
    expect(out).toContain("accuracy   100 %");
    expect(model.requests).toHaveLength(8);
  });

  it("such as a long rate limit fails its requests, and the results are not stored", async () => {
    respond = (request) =>
      request.prompt.startsWith("Weather")
        ? {
            status: 429,
            headers: { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() },
            raw: "{}",
          }
        : answerWell(request);
    const { code, out, err } = await evaluate(["--model", "m", "--runs", "1", "--update"]);
    expect(code).toBe(1);
    expect(out).toContain("·   0/0 Weather in Oslo?");
    expect(out).toMatch(/no response: \S+ limits the rate of requests \(429\)\.\s+Lower --concurrency\./);
    expect(out).toMatch(/It accepts requests again in 3[56]\d\d seconds\./);
    expect(err).toContain("tenon.evals.json was not written, since some requests had no response.");
    expect(existsSync(join(project.root, "tenon.evals.json"))).toBe(false);
  });

  it("such as one that concerns every request leaves nothing to report", async () => {
    respond = () => ({ status: 503, headers: { "retry-after": "99999" }, raw: "{}" });
    const { code, out, err } = await ask();
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("No request had a response.");
    expect(err).toContain("failed with status 503. It accepts requests again in 99999 seconds.");
  });

  it("such as an overloaded service or a broken connection is tried again", async () => {
    respond = (request) => {
      if (request.earlier > 0) return answerWell(request);
      return request.prompt.startsWith("Weather")
        ? { isDropped: true }
        : { status: 529, headers: { "retry-after": "0" }, raw: "{}" };
    };
    expect((await ask()).code).toBe(0);
  });

  it("such as no response in time concerns only its request", async () => {
    respond = (request) =>
      request.prompt.startsWith("Tell") ? { ...answerWell(request), delayMs: 5000 } : answerWell(request);
    const { code, out } = await evaluate(["--model", "m", "--runs", "1", "--timeout", "1"]);
    expect(code).toBe(1);
    expect(out).toContain("no response: The model did not respond within 1 seconds.");
    expect(out).toContain("✓   1/1 Weather in Oslo?");
  });

  it.each([
    ["OPENAI_BASE_URL", "localhost:11434", "OPENAI_BASE_URL is not an HTTP URL."],
    [
      "OPENAI_BASE_URL",
      `http://me:${SCRIPTED_KEY}@127.0.0.1/v1`,
      "OPENAI_BASE_URL contains a user name or a password",
    ],
    [
      "OPENAI_API_KEY",
      `${SCRIPTED_KEY}\n${SCRIPTED_KEY}`,
      "OPENAI_API_KEY contains characters that a key cannot have.",
    ],
  ])("in %s is reported before the build", async (name, value, message) => {
    const { code, err } = await ask({ [name]: value });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it("such as a model without a name is a usage error", async () => {
    expect(await evaluate([])).toMatchObject({
      code: 2,
      err: expect.stringContaining("tenon eval --model") as string,
    });
  });

  it("such as arguments that are not JSON counts as a wrong response", async () => {
    respond = (request) =>
      request.prompt.startsWith("Weather")
        ? { calls: [{ tool: "weather", arguments: '{"city": "Os' }] }
        : answerWell(request);
    const { out } = await ask();
    expect(out).toContain('The arguments of `weather` are not a JSON object: {"city": "Os');
    expect(out).toContain("✗   0/1 Weather in Oslo?");
  });
});

it("Ctrl-C cancels the requests and prints no results", async () => {
  respond = (request) => {
    if (model.requests.length === 4) setTimeout(() => process.emit("SIGINT", "SIGINT"), 10);
    return { ...answerWell(request), delayMs: 10_000 };
  };
  const { code, out, err } = await evaluate(["--model", "m", "--update"]);
  expect(code).toBe(130);
  expect(out).toBe("");
  expect(err).toContain("Cancelled. No results were written.");
});

it("with keys for both APIs, the model's name or --api selects one", async () => {
  const both = { ...model.env.openai, ...model.env.anthropic };
  await evaluate(["--model", "claude-x", "--runs", "1"], both);
  await evaluate(["--model", "gpt-x", "--runs", "1"], both);
  await evaluate(["--model", "gpt-x", "--runs", "1", "--api", "anthropic"], both);
  expect([0, 4, 8].map((index) => model.requests[index]?.api)).toEqual(["anthropic", "openai", "anthropic"]);
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
    ["{ prompt: 'a', tool: null }, { prompt: 'a', tool: 'book' }", "contain the same prompt"],
  ])("such as %s is rejected", async (text, message) => {
    project.write({ "src/bad.evals.ts": `export default { cases: [${text}] };` });
    const { code, err } = await evaluate(["src/bad.evals.ts"]);
    rmSync(join(project.root, "src/bad.evals.ts"));
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain("src/bad.evals.ts");
  });

  it("whose function throws is reported with its file", async () => {
    project.write({
      "test/throws.evals.ts": `export default { cases: [{ prompt: "a", tool: "book", arguments: { days: (days) => days.x.y } }] };`,
    });
    respond = () => ({ calls: [{ tool: "book", arguments: { days: 1 } }] });
    const { code, err } = await evaluate(["test/throws.evals.ts", "--model", "m"]);
    rmSync(join(project.root, "test/throws.evals.ts"));
    expect(code).toBe(1);
    expect(err).toContain("test/throws.evals.ts: the function for `days` threw for 1:");
  });
});

it("a file that throws is reported as such", async () => {
  project.write({ "src/bad.evals.ts": 'throw new Error("boom");' });
  const { code, err } = await evaluate(["src/bad.evals.ts"]);
  rmSync(join(project.root, "src/bad.evals.ts"));
  expect(code).toBe(1);
  expect(err).toMatch(/The server or its evals cannot be loaded\.[^]*boom[^]*src\/bad\.evals\.ts:1/);
});

it("a file without cases, a missing file, and a damaged tenon.evals.json are reported", async () => {
  project.write({ "src/bad.evals.ts": "export const cases = [];" });
  expect((await evaluate(["src/bad.evals.ts"])).err).toContain(
    "src/bad.evals.ts has no default export with cases.",
  );
  rmSync(join(project.root, "src/bad.evals.ts"));
  expect(await evaluate(["src/none.evals.ts"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("does not exist") as string,
  });
  writeFileSync(join(project.root, "tenon.evals.json"), "{");
  expect((await evaluate(["--model", "m"])).err).toContain("tenon.evals.json cannot be read: line 1");
  writeFileSync(join(project.root, "tenon.evals.json"), "{}");
  expect((await evaluate(["--model", "m"])).err).toContain(
    "tenon.evals.json is from another version of Tenon.",
  );
});

it("accepts the evals of an example", async () => {
  const terminal = recordingTerminal(join(import.meta.dirname, "../../examples/git"));
  expect(await run(["eval", "--dry-run", "--json"], terminal)).toBe(0);
  const { tools, cases } = JSON.parse(terminal.stdout()) as { tools: string[]; cases: unknown[] };
  expect(tools).toContain("git_status");
  expect(cases.length).toBeGreaterThan(10);
});
