import { spawn } from "node:child_process";
import { once } from "node:events";
import { type LogEntry, NotFoundError, type ServerConfig, ToolError } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { jsonLog, maskSecrets } from "@tenon/runtime/log";
import { type Application, createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serverProgram } from "../support/server-program.js";
import { createFixture } from "./fixture/application.js";
import { FIXTURE_ENTRY } from "./fixture/programs.js";
import { Resources, Tools } from "./fixture/src/handlers.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Json = Record<string, unknown>;

function recordStderr(): () => string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  return () => write.mock.calls.map(([text]) => String(text)).join("");
}

/** Creates a server whose tool `add` throws. */
function createFailing(error: unknown, config: ServerConfig = {}): Application {
  class Failing extends Tools {
    override add(): number {
      throw error;
    }
  }
  return createFixture({ provide: [new Failing()], ...config });
}

/** Returns the reference that the client receives for a failed call. */
async function fail(application: Application): Promise<string> {
  const client = await connect(createServer(application), { showErrors: false });
  const { content } = await client.callTool("add", { a: 1, b: 2 });
  return /\(reference (\w+)\)/.exec(JSON.stringify(content))?.[1] ?? "";
}

async function jsonLines(application: (config: ServerConfig) => Application): Promise<Json[]> {
  const lines: string[] = [];
  await fail(application({ log: jsonLog({ write: (line) => lines.push(line), fields: { app: "shop" } }) }));
  for (const line of lines) expect(line).not.toContain("\n");
  return lines.map((line) => JSON.parse(line) as Json);
}

