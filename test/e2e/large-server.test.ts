import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { buildProject } from "@tenon/cli";
import { connect } from "@tenon/runtime/testing";
import type { Server } from "@tenon/runtime/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const TOOLS = 60;
const FIELDS = 24;

/** Tools whose arguments have very many members. */
function source(): string {
  const tools = Array.from({ length: TOOLS }, (_, tool) => {
    const fields = Array.from(
      { length: FIELDS },
      (__, field) =>
        `    /** @minLength 2 */ text${field}_${tool}?: string; choice${field}?: "a${tool}" | "b" | "c";`,
    );
    return `
  /** Echoes. */
  @Tool()
  echo${tool}(args: {
    text: string;
    since?: Date;
${fields.join("\n")}
  }): { said: string } {
    return { said: args.text };
  }`;
  });
  return `import { Tool, Prompt, Resource } from "@tenon/runtime";

export class Echo {
${tools.join("\n")}

  /** Plans. */
  @Prompt() plan(city: string, days: number): string { return city + days; }

  /** A year. */
  @Resource("year://{year}") year(year: number): string { return String(year); }
}
`;
}

let project: ProjectFolder;
let dist: string;

beforeAll(async () => {
  project = projectFolder({ "src/echo.ts": source() });
  const { files } = await buildProject({ root: project.root });
  expect(files).toBeDefined();
  dist = join(project.root, "dist");
});
afterAll(() => project.remove());

const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  },
};

/** Sends requests to the built server, each when the one before is answered. */
async function ask(requests: { method: string; params?: object }[]): Promise<unknown[]> {
  const child = spawn(
    process.execPath,
    ["--disallow-code-generation-from-strings", join(dist, "server.js")],
    { stdio: ["pipe", "pipe", "ignore"] },
  );
  const answers: unknown[] = [];
  const send = (): void => {
    const id = answers.length;
    const request = requests[id];
    if (request === undefined) return void child.stdin.end();
    const { method, params } = request;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...META } })}\n`);
  };
  send();
  for await (const line of createInterface({ input: child.stdout })) {
    const { result, error } = JSON.parse(line) as { result?: unknown; error?: unknown };
    answers.push(result ?? error);
    send();
  }
  return answers;
}

function call(tool: number, args: object): { method: string; params: object } {
  return { method: "tools/call", params: { name: `echo${tool}`, arguments: args } };
}

it("a large server serves a tool, a prompt, and a resource in memory", async () => {
  const { server } = (await import(pathToFileURL(join(dist, "app.js")).href)) as { server: Server };
  const client = await connect(server);
  expect(await client.callTool("echo7", { text: "hello" })).toMatchObject({
    structuredContent: { said: "hello" },
  });
  expect(await client.getPrompt("plan", { city: "Oslo", days: "3" })).toMatchObject({
    messages: [{ content: { text: "Oslo3" } }],
  });
  expect(await client.readResource("year://2026")).toMatchObject({ contents: [{ text: "2026" }] });
  client.close();
});

it("a large server reports all problems of arguments", async () => {
  const validators = readdirSync(dist).filter((name) => name.startsWith("validators-"));
  const sizes = validators.map((name) => statSync(join(dist, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(500_000);
  expect(sizes.length).toBeGreaterThan(5);
  const [valid, invalid] = await ask([
    call(3, { text: "hello" }),
    call(59, { txt: "hello", text1_59: "x", choice2: "other" }),
  ]);
  expect(valid).toMatchObject({ structuredContent: { said: "hello" } });
  expect(invalid).toMatchObject({
    isError: true,
    content: [
      {
        text: [
          'Invalid arguments for tool "echo59":',
          "- missing argument `text` (a string)",
          "- unknown argument `txt`; did you mean `text`?",
          '- `text1_59` must have at least 2 characters (got "x")',
          '- `choice2` must be one of "a59", "b", "c" (got "other")',
        ].join("\n"),
      },
    ],
  });
});
