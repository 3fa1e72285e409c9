import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi, type MockInstance } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

/** A tool that reports the progress that the client chooses, and a message of any level. */
const SOURCE = `
import { Tool, type Context } from "@tenon/runtime";

export class Reports {
  /** Reports progress. */
  @Tool()
  steps(steps: string[], total: string, ctx: Context): string {
    for (const step of steps) ctx.progress(Number(step), total === "" ? undefined : Number(total));
    return "done";
  }
  /** Logs. */
  @Tool()
  logs(level: string, ctx: Context): string {
    ctx.log(level as "info", "hello");
    return "done";
  }
}
`;

let built: BuiltServer;
let client: TestClient;
let stderr: MockInstance<typeof process.stderr.write>;

beforeAll(async () => {
  built = await buildServer({ "src/reports.ts": SOURCE });
});
afterAll(() => built.remove());
beforeEach(async () => {
  stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  client = await connect(await built.load(expect.getState().currentTestName), { logLevel: "debug" });
});
afterEach(() => stderr.mockRestore());

const readLog = (): string => stderr.mock.calls.map(([text]) => String(text)).join("");

async function report(steps: string[], total = ""): Promise<unknown[]> {
  const seen: unknown[] = [];
  const onProgress = ({ progress, total: of }: { progress: number; total?: number | undefined }): void => {
    seen.push(of === undefined ? progress : [progress, of]);
  };
  const { content } = await client.callTool("steps", { steps, total }, { onProgress });
  expect(content).toMatchObject([{ text: "done" }]);
  return seen;
}

it("progress that increases is sent, and nothing is logged", async () => {
  expect(await report(["0", "0.5", "2"], "2")).toEqual([
    [0, 2],
    [0.5, 2],
    [2, 2],
  ]);
  expect(readLog()).toBe("");
});

it.each([
  [["2", "1", "3"], [2, 3], "finite number greater than the one before, 2, but is 1,"],
  [["2", "2"], [2], "greater than the one before, 2, but is 2,"],
  [["none", "1"], [1], "must be a finite number, but is NaN,"],
  [["1", "Infinity"], [1], "but is Infinity,"],
])("progress that no client may receive is logged, once: %j", async (steps, sent, problem) => {
  expect(await report(steps)).toEqual(sent);
  await report(steps);
  expect(readLog().match(/Progress must be a .*$/gm)).toHaveLength(1);
  expect(readLog()).toContain(`${problem} so it is not sent (in "steps"; logged once).`);
});

it("a total that is NaN is logged, and the progress is sent without it", async () => {
  expect(await report(["1"], "none")).toEqual([1]);
  expect(readLog()).toContain("The total of progress must be a finite number, but is NaN, so it is not sent");
});

it("a message with an unknown level is logged", async () => {
  await client.callTool("logs", { level: "verbose" });
  await client.callTool("logs", { level: "info" });
  const messages = client.notifications.filter(({ method }) => method === "notifications/message");
  expect(messages).toMatchObject([{ params: { level: "info", data: "hello" } }]);
  expect(readLog()).toContain('The level of a message must be one of "debug", "info", "notice", "warning", ');
  expect(readLog()).toContain('but is "verbose", so it is not sent (in "logs"; logged once).');
});