describe("the text log", () => {
  test("contains an internal error with its reference, stack, and causes", async () => {
    const text = recordStderr();
    const reference = await fail(createFailing(new Error("No rows", { cause: new RangeError("Too far") })));
    expect(text()).toMatch(
      new RegExp(
        `^\\[${reference}\\] The tool "add" failed\\.\\nError: No rows\\n +at [^]+\\nCaused by: RangeError: Too far\\n`,
      ),
    );
  });

  test("contains only the author's frames of a stack, except at the level debug", async () => {
    const text = recordStderr();
    class Synchronous extends Tools {
      override add(): number {
        throw new Error("At once");
      }
    }
    class Asynchronous extends Tools {
      override add(): number {
        return Promise.resolve().then(async () => this.later()) as never;
      }

      async later(): Promise<number> {
        await Promise.resolve();
        throw new Error("Later");
      }
    }
    await fail(createFixture({ provide: [new Synchronous()] }));
    await fail(createFixture({ provide: [new Asynchronous()] }));
    expect(text()).toMatch(/at .*later/);
    expect(text()).not.toMatch(/invokeMethod|call[\\/]stages|node:internal/);
    await fail(createFixture({ provide: [new Synchronous()], log: "debug" }));
    expect(text()).toMatch(/invokeMethod/);
  });

  test("explains once how a tool sends a message to the client", async () => {
    const text = recordStderr();
    const client = await connect(createServer(createFailing(new Error("Broken"))), { showErrors: false });
    await client.callTool("add", { a: 1, b: 2 });
    await client.callTool("add", { a: 1, b: 2 });
    expect(
      text().match(
        /Except in development, clients receive no details\. Throw a `ToolError` to send them a message\./g,
      ),
    ).toHaveLength(1);
    expect(text().match(/The tool "add" failed/g)).toHaveLength(2);
  });

  test.each([
    ["debug", 1],
    ["error", 1],
    ["fatal", 0],
    ["off", 0],
  ] as const)("begins at the level %s", async (log, count) => {
    const text = recordStderr();
    await fail(createFailing(new Error("Broken"), { log }));
    expect(text().split("The tool").length - 1).toBe(count);
  });

  test("escapes injected lines and terminal commands", async () => {
    const text = recordStderr();
    const client = await connect(createServer(createFixture()), { showErrors: false });
    await client.readResource("broken://always").catch(() => {});
    const handle = createHttpHandler(createServer(createFixture()));
    const url = "http://localhost/mcp";
    await handle(new Request(url, { method: "POST", headers: { host: 'evil"\u009b31m\u0085[a] forged' } }));
    expect(text()).toContain(
      String.raw`WARNING: A request was rejected: The Host "evil"\u{9b}31m\u{85}[a] forged" is`,
    );
    await handle.close();
  });

  test("marks thrown text so that it cannot imitate log lines", async () => {
    const text = recordStderr();
    await fail(
      createFailing(new Error('No \u001b[31mcity\n[00000000] The tool "pay" failed.\nCaused by: x')),
    );
    expect(text()).toContain("Error: No \\u{1b}[31mcity\n    [00000000] The tool");
  });

  test("accepts thrown values that are not errors or not readable", async () => {
    const text = recordStderr();
    const unreadable = {
      toString: () => {
        throw new Error("no");
      },
    };
    await fail(createFailing("just text"));
    await fail(createFailing(unreadable));
    await fail(createFailing({ status: 503, message: "Down", token: "hunter2" }));
    // As libraries attach the original error.
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    await fail(createFailing(new Error("a draft", { cause: revoked })));
    await fail(createFailing(revoked));
    expect(text()).toMatch(/^Error: a draft\n +at [^]*^Caused by: The thrown value cannot be read\.$/m);
    expect(text()).toContain("Thrown: just text");
    expect(text()).toContain("The thrown value cannot be read.");
    expect(text()).toContain('Thrown: { status: 503, message: "Down", token: "(secret)" }');
  });

  test("contains all causes of several failed attempts, at any depth", async () => {
    const text = recordStderr();
    const attempts = ["::1", "127.0.0.1"].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
    await fail(createFailing(new TypeError("fetch failed", { cause: new AggregateError(attempts) })));
    expect(text()).toMatch(/^Caused by: AggregateError\n +at /m);
    expect(text()).toMatch(/^Caused by \(1 of 2\): Error: connect ECONNREFUSED ::1:5432\n +at /m);
    expect(text()).toMatch(/^Caused by \(2 of 2\): Error: connect ECONNREFUSED 127\.0\.0\.1:5432\n +at /m);
  });

  test("contains the details that libraries attach to an error, but no objects", async () => {
    const text = recordStderr();
    const headers = { authorization: "Bearer hunter2hunter2" };
    const noted = { code: "ERR_BAD_REQUEST", status: 401, apiKey: "hunter2", errno: -104, body: "hunter2" };
    const config = { method: "get", url: "https://ada:hunter2@api.example.com/v1?token=hunter2", headers };
    const error = new Error("Request failed with status code 401");
    await fail(
      createFailing(
        Object.assign(error, noted, {
          responseBody: "hunter2",
          config,
          response: { data: "x", statusCode: 401 },
        }),
      ),
    );
    expect(text()).toContain(
      '{ code: "ERR_BAD_REQUEST", apiKey: "(secret)", method: "get", url: "https://(secret)@api.example.com/v1?token=(secret)" }\n',
    );
    expect(text()).not.toContain("hunter2");
  });

  test("contains a rewritten message and the name of the class", async () => {
    const text = recordStderr();
    class TrackerError extends Error {
      override name = "TrackerError";
    }
    const error = new TrackerError("503");
    error.message = `The tracker answered ${error.message}`;
    await fail(createFailing(error));
    expect(text()).toMatch(/^TrackerError: The tracker answered 503\n +at /m);
  });

  test("contains each error once, and truncates very long ones", async () => {
    const text = recordStderr();
    const circle = new Error("a");
    circle.cause = new Error("b", { cause: circle });
    await fail(createFailing(circle));
    expect(text().match(/^(Caused by: )?Error: /gm)).toEqual(["Error: ", "Caused by: Error: "]);
    const wide = new AggregateError(Array.from({ length: 1000 }, (_, n) => new Error(`${n}`.repeat(50_000))));
    await fail(createFailing(wide));
    expect(text().length).toBeLessThan(100_000);
    expect(text()).toContain("… (46000 more characters)");
  });

  test("contains the cause of an error that the client receives, though it has no reference", async () => {
    const text = recordStderr();
    const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 10.0.0.7:443") });
    const client = await connect(
      createServer(createFailing(new ToolError("The tracker is down. Try again later.", { cause }))),
      { showErrors: false },
    );
    expect(JSON.stringify(await client.callTool("add", { a: 1, b: 2 }))).not.toContain("fetch failed");
    expect(text()).toMatch(
      /^WARNING: The tool "add" failed: The tracker is down\. Try again later\.\nTypeError: fetch failed\n +at [^]+\nCaused by: Error: connect ECONNREFUSED 10\.0\.0\.7:443\n/,
    );
  });

  test("omits errors that the client receives without a cause, and unknown names", async () => {
    const text = recordStderr();
    await fail(createFailing(new ToolError("There is no coffee.")));
    await fail(createFailing(new NotFoundError("There is no issue 5.", { cause: new Error("404") })));
    expect(text()).toBe("");
  });
});

