/**
 * The page of the playground keeps a bounded amount of data, however much a server sends.
 */
import type { TestClient } from "@tenon/runtime/testing";
import { expect, test } from "vitest";
import type { Link } from "../../packages/cli/playground/connection/link.js";
import {
  CALL_KEY,
  createRelayedServer,
  type WireMessage,
} from "../../packages/cli/playground/connection/relayed-server.js";
import { createCallHistory } from "../../packages/cli/playground/state/call-history.js";
import { createUnlistedEntry } from "../../packages/cli/playground/state/entries.js";
import { DEFAULT_NOTES } from "../../packages/cli/playground/state/notes.js";
import { createQuestions } from "../../packages/cli/playground/state/questions.js";

test("after the response to a request, the playground forgets the call that it belonged to", async () => {
  const sent: WireMessage[] = [];
  const link: Link = {
    send(request) {
      if (request.type === "message") sent.push(request.message as WireMessage);
    },
  };
  const nothing = (): void => {};
  const relay = createRelayedServer(link, 1, nothing, nothing);
  const heard: unknown[] = [];
  const peer = {
    send: (text: string) => heard.push([(JSON.parse(text) as WireMessage)["id"], relay.findCall(3)]),
  };
  const conversation = relay.server.connect(peer);
  for (const id of [3, 4]) {
    const params = { _meta: { [CALL_KEY]: id * 10 } };
    void conversation.receive({ jsonrpc: "2.0", id, method: "tools/list", params }, peer);
  }
  relay.receive(JSON.stringify({ jsonrpc: "2.0", id: 3, result: {} }), undefined);
  expect([heard, relay.findCall(3), relay.findCall(4)]).toEqual([[[3, 30]], undefined, 40]);
  relay.failPending("The server exited.");
  expect(relay.findCall(4)).toBeUndefined();
  expect(sent).toHaveLength(2);
});

const MEGABYTE = 1024 * 1024;

test("long responses are forgotten earlier, but never the latest one", async () => {
  const text = "x".repeat(5 * MEGABYTE);
  const client = { request: async () => ({ contents: [{ uri: "big:", text }] }) };
  const caller = { number: 1, client: Promise.resolve(client as unknown as TestClient) };
  const questions = createQuestions(
    () => [],
    () => {},
  );
  const history = createCallHistory(questions, () => 0);
  const { settings } = DEFAULT_NOTES;
  for (let calls = 0; calls < 8; calls += 1)
    await history.make(caller, createUnlistedEntry("big:"), {
      args: {},
      settings,
      build: 1,
      wantsTask: false,
    });
  const numbers = history.all.value.map(({ number }) => number);
  expect(numbers).toEqual([8, 7, 6, 5, 4, 3]);
});
