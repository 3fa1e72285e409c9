/**
 * A few seconds of `npm run fuzz`, and the problems that it has found before.
 * @module
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everything, guarded } from "./drive/subjects.mjs";
import { type Find, play, playRound, listSurface } from "./run.mjs";

type Subject = ReturnType<typeof everything>;
type Surface = Awaited<ReturnType<typeof listSurface>>;

const WAYS = ["stdio", "http"] as const;
const NAMES = ["everything", "guarded"] as const;
/** A constant seed, which shows what a change breaks, and a new one, which finds unknown problems. */
const SEEDS = [20_260_728, Math.floor(Math.random() * 2 ** 31)];
const CASES = 200;

const folder = mkdtempSync(join(tmpdir(), "tenon-fuzz-"));
const subjects = new Map<string, { subject: Subject; surface: Surface }>();
beforeAll(async () => {
  for (const subject of [everything(), await guarded(folder)]) {
    subjects.set(subject.name, { subject, surface: await listSurface(subject) });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

function findSubject(name: string): { subject: Subject; surface: Surface } {
  const found = subjects.get(name);
  if (found === undefined) throw new Error(`There is no subject "${name}".`);
  return found;
}

describe.each(SEEDS)("from the seed %i", (seed) => {
  test.each(WAYS.flatMap((way) => NAMES.map((name) => [way, name] as const)))(
    "over %s, the server %s keeps its promises",
    async (way, name) => {
      const { find } = await playRound({
        way,
        ...findSubject(name),
        seed,
        first: 0,
        count: CASES,
        round: 0,
      });
      expect(find?.problem, `npm run fuzz -- --seed ${seed} --cases 20000`).toBeUndefined();
    },
  );
});

const cases = join(import.meta.dirname, "cases");
const files = readdirSync(cases).filter((file) => file.endsWith(".json"));

test.each(files)("the found problem does not occur again: %s", async (file) => {
  const recorded = JSON.parse(readFileSync(join(cases, file), "utf8")) as Find & { subject: string };
  const { find } = await play({
    ...recorded,
    ...findSubject(recorded.subject),
    revision: recorded.revision,
    seed: 1,
  });
  expect(find?.problem).toBeUndefined();
});

/** Starts a server that responds correctly to good calls and wrongly to others. */
function wrongServer(wrong: string): string {
  return `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const reply = (line) => {
      const { id, method } = JSON.parse(line);
      if (method === "tools/call") {
        const content = [{ type: "text", text: "Hello, you!" }];
        say({ id, result: { resultType: "complete", content } });
      } else if (id !== undefined) say({ id, error: { code: -32601, message: "There is no such method." } });
    };
    const take = (line) => { ${wrong} reply(line); };
    let rest = "";
    process.stdin.on("data", (chunk) => {
      const lines = (rest + chunk).split("\\n");
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) take(line);
    });
    process.stdin.on("end", () => process.exit(0));
  `;
}

/** A fuzzer that finds nothing in a faulty server would prove nothing. */
test.each([
  ["ignores a request", `if (line.includes('"f3-')) return;`, /Never answered/],
  ["responds twice", `if (line.includes('"f3-')) reply(line);`, /answered|more than once/],
  [
    "reveals a stack",
    `if (line.includes('"f3-')) return say({ id: JSON.parse(line).id, error: { code: -32603, message: new Error("x").stack } });`,
    /says what it may not/,
  ],
  ["exits", `if (line.includes('"f3-')) process.exit(1);`, /has ended|did not end/],
  [
    "sends a result that its revision forbids",
    `if (line.includes('"f3-')) return say({ id: JSON.parse(line).id, result: 7 });`,
    /Not a /,
  ],
])("a server that %s is detected", async (_, wrong, problem) => {
  const entry = join(folder, "wrong.mjs");
  const { subject, surface } = findSubject("everything");
  writeFileSync(entry, wrongServer(wrong));
  const cases = [{ pieces: [`{"jsonrpc":"2.0","id":"f3-0","method":"ping"}`] }];
  const given = { way: "stdio", surface, cases, seed: 1, revision: undefined, neverMs: 2000 } as const;
  const { find } = await play({ ...given, subject: { ...subject, entry } });
  expect(find?.problem).toMatch(problem);
});

/** Starts a server over HTTP that responds wrongly to requests with the ID `bad`, or from another origin. */
function wrongHttpServer(wrong: string): string {
  return `
    import { createServer } from "node:http";
    const server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      const { id, method } = JSON.parse(text || "{}");
      const answer = (status, message) => {
        const body = JSON.stringify({ jsonrpc: "2.0", ...message });
        response.writeHead(status, { "content-type": "application/json", "content-length": body.length }).end(body);
      };
      const error = { code: -32601, message: "There is no such method." };
      const content = [{ type: "text", text: "Hello, you!" }];
      if (id === "bad") { ${wrong} }
      if (method === "tools/call") answer(200, { id, result: { resultType: "complete", content } });
      else answer(200, { id, error });
    });
    server.listen(0, "127.0.0.1", () => console.error(" listens on http://127.0.0.1:" + server.address().port));
  `;
}

test.each([
  ["responds with 5xx", "return answer(500, { id, error });", "127.0.0.1", /Status 500/],
  ["responds with another ID", 'return answer(200, { id: "good", error });', "127.0.0.1", /answers nothing/],
  ["responds without a body", "return response.writeHead(200).end();", "127.0.0.1", /0 answers/],
  [
    "treats a request as a notification",
    "return response.writeHead(202).end();",
    "127.0.0.1",
    /notification/,
  ],
  ["closes the connection", "return request.socket.destroy();", "127.0.0.1", /There was no response/],
  ["never responds", "return;", "127.0.0.1", /Never: a response/],
  ["serves requests from another origin", "", "evil.example", /came from elsewhere was answered with 200/],
  [
    "reveals its path",
    "return answer(200, { id, error: { ...error, message: import.meta.url } });",
    "127.0.0.1",
    /says what it may not/,
  ],
])("an HTTP server that %s is detected", async (_, wrong, host, problem) => {
  const entry = join(folder, "wrong-http.mjs");
  const { subject, surface } = findSubject("everything");
  writeFileSync(entry, wrongHttpServer(wrong));
  const body = '{"jsonrpc":"2.0","id":"bad","method":"ping"}';
  const headers: [string, string][] = [
    ["host", host],
    ["content-length", "$LENGTH$"],
  ];
  const request = { line: "POST /mcp HTTP/1.1", headers, body };
  const given = { way: "http", surface, seed: 1, revision: undefined, neverMs: 2000 } as const;
  const { find } = await play({ ...given, cases: [{ request }], subject: { ...subject, entry } });
  expect(find?.problem).toMatch(problem);
});
