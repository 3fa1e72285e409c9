import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { connect, type TestOptions } from "@tenon/cli/testing";
import { describe, expect, test } from "vitest";
import { Approvals } from "../src/approvals.js";
import { Bank } from "../src/bank.js";
import { Payments } from "../src/payments.js";
import { Budget, Purchases } from "../src/purchases.js";

const chair = { item: "a chair", euros: 120 };
const desk = { item: "a desk", euros: 1500 };
const yes = { approve: true, budget: Budget.Office };

async function serve(options: TestOptions) {
  const [purchases, bank] = [new Purchases(), new Bank()];
  const provide = [new Approvals(purchases), new Payments(purchases, bank)];
  const server = await connect(new URL("..", import.meta.url), { provide, ...options });
  return { ...server, purchases, bank, progress: server.progress };
}

/** For a legacy client, the handler waits for answers. For a modern one, it runs again with them. */
describe.each(["2025-11-25", "2026-07-28"])("in %s", (revision) => {
  test("a user decides once", async () => {
    const { tools, close } = await serve({ revision, answers: { elicit: [{ ...yes, note: "At last." }] } });
    expect(await tools.request_purchase(chair)).toEqual({
      id: 1,
      ...chair,
      state: "approved",
      budget: "office",
      note: "At last.",
    });
    expect(await tools.list_purchases({ state: "approved" })).toHaveLength(1);
    expect(await tools.list_purchases()).toEqual([]);
    await close();
  });

  test("a large amount requires a reason", async () => {
    const answers = { elicit: [yes, { reason: "Backs hurt." }, yes, "cancel" as const] };
    const { tools, close } = await serve({ revision, answers });
    expect(await tools.request_purchase(desk)).toMatchObject({ state: "approved", note: "Backs hurt." });
    expect(await tools.request_purchase(desk)).toMatchObject({ id: 2, state: "requested" });
    await close();
  });

  test.each([
    ["decline", "rejected"],
    ["cancel", "requested"],
  ] as const)("choosing to %s leaves a request %s", async (action, state) => {
    const { tools, close } = await serve({ revision, answers: { elicit: [action] } });
    expect(await tools.request_purchase(chair)).toMatchObject({ state });
    await close();
  });

  test("the client's model reviews a request", async () => {
    const answers = { elicit: ["cancel" as const], sample: ["It is needed. It is expensive."] };
    const { tools, close } = await serve({ revision, answers });
    await tools.request_purchase(chair);
    expect(await tools.weigh_purchase({ id: 1 })).toBe("It is needed. It is expensive.");
    await expect(tools.weigh_purchase({ id: 2 })).rejects.toThrow("There is no purchase 2.");
    await close();
  });

  test("all approved requests are paid once each, with progress", async () => {
    const { tools, bank, progress, close } = await serve({ revision, answers: { elicit: [yes, yes, {}] } });
    await tools.request_purchase(chair);
    await tools.request_purchase({ item: "a lamp", euros: 30 });
    expect((await tools.pay_approved()).map(({ state }) => state)).toEqual(["paid", "paid"]);
    expect([...bank.paid.values()]).toEqual([120, 30]);
    expect(progress.map(({ message }) => message)).toEqual(["Paying a chair", "Paying a lamp", "Done"]);
    await expect(tools.pay_approved()).rejects.toThrow("There are no approved purchases");
    await close();
  });

  test("a client without elicitation receives an explanation", async () => {
    const { tools, close } = await serve({ revision });
    await expect(tools.request_purchase(chair)).rejects.toThrow(/elicitation/);
    await close();
  });
});

test("a client that supports tasks finds the question in a task", async () => {
  const capabilities = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
  const { client, purchases, bank, close } = await serve({ capabilities });
  purchases.change(purchases.add("a chair", 120), { state: "approved" });
  const { taskId } = await client.request("tools/call", { name: "pay_approved", arguments: {} });
  const until = (status: string) =>
    expect.poll(() => client.request("tasks/get", { taskId }), { interval: 20 }).toMatchObject({ status });
  await until("input_required");
  const { inputRequests } = await client.request("tasks/get", { taskId });
  const [[key, question] = []] = Object.entries(inputRequests as Record<string, object>);
  expect(question).toMatchObject({ params: { message: "Pay 120 € for a chair?" } });
  await client.request("tasks/update", {
    taskId,
    inputResponses: { [key ?? ""]: { action: "accept", content: {} } },
  });
  await until("completed");
  expect([...bank.paid.values()]).toEqual([120]);
  await close();
});

test.each(["auto", "legacy"] as const)("the server works with the official client (%s)", async (mode) => {
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  const client = new Client(
    { name: "check", version: "1.0.0" },
    { versionNegotiation: { mode }, capabilities },
  );
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: params.message.startsWith("Buy") ? { ...yes } : {} };
  });
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "check",
    content: { type: "text", text: "Fine." },
  }));
  const server = join(import.meta.dirname, "../dist/server.js");
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
  await client.callTool({ name: "request_purchase", arguments: chair });
  const weighed = await client.callTool({ name: "weigh_purchase", arguments: { id: 1 } });
  expect(weighed.content).toEqual([{ type: "text", text: "Fine." }]);
  const heard: (string | undefined)[] = [];
  const paid = await client.callTool(
    { name: "pay_approved", arguments: {} },
    { onprogress: ({ message }) => heard.push(message) },
  );
  expect(JSON.stringify(paid.structuredContent)).toContain('"state":"paid"');
  expect(asked).toEqual(["Buy a chair for 120 €?", "Pay 120 € for a chair?"]);
  expect(heard).toContain("Paying a chair");
  await client.close();
});
