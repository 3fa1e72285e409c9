/** Commands for servers that run somewhere else, without their sources. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { createHttpHandler } from "@tenon/runtime/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFixture } from "../runtime/fixture/application.js";
import { quietServer } from "../support/describe-transports.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { FOREIGN } from "../wire/recorder.mjs";

/** A program that is a server of revision 2025-06-18, whose texts contain terminal commands. */
const HOSTILE = String.raw`
const answers = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
    serverInfo: { name: "evil\u001b]0;owned\u0007", version: "1" },
  },
  "tools/list": {
    tools: [
      {
        name: "wipe\u001b[2J",
        description: "Looks\u202e harmless\u001b[31m\nand continues",
        inputSchema: { type: "object", properties: { "a\u0008b": { type: "string", description: "\u009b1A" } } },
      },
    ],
  },
  "tools/call": { content: [{ type: "text", text: "wiped" }] },
  "prompts/list": { prompts: [{ name: "plan\u001b]52;c;AAAA\u0007" }] },
  "resources/list": { resources: [{ uri: "a://\u001b[1m", name: "n" }] },
};
process.stderr.write("starting \u001b[5mup\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method];
  const error = { code: -32601, message: "No\u001b[31m such method" };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }) + "\n");
});
`;

const hostile = ["--", process.execPath, "-e", HOSTILE];

async function runTenon(args: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const terminal = recordingTerminal(process.cwd());
  const exitCode = await run(args, terminal);
  return { exitCode, stdout: terminal.stdout(), stderr: terminal.stderr() };
}

describe("a server at a URL", () => {
  let http: Server;
  let url: string;
  beforeAll(async () => {
    const handler = createHttpHandler(quietServer(createFixture()));
    http = createServer((request, response) => {
      const [, status] = /^\/status-(\d+)$/.exec(request.url ?? "") ?? [];
      if (status !== undefined) response.writeHead(Number(status)).end("Try again.");
      else if (request.url === "/none") response.writeHead(404).end("Nothing here");
      else void handler;
    });
    Object.assign(http, { [FOREIGN]: true });
    await new Promise<void>((resolve) => {
      http.listen(0, "127.0.0.1", resolve);
    });
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    http.close();
    http.closeAllConnections();
  });

  test.each([
    [503, "modern"],
    [503, "legacy"],
    [429, "legacy"],
    [500, "legacy"],
  ])("is reported as unavailable if it responds with %i in the %s era", async (status, era) => {
    const { exitCode, stderr } = await runTenon(["inspect", `${url}/status-${status}`, "--era", era]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`is unavailable: it responded with status ${status}.\nhint   Try again later.`);
  });

  test("is reported if it is not an MCP server", async () => {
    const { exitCode, stderr } = await runTenon(["inspect", `${url}/none`]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error {2}http:\S+\/none does not respond as an MCP server: .*\n$/);
    const { port } = http.address() as AddressInfo;
    expect((await runTenon(["check", `http://ada:secret@127.0.0.1:${port}/none`])).stderr).not.toContain(
      "secret",
    );
  });

  test.each([
    [["inspect", "https://a b"], "`https://a b` is not a URL."],
    [["inspect", "https://a.example", "more"], "Unexpected argument `more`."],
    [["inspect", "--logout"], "Pass the URL of the server to log out from."],
    [["inspect", "--"], "No command follows `--`."],
    [["install", "cursor", "--print", "--"], "No command follows `--`."],
    [["types", "--out", "a.ts", "--check", "--force"], "--force has no effect: --check writes nothing."],
    [["inspect", "https://a.example", "--", "node"], "A server has a URL or a command, not both."],
    [
      ["check", "https://a.example", "--update"],
      "--update requires the sources of a project, not a running server.",
    ],
    [
      ["check", "https://a.example", "--client", "gemni"],
      "Unknown client family `gemni`. Did you mean `gemini`?",
    ],
  ])("is a usage error if malformed: %j", async (args, message) => {
    const { exitCode, stderr } = await runTenon(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`error  ${message}`);
  });
});

describe("a server started by a command", () => {
  test("is listed without moving the cursor of a terminal", async () => {
    const { exitCode, stdout, stderr } = await runTenon(["inspect", ...hostile]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/uses MCP 2025-06-18\n\nevil 1 {2}1 tool, 1 prompt, and 1 resource\n/);
    expect(stdout).toContain("wipe\n    Looks harmless\n    and continues\n");
    expect(stderr).toContain("starting up\n");
    // oxlint-disable-next-line no-control-regex -- none of them may be there
    expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test.each([
    [["call", "wip"], "The only tool is wipe."],
    [["call", "--prompt", "x"], "The only prompt is plan."],
    [["call", "--prompt", "plan\u001b]52;c;AAAA\u0007"], "error  No such method"],
  ])("is quoted without terminal commands in the errors of %j", async (args, text) => {
    const { exitCode, stdout, stderr } = await runTenon([...args, ...hostile]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(text);
    // oxlint-disable-next-line no-control-regex -- none of them may be there
    expect(stderr).not.toMatch(/[\u0007\u001b]/);
  });

  test("has a typed client without terminal commands in its comments", async () => {
    const { exitCode, stdout } = await runTenon(["types", ...hostile]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(" * Looks harmless");
    // oxlint-disable-next-line no-control-regex -- none of them may be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test("is called even if it rejects the request for log messages", async () => {
    expect(await runTenon(["call", "wipe\u001b[2J", ...hostile])).toMatchObject({
      exitCode: 0,
      stdout: "wiped\n",
    });
  });

  test("is printed verbatim for programs", async () => {
    const { stdout } = await runTenon(["inspect", "--json", ...hostile]);
    expect(JSON.parse(stdout)).toMatchObject({
      server: { name: "evil\u001b]0;owned\u0007" },
      tools: [{ name: "wipe\u001b[2J" }],
      resources: [{ uri: "a://\u001b[1m" }],
      resourceTemplates: [],
    });
  });

  test("is checked like a project", async () => {
    const { exitCode, stdout } = await runTenon(["check", ...hostile]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("evil 1\nFor claude");
    expect(stdout).toContain("wipe");
    expect(stdout).toContain("sets neither `readOnly` nor `destructive`");
  });

  test("is reported if the program does not exist", async () => {
    expect(await runTenon(["inspect", "--", "no-such-server", "--flag"])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error  no-such-server --flag does not respond as an MCP server: the program was not found\n",
    });
  });

  test.each(["not-there.js", "not-there.mjs"])(
    "is reported in one sentence if its script %s does not exist",
    async (script) => {
      const name = `${process.execPath} ${script}`;
      expect(await runTenon(["inspect", "--", process.execPath, script])).toEqual({
        exitCode: 1,
        stdout: "",
        stderr:
          `error  ${name} cannot start: the file ${join(process.cwd(), script)} does not exist.\n` +
          "hint   Correct the path after `--`, or create the file.\n",
      });
    },
  );

  test("is reported with its own error if it fails for another reason", async () => {
    const failing = ["-e", "throw new Error('no database')", "not-there.js"];
    const { exitCode, stderr } = await runTenon(["inspect", "--", process.execPath, ...failing]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /Error: no database\n[^]*does not respond as an MCP server: the connection was closed\n$/,
    );
  });

  test("is reported as a failure, not a bug, if it exits immediately", async () => {
    const { exitCode, stderr } = await runTenon(["inspect", "--", process.execPath, "-e", "process.exit(3)"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("does not respond as an MCP server");
    expect(stderr).not.toContain("bug in Tenon");
  });
});