describe("jsonLog", () => {
  test("writes lines in pino's format", async () => {
    const before = Date.now();
    const [line] = await jsonLines((config) => createFailing(new TypeError("No rows\nat all"), config));
    expect(line).toEqual({
      level: 50,
      time: expect.any(Number) as number,
      pid: process.pid,
      app: "shop",
      event: "internal-error",
      msg: 'The tool "add" failed.',
      reference: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
      subject: 'tool "add"',
      err: {
        type: "TypeError",
        message: "No rows\nat all",
        stack: expect.stringMatching(/^TypeError: No rows\nat all\n +at /) as string,
      },
    });
    expect(line?.["time"]).toBeGreaterThanOrEqual(before);
  });

  test("omits entries below its level, and rejects unknown levels", () => {
    const lines: string[] = [];
    const log = jsonLog({ level: "warn", write: (line) => lines.push(line) });
    for (const level of ["debug", "info", "warn", "error", "fatal"] as const)
      log({ level, event: "x", msg: level });
    expect(lines.map((line) => (JSON.parse(line) as Json)["level"])).toEqual([40, 50, 60]);
    expect(() => jsonLog({ level: "loud" as "warn" })).toThrow("jsonLog: level must be one of debug, info");
  });

  test.each(["level", "time", "event", "msg"])(
    "rejects the field `%s`, which its lines have already",
    (name) => {
      expect(() => jsonLog({ fields: { name: "shop", [name]: "warn" } })).toThrow(
        `jsonLog: fields cannot contain \`${name}\``,
      );
    },
  );

  test("escapes characters that a terminal or a line reader interprets, and keeps their meaning", () => {
    const lines: string[] = [];
    const controls = [
      "\u001b[2J",
      "\u007f",
      "\u0085",
      "\u009b31m",
      "\u2028",
      "\u2029",
      "\u202e",
      "\u2066",
      "\u{e0041}",
    ];
    for (const msg of controls)
      jsonLog({ write: (line) => lines.push(line) })({ level: "info", event: msg, msg, [msg]: [msg] });
    for (const [index, line] of lines.entries()) {
      expect(line).toMatch(/^[ -~]*$/);
      const msg = controls[index] ?? "";
      expect(JSON.parse(line)).toMatchObject({ event: msg, msg, [msg]: [msg] });
    }
    expect(lines).toHaveLength(controls.length);
  });

  test("masks members by name, at any depth", () => {
    const lines: string[] = [];
    const entry = {
      level: "info" as const,
      event: "x",
      msg: "token=abc",
      list: [{ password: "a", api_key: "b", clientSecret: "c", accessToken: ["d"], tokens: 7, user: "ada" }],
      headers: { authorization: "e", cookie: "f", accept: "text/html" },
    };
    jsonLog({ write: (line) => lines.push(line) })(entry);
    const mask = "(secret)";
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      msg: "token=(secret)",
      list: [
        { password: mask, api_key: mask, clientSecret: mask, accessToken: mask, tokens: mask, user: "ada" },
      ],
      headers: { authorization: mask, cookie: mask, accept: "text/html" },
    });
  });
});

