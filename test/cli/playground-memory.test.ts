/**
 * What the page of the playground keeps is bounded, however much a server sends.
 */
import type { TestClient } from "@tenon/runtime/testing";
import { expect, test } from "vitest";
import { createCallHistory } from "../../packages/cli/playground/state/call-history.js";
import { unlistedEntry } from "../../packages/cli/playground/state/entries.js";
import { DEFAULT_NOTES } from "../../packages/cli/playground/state/notes.js";
import { createQuestions } from "../../packages/cli/playground/state/questions.js";

const MEGABYTE = 1024 * 1024;

test("answers that are long are forgotten sooner, and the latest never", async () => {
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
    await history.make(caller, unlistedEntry("big:"), { args: {}, settings, build: 1, wantsTask: false });
  const kept = history.all.value.map(({ number }) => number);
  expect(kept).toEqual([8, 7, 6, 5, 4, 3]);
});
