import { describe, expect, test } from "vitest";
import { Dialogue } from "./dialogue.mjs";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ask = (id: unknown, method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const answer = (id: unknown, result: object = {}): object => ({ jsonrpc: "2.0", id, result });
const errorResponse = (id?: unknown): object => ({
  jsonrpc: "2.0",
  ...(id === undefined ? {} : { id }),
  error: { code: -32600, message: "No." },
});
const createResult = (...content: object[]): object => ({ content });
const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" };

/** Opens a conversation at a revision. */
function openDialogue(revision: string): Dialogue {
  const dialogue = new Dialogue();
  dialogue.hear(ask("open", "initialize", { protocolVersion: revision }));
  const result = { protocolVersion: revision, capabilities: {}, serverInfo: { name: "s", version: "1" } };
  expect(dialogue.problem(answer("open", result))).toBeUndefined();
  return dialogue;
}

describe("a response", () => {
  test("is validated against the request that it answers", () => {
    const dialogue = openDialogue("2025-11-25");
    dialogue.hear(ask(1, "tools/list"));
    expect(dialogue.problem(answer(1, createResult()))).toMatch(/^Not a valid ListToolsResult of 2025-11-25/);
    dialogue.hear(ask(2, "tools/list"));
    expect(dialogue.problem(answer(2, { tools: [] }))).toBeUndefined();
  });

  test("belongs to one of the requests that share its ID, and to no earlier one", () => {
    const dialogue = openDialogue("2025-11-25");
    dialogue.hear(ask(1, "tools/call"));
    dialogue.hear(ask(1, "ping"));
    expect(dialogue.problem(errorResponse(1))).toBeUndefined();
    expect(dialogue.problem(answer(1, createResult()))).toBeUndefined();
    dialogue.hear(ask(1, "ping"));
    expect(dialogue.problem(answer(1, createResult()))).toMatch(/^Not a valid EmptyResult/);
  });

  test.each([
    ["2024-11-05", /^Not a valid CallToolResult of 2024-11-05/],
    ["2025-03-26", /^undefined$/],
  ])("is validated against the negotiated revision: audio at %s", (revision, expected) => {
    const dialogue = openDialogue(revision);
    dialogue.hear(ask(1, "tools/call"));
    expect(String(dialogue.problem(answer(1, createResult(audio))))).toMatch(expected);
  });

  test("is validated against the revision that its request names, whatever was negotiated", () => {
    const dialogue = openDialogue("2025-11-25");
    dialogue.hear(ask(0, "tools/call", { _meta: META }));
    dialogue.hear(ask(1, "tools/call", { _meta: META }));
    dialogue.hear(ask(2, "tools/call"));
    expect(dialogue.problem(answer(0, createResult()))).toMatch(
      /^Not a valid JSONRPCResultResponse of 2026-07-28: .*resultType/,
    );
    expect(dialogue.problem(answer(2, createResult()))).toBeUndefined();
    expect(dialogue.problem(answer(1, { ...createResult(), resultType: "complete" }))).toBeUndefined();
  });

  test("must belong to a request", () => {
    const dialogue = openDialogue("2025-11-25");
    expect(dialogue.problem(answer(1))).toBe("It answers nothing that was asked.");
    dialogue.hear(ask("1", "ping"));
    expect(dialogue.problem(answer(1))).toBe("It answers nothing that was asked.");
    dialogue.hear({ jsonrpc: "2.0", id: 1, result: {} });
    expect(dialogue.problem(answer(1))).toBe("It answers nothing that was asked.");
    expect(dialogue.problem(answer("1"))).toBeUndefined();
  });

  test("is unique, unless the client may have lost it", () => {
    const dialogue = openDialogue("2025-11-25");
    dialogue.hear(ask(1, "ping"));
    expect(dialogue.problem(answer(1))).toBeUndefined();
    expect(dialogue.problem(answer(1))).toBe("It answers what has been answered.");
    expect(dialogue.problem(answer(1), true)).toBeUndefined();
    dialogue.hear(ask(1, "ping"));
    expect(dialogue.problem(answer(1))).toBeUndefined();
  });

  test("has the ID of the request, unless the revision allows none", () => {
    for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18"]) {
      expect(openDialogue(revision).problem(errorResponse(null))).toBeUndefined();
    }
    expect(openDialogue("2025-11-25").problem(errorResponse())).toBeUndefined();
    expect(openDialogue("2025-11-25").problem(errorResponse(null))).toMatch(
      /^Not a valid JSONRPCErrorResponse/,
    );
    expect(openDialogue("2025-11-25").problem({ jsonrpc: "2.0", result: {} })).toBe(
      "A result without an id.",
    );
  });

  test("is in a batch only at the revision that has batches", () => {
    const dialogue = openDialogue("2025-03-26");
    dialogue.hear([ask(1, "ping"), ask(2, "tools/list"), ask(3, "tools/list")]);
    expect(dialogue.problem([answer(1), answer(2)])).toMatch(/^Not a valid ListToolsResult/);
    expect(dialogue.problem([answer(3, { tools: [] })])).toBeUndefined();
    expect(dialogue.problem([])).toBe("An empty batch.");
    expect(openDialogue("2025-06-18").problem([errorResponse()])).toBe("There are no batches in 2025-06-18.");
  });

  test("satisfies the schemas of the official SDKs too, which are stricter in places", () => {
    const dialogue = openDialogue("2025-11-25");
    dialogue.hear(ask(1, "ping"));
    expect(dialogue.problem(answer(1, { extra: 1 }))).toMatch(/^Not a valid EmptyResult .*\(SDK 1\.x\)/);
    dialogue.hear(ask(2, "subscriptions/listen", { _meta: META }));
    const result = { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": 1.5 } };
    expect(dialogue.problem(answer(2, result))).toMatch(
      /^Not a valid SubscriptionsListenResult of 2026-07-28/,
    );
  });
});

describe("a notification", () => {
  test("must belong to the revision", () => {
    const list = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
    expect(openDialogue("2025-11-25").problem(list)).toBeUndefined();
    const complete = {
      jsonrpc: "2.0",
      method: "notifications/elicitation/complete",
      params: { elicitationId: "e" },
    };
    expect(openDialogue("2025-11-25").problem(complete)).toBeUndefined();
    expect(openDialogue("2025-06-18").problem(complete)).toMatch(
      /^Not a valid ServerNotification of 2025-06-18/,
    );
  });

  test("with a subscription is modern", () => {
    const dialogue = openDialogue("2025-06-18");
    const params = { notifications: {}, _meta: { "io.modelcontextprotocol/subscriptionId": 1 } };
    const acknowledged = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
    expect(dialogue.problem(acknowledged)).toBeUndefined();
    expect(dialogue.problem({ ...acknowledged, params: { notifications: {} } })).toMatch(
      /^Not a valid ServerNotification/,
    );
  });
});

test("a server's request must belong to the revision", () => {
  const params = { message: "Who?", requestedSchema: { type: "object", properties: {} } };
  expect(openDialogue("2025-06-18").problem(ask(1, "elicitation/create", params))).toBeUndefined();
  expect(openDialogue("2025-03-26").problem(ask(1, "elicitation/create", params))).toMatch(
    /^Not a valid ServerRequest of 2025-03-26/,
  );
});