describe("secrets", () => {
  test.each([
    ["postgres://ada:hunter2@db/prod", "postgres://(secret)@db/prod"],
    ["GET https://token@example.com/a@b", "GET https://(secret)@example.com/a@b"],
    ["https://example.com/cb?code=1&api_key=k-12&x=2", "https://example.com/cb?code=1&api_key=(secret)&x=2"],
    ["Authorization: Bearer abc.def-ghi_123", "Authorization: Bearer (secret)"],
    ["got eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln back", "got (secret) back"],
    ['{"password": "hunter2", "user": "ada"}', '{"password": "(secret)", "user": "ada"}'],
    ["client_secret=s3cr3t; path=/", "client_secret=(secret); path=/"],
    ["postgres://ada:p@ss@db/prod", "postgres://(secret)@db/prod"],
    ["postgres://ada:p/ss@db/prod", "postgres://(secret)@db/prod"],
    ["postgres://ada:p#s?s@db:5432/prod.", "postgres://(secret)@db:5432/prod."],
    ["postgres://ada:p@s/s@db/prod", "postgres://(secret)@db/prod"],
    ["redis://:1/2@cache:6379", "redis://(secret)@cache:6379"],
    ["http://localhost:3000/@vite/client", "http://localhost:3000/@vite/client"],
    ["https://api.example.com:8080/users/a@b.c", "https://api.example.com:8080/users/a@b.c"],
    ["https://example.com/a:b@c", "https://example.com/a:b@c"],
    ["Authorization: hunter2", "Authorization: (secret)"],
    ["authorization: Token hunter2\nHost: a", "authorization: (secret)\nHost: a"],
    ['{"authorization":"hunter2","host":"a"}', '{"authorization":"(secret)","host":"a"}'],
    ["authorization=hunter2", "authorization=(secret)"],
    ['{\\"Authorization\\":\\"Bearer abc.def-ghi_123\\"}', '{\\"Authorization\\":\\"Bearer (secret)\\"}'],
    ["Authorization: Bearer\tabc.def-ghi_123", "Authorization: Bearer\t(secret)"],
    ["Cookie: a=b; c=d\nHost: x", "Cookie: (secret)\nHost: x"],
    ['{"password": "two words, \\"and\\" more", "user": "ada"}', '{"password": "(secret)", "user": "ada"}'],
    ["password='two words' user=ada", "password='(secret)' user=ada"],
    ['password: "cut off', 'password: "(secret)'],
    ['{"tokens": ["a", "b"], "user": "ada"}', '{"tokens": (secret)], "user": "ada"}'],
    ['{"token": "", "user": "ada"}', '{"token": "", "user": "ada"}'],
    [
      JSON.stringify({ body: JSON.stringify({ password: 'a "b" c', user: "ada" }) }),
      JSON.stringify({ body: JSON.stringify({ password: "(secret)", user: "ada" }) }),
    ],
    [
      JSON.stringify([JSON.stringify([JSON.stringify({ password: 'a "b"', user: "ada" })])]),
      JSON.stringify([JSON.stringify([JSON.stringify({ password: "(secret)", user: "ada" })])]),
    ],
    [
      "There is no user ada@example.com at http://example.com/",
      "There is no user ada@example.com at http://example.com/",
    ],
    ["The token has expired.", "The token has expired."],
    ["tools/call create_token: ok in 2.4 ms by ada", "tools/call create_token: ok in 2.4 ms by ada"],
    [
      "tools/call reset-password: internal-error in 12 ms",
      "tools/call reset-password: internal-error in 12 ms",
    ],
    ["ghp_0123456789abcdefghij and AKIA0123456789ABCDEF", "(secret) and (secret)"],
    ["sk-proj-0123456789abcdef, sk_live_0123456789abcdef", "(secret), (secret)"],
    ["-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----", "(secret)"],
    ["pwd=hunter2; AccountKey=abc==", "pwd=(secret); AccountKey=(secret)"],
    ["GET https://a.example/?sig=hunter2hunter2&se=2026", "GET https://a.example/?sig=(secret)&se=2026"],
    [
      "https://a.azurewebsites.net/api/f?code=hunter2hunter2",
      "https://a.azurewebsites.net/api/f?code=(secret)",
    ],
    ["https://a.example/?errorcode=notfound1&x=1", "https://a.example/?errorcode=notfound1&x=1"],
    ["POST https://hooks.slack.com/services/T0/B0/abcdefgh", "POST https://hooks.slack.com/(secret)"],
    ["https://discord.com/api/webhooks/123/abcdefgh: 404", "https://discord.com/api/webhooks/(secret) 404"],
    ["curl -u ada:hunter2 https://a.example", "curl -u ada:(secret) https://a.example"],
    ["curl --user=ada:hunter2 https://a.example", "curl --user=ada:(secret) https://a.example"],
    ["docker run -u 1000:1000 image", "docker run -u 1000:1000 image"],
    ["SG.0123456789abcdef.0123456789abcdef, hf_0123456789abcdef", "(secret), (secret)"],
    ["asia-northeast1-docker.pkg.dev", "asia-northeast1-docker.pkg.dev"],
    ["Neither task-force nor sk-1 is a key", "Neither task-force nor sk-1 is a key"],
  ])("are masked, and nothing else is: %s", (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  test("appear in no log of any kind", async () => {
    const text = recordStderr();
    const error = new Error("connect postgres://ada:hunter2@db", { cause: new Error("password=hunter2") });
    await fail(createFailing(error));
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry): void => void entries.push(entry);
    await fail(createFailing(error, { log }));
    class Failing extends Resources {
      override note(): never {
        throw error;
      }
    }
    const notes = await connect(createServer(createFixture({ provide: [new Failing()], log })), {
      showErrors: false,
    });
    await notes.readResource("note://ada:hunter2@x").catch(() => {});
    expect(entries.map(({ msg }) => msg)).toEqual([
      'The tool "add" failed.',
      'The resource "note://(secret)@x" failed.',
    ]);
    expect(text() + JSON.stringify(entries)).not.toContain("hunter2");
  });

  test("are found in linear time", () => {
    for (const part of [
      "a",
      "://a",
      "password",
      "Bearer ",
      "eyJa.",
      "token =  ",
      'token="',
      'token=\\\\"',
      "token=[",
      "cookie: ",
      "://a@",
      "a://",
      "a://b:c/",
      "a://:",
      "authorization: ",
      "authorization=",
      "-----BEGIN ",
      "-----BEGIN KEY-----",
      "sk-",
      "npm_0123456789abcdef",
      "https://hooks.a",
      "https://hooks.slack.com/services/",
      "?code=",
      " -u ",
      " -u a:",
      "SG.0123456789abcdef",
    ]) {
      const text = part.repeat(200_000 / part.length);
      expect(maskSecrets(text).length).toBeGreaterThan(0);
    }
  });
});

describe("a custom sink", () => {
  test("receives every entry as JSON", async () => {
    const entries: LogEntry[] = [];
    await fail(createFailing(new Error("Broken"), { log: (entry) => entries.push(entry) }));
    expect(entries).toMatchObject([{ level: "error", event: "internal-error", err: { type: "Error" } }]);
    expect(JSON.parse(JSON.stringify(entries))).toEqual(entries);
  });

  test("may throw without changing a response or losing an entry", async () => {
    const text = recordStderr();
    const reference = await fail(
      createFailing(new Error("Broken"), {
        log: () => {
          throw new Error("disk full");
        },
      }),
    );
    expect(text()).toContain(`[${reference}] The tool "add" failed.`);
  });

  test("may reject without losing an entry, or logging its own failure", async () => {
    const text = recordStderr();
    const log = vi.fn(() => Promise.reject(new Error("The collector is down.")));
    const reference = await fail(createFailing(new Error("Broken"), { log }));
    expect(log).toHaveBeenCalledOnce();
    expect(text()).toContain(`[${reference}] The tool "add" failed.`);
  });

  test("must be a function or a level", () => {
    const config = { log: "json" } as unknown as ServerConfig;
    expect(() => createServer(createFixture(config))).toThrow(
      'log must be a function or one of "debug", "info", "warn", "error", "fatal", "off" (got "json")',
    );
  });
});

describe("rejected requests", () => {
  const KEY = "a-key-of-ada-0123456789";

  function start(config: ServerConfig = {}) {
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry): void => void entries.push(entry);
    const handle = createHttpHandler(createServer(createFixture({ log, ...config })));
    const post = async (headers: Record<string, string>): Promise<number> => {
      const request = new Request("http://localhost/mcp", { method: "POST", headers, body: "{}" });
      return (await handle(request)).status;
    };
    return { entries, post };
  }

  test("with a wrong key are logged without the key", async () => {
    const { entries, post } = start({ auth: apiKeys({ [KEY]: "ada" }) });
    expect(await post({ authorization: "Bearer wrong-key-0123456789" })).toBe(401);
    expect(entries).toEqual([
      {
        level: "warn",
        event: "rejected",
        msg: "A request was rejected: The API key is unknown.",
        status: 401,
        reason: "The API key is unknown.",
        address: undefined,
      },
    ]);
  });

  test("without credentials are not logged, since every client begins with one", async () => {
    const { entries, post } = start({ auth: apiKeys({ [KEY]: "ada" }) });
    expect(await post({})).toBe(401);
    expect(entries).toEqual([]);
  });

  test("for a missing scope are logged with the caller", async () => {
    const { entries, post } = start({ auth: apiKeys({ [KEY]: "ada" }) });
    void post;
    const { manifest, ...rest } = createFixture({
      auth: apiKeys({ [KEY]: "ada" }),
      log: (entry) => entries.push(entry),
    });
    const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["admin"] }));
    const handle = createHttpHandler(createServer({ ...rest, manifest: { ...manifest, tools } }));
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "add", arguments: { a: 1, b: 2 }, _meta };
    const headers = {
      "x-api-key": KEY,
      "content-type": "application/json",
      accept: "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "add",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const answer = await handle(new Request("http://localhost/mcp", { method: "POST", headers, body }));
    expect(answer.status).toBe(403);
    expect(entries).toMatchObject([{ event: "rejected", status: 403, subject: "ada" }]);
  });

  test("are logged sixty times a minute, then counted", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
    const { entries, post } = start();
    for (let index = 0; index < 100; index++) expect(await post({ host: "evil.example" })).toBe(403);
    expect(entries).toHaveLength(60);
    vi.setSystemTime(120_000);
    await post({ host: "evil.example" });
    expect(entries.slice(60)).toMatchObject([
      { msg: "40 more requests were rejected.", suppressedCount: 40 },
      { status: 403 },
    ]);
  });

  test("from an unknown sender are limited as well, with the cause", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
    const principal = (): never => {
      throw new Error("The directory is down.");
    };
    const { entries, post } = start({ http: { principal } });
    for (let index = 0; index < 100; index++) expect(await post({})).toBe(500);
    expect(entries).toHaveLength(60);
    expect(entries[0]).toMatchObject({ event: "internal-error", err: { message: "The directory is down." } });
    vi.setSystemTime(120_000);
    await post({});
    expect(entries.slice(60)).toMatchObject([
      {
        level: "error",
        msg: "40 more requests failed before their callers were identified.",
        suppressedCount: 40,
      },
      { event: "internal-error" },
    ]);
  });
});

