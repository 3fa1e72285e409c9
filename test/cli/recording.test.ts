import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// Internal: masking is tested on any text, without a session for each.
import { parseRecording } from "../../packages/cli/src/recording/format.js";
import { createMask } from "../../packages/cli/src/recording/mask.js";
import { createRecorder } from "../../packages/cli/src/recording/recorder.js";
import { isSecretName } from "../../packages/cli/src/recording/secrets.js";

describe("recorded secrets", () => {
  const mask = (value: unknown, env: NodeJS.ProcessEnv = {}): unknown => createMask({ env })(value).value;

  it.each([
    "password",
    "apiKey",
    "API_KEY",
    "accessToken",
    "x-api-key",
    "Authorization",
    "tokens",
    "card_number",
  ])("are masked by the name %s", (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(mask({ [name]: "tiger" })).toEqual({ [name]: "(secret 1)" });
  });

  it.each(["progressToken", "tokenizer", "passwordHint", "monkey", "secretary", "maxTokensPerCall"])(
    "are not masked by the name %s",
    (name) => expect(mask({ [name]: "tiger" })).toEqual({ [name]: "tiger" }),
  );

  it.each([
    ["Bearer abcdefgh12345678", "Bearer (secret 1)"],
    ["a eyJhbGciOiJ9.eyJzdWIi.c2lnbmF0dXJl b", "a (secret 1) b"],
    ["postgres://ada:hunter2@db/x", "postgres://(secret 1)@db/x"],
    ["https://x.test/?api_key=k-12345&page=2", "https://x.test/?api_key=(secret 1)&page=2"],
    ["key sk-proj-0123456789abcdef.", "key (secret 1)."],
    ["ghp_0123456789abcdefghijABCDEFGHIJ", "(secret 1)"],
    ["AKIAIOSFODNN7EXAMPLE", "(secret 1)"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "(secret 1)"],
    ["the token of my esteem", "the token of my esteem"],
  ])("are masked by their shape: %s", (text, masked) => expect(mask(text)).toBe(masked));

  it("are masked within JSON text, whose formatting stays", () => {
    const text = JSON.stringify({ user: "ada", token: "t-1" }, null, 2);
    expect(mask({ text })).toEqual({ text: text.replace("t-1", "(secret 1)") });
  });

  it("have the same number wherever the same secret occurs", () => {
    const { value, pointers } = createMask({ env: {} })([
      { password: "hunter2" },
      "as hunter2",
      { pin: 1234 },
    ]);
    expect(value).toEqual([{ password: "(secret 1)" }, "as (secret 1)", { pin: "(secret 2)" }]);
    expect(pointers).toEqual(["/0/password", "/1", "/2/pin"]);
  });

  it("include the values of secret environment variables, but no ordinary words", () => {
    const env = { STRIPE_SECRET_KEY: "abcdefgh-1", SHORT_TOKEN: "true", HOME: "/home/ada/x" };
    expect(mask(["abcdefgh-1 is it", "true", "/home/ada/x"], env)).toEqual([
      "(secret 1) is it",
      "true",
      "/home/ada/x",
    ]);
  });

  it.each([
    ["in a URL", "open sesame now", "https://a.example/?p=open%20sesame%20now"],
    ["in a form", "open sesame now", "p=open+sesame+now&x=1"],
    ["without the spaces around them", " opensesame ", "It is opensesame."],
    ["line by line", "first line\nsecond line", "> second line\n> first line"],
  ])("are masked where a response spells them %s", (_name, password, text) => {
    const [, masked] = mask([{ password }, text]) as [unknown, string];
    expect(masked).toContain("(secret 1)");
    expect(masked).not.toMatch(/sesame|line/);
  });

  it("are masked in part where a message was cut off", () => {
    const message = 'Unexpected token, "[1, open-sesam"... is not valid JSON';
    expect(mask([{ password: "open-sesame-now" }, message])).toEqual([
      { password: "(secret 1)" },
      'Unexpected token, "[1, (secret 2)"... is not valid JSON',
    ]);
  });

  it("do not include the words of a text where a message ends in an ellipsis", () => {
    const password = "first line\nsecond line of the file";
    expect(mask([{ password }, "Reading line..."])).toEqual([{ password: "(secret 1)" }, "Reading line..."]);
  });

  it("may be as long as a file", () => {
    const secret = "0123456789".repeat(30_000);
    expect(mask([{ password: secret }, `<${secret}>`])).toEqual([{ password: "(secret 1)" }, "<(secret 1)>"]);
  });

  it("include a member named `pass`, but not a `boardingPass`", () => {
    expect(mask({ pass: "abc", boardingPass: "KL1234" })).toEqual({
      pass: "(secret 1)",
      boardingPass: "KL1234",
    });
  });

  it("do not include schemas or token counts", () => {
    const value = { inputSchema: { properties: { password: { type: "string" } } }, usage: { tokens: 12 } };
    expect(mask(value)).toEqual(value);
  });

  /** Secrets of every length, in every alphabet. */
  const SECRETS = [
    "7",
    "ab",
    "é",
    "🙂",
    "12",
    "abc",
    "1234",
    "tiger",
    "a b",
    "k-1",
    "hunter2",
    "$&(.*)",
    "x".repeat(40),
  ];

  describe.each(SECRETS)("with the value %j", (secret) => {
    it.each([
      ["under a secret name", { password: secret }, secret],
      ["where a response repeats it", { password: secret }, { value: secret }],
      ["where a response repeats it between other words", { password: secret }, `It is ${secret}.`],
      ["where a response repeats it twice", { password: secret }, `${secret}, ${secret}!`],
      ["where JSON in text repeats it", { password: secret }, JSON.stringify({ a: [secret, `<${secret}>`] })],
      ["where a response repeats a header", { "x-api-key": secret }, `key=${secret}`],
      [
        "where a response repeats a token",
        { authorization: `Bearer ${secret}` },
        { token: secret, text: `(${secret})` },
      ],
      ["where a response repeats a cookie", { cookie: `a=b; session=${secret}` }, `session ${secret}`],
    ])("are masked %s", (_name, first, second) => {
      const text = JSON.stringify(mask([first, second]));
      const rest = text.replaceAll(/\(secret \d+\)/g, "");
      const escaped = JSON.stringify(secret)
        .slice(1, -1)
        .replaceAll(/[$(.*)]/g, "\\$&");
      expect(rest).not.toMatch(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "u"));
      expect(text).toContain("(secret 1)");
    });

    it("are masked as the value of an environment variable", () => {
      const text = JSON.stringify(mask([`It is ${secret}.`, secret], { DB_PASSWORD: secret }));
      expect(text).toBe(JSON.stringify(["It is (secret 1).", "(secret 1)"]));
    });
  });

  it("are masked after the name `password` if an earlier secret is the word itself", () => {
    const text = JSON.stringify(mask([{ password: "password" }, 'log: {"password":"hunter2hunter2"}']));
    expect(text).not.toContain("hunter2");
  });

  it("with the tag @secret are masked where they are arguments, and members of the protocol stay", () => {
    const masked = createMask({ env: {}, isSecretArgument: (name) => ["text", "name"].includes(name) })({
      message: {
        params: { name: "encrypt", arguments: { text: "a treasure map" } },
        result: { content: [{ type: "text", text: "Done with it." }], serverInfo: { name: "safe" } },
      },
    });
    expect(masked.value).toEqual({
      message: {
        params: { name: "encrypt", arguments: { text: "(secret 1)" } },
        result: { content: [{ type: "text", text: "Done with it." }], serverInfo: { name: "safe" } },
      },
    });
  });

  it.each([true, false, null])("with the tag @secret are masked if they are %s, and others stay", (each) => {
    const value = { hiv: each, other: each, list: [each] };
    const { value: masked } = createMask({ env: {} })(value, { pointers: ["/hiv", "/list"], parts: [] });
    expect(masked).toEqual({ hiv: "(secret 1)", other: each, list: ["(secret 1)"] });
  });

  it("are masked as numbers, and not within longer words and numbers", () => {
    expect(mask([{ pin: 12 }, { n: 12, other: 112 }, "12 of 120, a12"])).toEqual([
      { pin: "(secret 1)" },
      { n: "(secret 1)", other: 112 },
      "(secret 1) of 120, a12",
    ]);
  });

  it("are masked as a whole if they contain a shorter secret, and masks are not masked again", () => {
    const value = [
      { pin: "1" },
      { password: "secret" },
      { token: "1-secret-2" },
      "1, secret, and 1-secret-2",
    ];
    expect(mask(value)).toEqual([
      { pin: "(secret 1)" },
      { password: "(secret 2)" },
      { token: "(secret 3)" },
      "(secret 1), (secret 2), and (secret 3)",
    ]);
  });

  it("include the password in Basic credentials", () => {
    const authorization = `Basic ${Buffer.from("ada:hi5").toString("base64")}`;
    const text = JSON.stringify(mask([{ authorization }, "ada has hi5", authorization]));
    expect(text).not.toMatch(/hi5|YWRh/);
    expect(text).toContain("ada has (secret ");
  });

  it("include the values of variables such as `GH_PAT` and `STRIPE_KEY`, unless a value may be an ordinary word", () => {
    const env = { STRIPE_KEY: "live-51HxQwErTy", GH_PAT: "pat-0123456789", SORT_KEY: "name" };
    const { value } = createMask({ env })({ text: "live-51HxQwErTy, pat-0123456789, name" });
    expect(value.text).toBe("(secret 1), (secret 2), name");
  });

  it("do not include protocol values that happen to equal a short secret", () => {
    const line = {
      message: {
        jsonrpc: "2.0",
        id: 7,
        method: "tools/call",
        params: {
          arguments: { pin: 7 },
          _meta: { progressToken: 7, "io.modelcontextprotocol/protocolVersion": "7" },
        },
      },
      headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "x-auth": "of a user" },
    };
    const { value } = createMask({ env: { DB_PASSWORD: "07", OTHER_SECRET: "tools" } })(line);
    expect(value).toEqual({
      message: { ...line.message, params: { ...line.message.params, arguments: { pin: "(secret 1)" } } },
      // The header may authenticate the sender.
      headers: { ...line.headers, "x-auth": "(secret 2)" },
    });
  });

  it("do not include settings with a secret name", () => {
    const env = { MAX_TOKENS: "4096", USE_PASSWORD: "yes" };
    expect(mask("yes, 4096 of them", env)).toBe("yes, 4096 of them");
  });

  it("have the same masks as in another recording, if it is known", () => {
    const known = new Map([["swordfish", "(secret 7)"]]);
    const masked = createMask({ env: {}, known })({ password: "tiger-tiger", text: "a swordfish" });
    expect(masked.value).toMatchObject({ text: "a (secret 7)" });
  });

  it("include arguments tagged @secret", () => {
    const isSecretArgument = (name: string): boolean => name === "phrase";
    expect(createMask({ env: {}, isSecretArgument })({ phrase: "open" }).value).toEqual({
      phrase: "(secret 1)",
    });
  });
});

