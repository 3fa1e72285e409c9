import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { answerWell, useEvalProject, type EvalRun } from "../support/eval-project.js";
import { SCRIPTED_KEY, startScriptedModel, type ScriptedResponse } from "../support/scripted-model.js";

const evals = useEvalProject();

describe("tenon eval with a problem of the endpoint", () => {
  const ask = (env?: Record<string, string>): Promise<EvalRun> =>
    evals.evaluate(["--model", "m", "--runs", "1"], env);

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
      "did not respond with a model's message (text/html).",
    ],
    [
      "JSON that is not a message",
      { raw: '{"choices":[]}' },
      "did not respond with a model's message (application/json).",
    ],
  ])("ends the run with one sentence: %s", async (_, response, message) => {
    evals.respond = () => response;
    const { code, out, err } = await ask();
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err.split("\n").filter((line) => line.startsWith("error"))).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it("names the server, and the proxy that Node ignores, if nothing listens on the port", async () => {
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

  it("waits out a rate limit for as long as the endpoint requires", async () => {
    evals.respond = (request) =>
      request.earlier === 0
        ? { status: 429, headers: { "retry-after": "0" }, raw: "{}" }
        : { ...answerWell(request) };
    const { code, out } = await ask();
    expect(code).toBe(0);
    expect(out).toContain("accuracy   100%");
    expect(evals.model.requests).toHaveLength(8);
  });

  it("fails requests with a long rate limit, and does not store the results", async () => {
    evals.respond = (request) =>
      request.prompt.startsWith("Weather")
        ? {
            status: 429,
            headers: { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() },
            raw: "{}",
          }
        : answerWell(request);
    const { code, out, err } = await evals.evaluate(["--model", "m", "--runs", "1", "--update"]);
    expect(code).toBe(1);
    expect(out).toContain("·   0/0 Weather in Oslo?");
    expect(out).toMatch(/no response: \S+ limits the rate of requests \(429\)\.\s+Lower --concurrency\./);
    expect(out).toMatch(/It accepts requests again in 3[56]\d\d seconds\./);
    expect(err).toContain("tenon.evals.json was not written, since some requests had no response.");
    expect(existsSync(join(evals.project.root, "tenon.evals.json"))).toBe(false);
  });

  it("reports an outage during the whole run, without results", async () => {
    evals.respond = () => ({ status: 503, headers: { "retry-after": "99999" }, raw: "{}" });
    const { code, out, err } = await ask();
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("No request had a response.");
    expect(err).toContain("failed with status 503. It accepts requests again in 99999 seconds.");
  });

  it("retries if the service is overloaded or the connection breaks", async () => {
    evals.respond = (request) => {
      if (request.earlier > 0) return answerWell(request);
      return request.prompt.startsWith("Weather")
        ? { isDropped: true }
        : { status: 529, headers: { "retry-after": "0" }, raw: "{}" };
    };
    expect((await ask()).code).toBe(0);
  });

  const LIMIT = "The model reached its maximum number of tokens before its response was complete.";
  const FILTER = "The endpoint's safety filter stopped the response.";
  it.each([
    ["openai", "length", LIMIT],
    ["openai", "content_filter", FILTER],
    ["anthropic", "max_tokens", LIMIT],
    ["anthropic", "refusal", FILTER],
  ] as const)(
    "does not count a response of %s that ends early (%s) as one without calls",
    async (api, end, text) => {
      const body =
        api === "openai"
          ? { choices: [{ message: { content: "Let me think" }, finish_reason: end }] }
          : { content: [{ type: "text", text: "Let me think" }], stop_reason: end };
      evals.respond = () => ({ raw: JSON.stringify(body) });
      const { code, err } = await ask(evals.model.env[api]);
      expect(code).toBe(1);
      expect(err).toContain(text);
    },
  );

  it("shows the error of a response that is successful otherwise", async () => {
    evals.respond = () => ({ raw: '{"error":{"message":"The model is loading"}}' });
    const { code, err } = await ask();
    expect(code).not.toBe(0);
    expect(err).toContain("did not respond with a model's message (The model is loading).");
  });

  it("fails only the request whose response takes too long", async () => {
    evals.respond = (request) =>
      request.prompt.startsWith("Tell") ? { ...answerWell(request), delayMs: 5000 } : answerWell(request);
    const { code, out } = await evals.evaluate(["--model", "m", "--runs", "1", "--timeout", "1"]);
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
  ])("reports a problem in %s before the build", async (name, value, message) => {
    const { code, err } = await ask({ [name]: value });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it("rejects a missing model name as a usage error", async () => {
    expect(await evals.evaluate([])).toMatchObject({
      code: 2,
      err: expect.stringContaining("tenon eval --model") as string,
    });
  });

  it("counts arguments that are not JSON as a wrong response", async () => {
    evals.respond = (request) =>
      request.prompt.startsWith("Weather")
        ? { calls: [{ tool: "weather", arguments: '{"city": "Os' }] }
        : answerWell(request);
    const { out } = await ask();
    expect(out).toContain('The arguments of `weather` are not a JSON object: {"city": "Os');
    expect(out).toContain("✗   0/1 Weather in Oslo?");
  });
});

it("tenon eval warns if a key leaves the machine without encryption", async () => {
  const env = { OPENAI_API_KEY: SCRIPTED_KEY, OPENAI_BASE_URL: "http://models.invalid/v1" };
  const { code, err } = await evals.evaluate(["--model", "m", "--runs", "1"], env);
  expect(code).toBe(1);
  expect(err).toContain("models.invalid receives the key without encryption.");
  expect(err).toContain("models.invalid cannot be reached: its name");
});

it("Ctrl-C cancels the requests and prints no results", async () => {
  evals.respond = (request) => {
    if (evals.model.requests.length === 4) setTimeout(() => process.emit("SIGINT", "SIGINT"), 10);
    return { ...answerWell(request), delayMs: 10_000 };
  };
  const { code, out, err } = await evals.evaluate(["--model", "m", "--update"]);
  expect(code).toBe(130);
  expect(out).toBe("");
  expect(err).toContain("Cancelled. No results were written.");
});

it("with keys for both APIs, the model's name or --api selects one", async () => {
  const both = { ...evals.model.env.openai, ...evals.model.env.anthropic };
  await evals.evaluate(["--model", "claude-x", "--runs", "1"], both);
  await evals.evaluate(["--model", "gpt-x", "--runs", "1"], both);
  await evals.evaluate(["--model", "gpt-x", "--runs", "1", "--api", "anthropic"], both);
  expect([0, 4, 8].map((index) => evals.model.requests[index]?.api)).toEqual([
    "anthropic",
    "openai",
    "anthropic",
  ]);
});