test("a server logs that it listens, stops, and has stopped", async () => {
  const program = await serverProgram(FIXTURE_ENTRY);
  const run = async (flags: string[], level: string, others = {}): Promise<Json[]> => {
    const env = { ...process.env, FIXTURE_LOG: level, ...others };
    const child = spawn(process.execPath, [program, ...flags], { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      // The first entry shows that the server is listening.
      if (stderr === "") child.kill("SIGTERM");
      stderr += chunk.toString();
    });
    await once(child, "close");
    return stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
  };
  const http = await run(["--http", "--port", "0"], "info");
  expect(http).toMatchObject([
    {
      level: 30,
      event: "listening",
      msg: expect.stringContaining("listens on http://127.0.0.1:") as string,
    },
    { level: 30, event: "access", msg: expect.stringContaining("callers are not authenticated") as string },
    { level: 30, event: "stopping", msg: "fixture 1.2.3 stops: SIGTERM" },
    { level: 30, event: "stopped", msg: "fixture 1.2.3 has stopped" },
  ]);
  const broken = { FIXTURE_BROKEN_STOP: "yes", FIXTURE_LIMITS: '{"drainTimeoutMs":300}' };
  expect((await run(["--http", "--port", "0"], "info", broken)).slice(3)).toMatchObject([
    { level: 50, event: "internal-error", msg: "The stop of an observer failed." },
    { level: 50, event: "internal-error", err: { message: "It took too long." } },
    { level: 30, event: "stopped" },
  ]);
  const stdio = await run([], "debug");
  expect(stdio).toMatchObject(["serving", "stopping", "stopped"].map((event) => ({ level: 20, event })));
});