describe("a recorder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tenon-recordings-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const startRecorder = (): ReturnType<typeof createRecorder> & { files: string[] } => {
    const files: string[] = [];
    const onError = (error: unknown): void => {
      throw error;
    };
    const options = { folder, project: "sample", transport: "http", env: {} } as const;
    return { ...createRecorder({ ...options, onFile: (path) => files.push(path), onError }), files };
  };

  it("writes each message as it passes, by session", () => {
    const { traffic, files, close } = startRecorder();
    const clientInfo = { name: "Claude Code!", version: "1" };
    const at = performance.now();
    traffic({
      from: "client",
      session: "a",
      message: { id: 1, method: "initialize", params: { clientInfo } },
      at,
    });
    traffic({ from: "client", session: "b", message: { id: 1, method: "ping" }, at });
    traffic({
      from: "client",
      session: "a",
      message: { id: 2, method: "tools/call", params: { arguments: { apiKey: "k" } } },
      at: at + 12.34,
      headers: { authorization: "Bearer abcdefgh" },
    });
    expect(files[0]).toMatch(/\/\d{4}-\d\d-\d\dT[\d-]+-claude-code\.jsonl$/);
    expect(
      readFileSync(files[0] ?? "", "utf8")
        .split("\n")
        .slice(1),
    ).toEqual([
      `{"ms":0,"from":"client","message":{"id":1,"method":"initialize","params":{"clientInfo":{"name":"Claude Code!","version":"1"}}}}`,
      `{"ms":12.3,"from":"client","message":{"id":2,"method":"tools/call","params":{"arguments":{"apiKey":"(secret 1)"}}},` +
        `"headers":{"authorization":"(secret 2)"},"masked":["/message/params/arguments/apiKey","/headers/authorization"]}`,
      "",
    ]);
    expect(close()).toEqual([
      { path: files[0], messages: 2, masked: ["arguments.apiKey", "the header authorization"] },
      { path: files[1], messages: 1, masked: [] },
    ]);
  });

  it("omits messages that are nested too deeply, and continues", () => {
    const { traffic, files, close } = startRecorder();
    const nested = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    for (const [id, text] of [1, nested, 3].entries()) {
      const params = { name: "echo", arguments: { text } };
      const message = { id, method: "tools/call", params };
      traffic({ from: "client", session: "a", message, at: performance.now() });
    }
    expect(parseRecording(readFileSync(files[0] ?? "", "utf8"), "it").messages).toMatchObject([
      { message: { id: 0 } },
      { message: { id: 2 } },
    ]);
    expect(close()).toMatchObject([{ messages: 2 }]);
  });

  it("writes files that can be read again, even if the last line is incomplete", () => {
    const { traffic, files } = startRecorder();
    traffic({ from: "client", session: "a", message: { id: 1, method: "ping" }, at: performance.now() });
    const text = readFileSync(files[0] ?? "", "utf8");
    expect(parseRecording(text, "it")).toMatchObject({
      project: "sample",
      messages: [{ from: "client", message: { method: "ping" } }],
      isTruncated: false,
    });
    expect(parseRecording(`${text}{"ms":1,"fr`, "it")).toMatchObject({ messages: [{}], isTruncated: true });
    expect(parseRecording(`${text}{"event":"of later versions"}\n`, "it").messages).toHaveLength(1);
  });

  it.each([
    ["{}\n", "it is not a recording of `tenon dev --record`."],
    ['{"tenonRecording":2}\n', "it was written by a newer version of Tenon (format 2)."],
    ['{"tenonRecording":1}\nnonsense\n', "it cannot be read: line 2 is not valid JSON."],
    [
      `{"tenonRecording":1}\n${"[".repeat(20_000)}${"]".repeat(20_000)}\n`,
      "line 2 is nested more than 1000 levels deep.",
    ],
  ])("rejects %j", (text, message) => expect(() => parseRecording(text, "it")).toThrow(message));
});