describe("an HTTP client's error in a handler", () => {
  const createNamedError = (name: string, code?: string): Error =>
    Object.assign(new Error("No answer"), { name, ...(code !== undefined && { code }) });

  test.each([
    ["AbortSignal.timeout()", new DOMException("The operation was aborted due to timeout", "TimeoutError")],
    ["fetch", new TypeError("fetch failed", { cause: createNamedError("HeadersTimeoutError") })],
    ["sockets", createNamedError("Error", "ETIMEDOUT")],
    ["undici", createNamedError("RequestError", "UND_ERR_CONNECT_TIMEOUT")],
    ["axios", Object.assign(new Error("timeout of 50ms exceeded"), { code: "ECONNABORTED" })],
    [
      "an author",
      new Error("No rates", { cause: new Error("No page", { cause: createNamedError("TimeoutError") }) }),
    ],
  ])("counts as temporary after a timeout: %s", async (_who, error) => {
    recordStderr();
    const client = await connect(createServer(createFailing(error)), { showErrors: false });
    expect(JSON.stringify(await client.callTool("add", { a: 1, b: 2 }))).toContain("Try again later.");
  });

  test("does not count as a timeout after a hang-up", async () => {
    recordStderr();
    const error = Object.assign(new Error("Request aborted"), { code: "ECONNABORTED" });
    const client = await connect(createServer(createFailing(error)), { showErrors: false });
    expect(JSON.stringify(await client.callTool("add", { a: 1, b: 2 }))).toContain("internal error");
  });

  /** Returns the log entry of an error that a handler throws after its timeout. */
  async function loggedLate(error: unknown): Promise<string> {
    const text = recordStderr();
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    class Late extends Tools {
      override async pause(): Promise<string> {
        await ended;
        throw error;
      }
    }
    const server = createServer(createFixture({ provide: [new Late()], limits: { callTimeoutMs: 10 } }));
    const client = await connect(server, { showErrors: false });
    expect(JSON.stringify(await client.callTool("pause", { ms: 1 }))).toContain("took longer");
    const before = text();
    end();
    await new Promise(setImmediate);
    return text().slice(before.length);
  }

  const REASON = 'TimeoutError: The tool "pause" took longer than 10 ms and was stopped.';
  test.each([
    ["fetch", new DOMException("The operation was aborted", "AbortError")],
    ["axios", createNamedError("CanceledError", "ERR_CANCELED")],
    ["got", createNamedError("RequestError", "ERR_ABORTED")],
    ["an author", new Error("No rates", { cause: createNamedError("AbortError") })],
    ["SDK 1", Object.assign(new Error(`MCP error -32001: ${REASON}`), { code: -32001 })],
    ["an unnamed library", new Error("Broken")],
  ])("is not logged after the call ended: %s", async (who, error) => {
    const logged = /^\w+: .*/m.exec(await loggedLate(error))?.[0];
    expect(logged).toBe(who === "an unnamed library" ? "Error: Broken" : undefined);
  });

  const trap = Object.defineProperty(new Error("Broken"), "message", {
    get: () => {
      throw new Error("Trap");
    },
  });
  test.each([
    ["has no text", Object.create(null)],
    ["throws when it is read", trap],
  ])("is logged after the call ended if it %s", async (_, error: unknown) => {
    expect(await loggedLate(error)).toMatch(/^\[\w+\] The tool "pause" failed\.\n\S/);
  });
});
