import { beforeAll, describe, expect, test, vi } from "vitest";
import { createServer } from "@tenon/runtime/server";
import { describeTransports } from "../support/describe-transports.js";
import { WireClient, type WireClientOptions } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";

const REVISION = "2026-07-28";
const EVERYTHING = { elicitation: {}, sampling: {}, roots: {} };
const accept = (name: string): object => ({ action: "accept", content: { name } });

type Members = Record<string, unknown>;

/** Makes the first round of a call, and returns its questions and the state for the next round. */
async function firstRound(
  client: WireClient,
  params: Members,
  method = "tools/call",
): Promise<{ inputRequests: Members; requestState: string }> {
  const result = await client.result(method, params);
  expect(result["resultType"]).toBe("input_required");
  return result as { inputRequests: Members; requestState: string };
}

describeTransports(createAskingFixture, (open) => {
  describe("a retried request", () => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision: REVISION, capabilities: EVERYTHING });
    });
    const retry = (params: Members, method = "tools/call") => client.request(method, params);

    test("works without a state for the first questions", async () => {
      const { inputRequests } = await firstRound(client, { name: "greet" });
      expect(Object.keys(inputRequests)).toEqual(["user_name"]);
      const message = await retry({ name: "greet", inputResponses: { user_name: accept("Ada") } });
      expect(message.result).toMatchObject({ resultType: "complete", content: [{ text: "Hello, Ada!" }] });
    });

    test("receives the unanswered questions again", async () => {
      const { requestState } = await firstRound(client, { name: "greet" });
      for (const inputResponses of [{}, { wrong_key: accept("Ada") }, undefined]) {
        for (const state of [requestState, undefined]) {
          const params = {
            name: "greet",
            ...(inputResponses && { inputResponses }),
            ...(state && { requestState: state }),
          };
          const { result } = await retry(params);
          expect(result).toMatchObject({ resultType: "input_required", inputRequests: { user_name: {} } });
        }
      }
    });

    test("may include answers to questions that were not asked", async () => {
      const { requestState } = await firstRound(client, { name: "greet" });
      const inputResponses = { user_name: accept("Ada"), other: accept("Eve"), __proto__: 7 };
      expect((await retry({ name: "greet", inputResponses, requestState })).result).toMatchObject({
        resultType: "complete",
      });
      const params = { name: "plain", inputResponses: { any: 1 }, requestState: "nonsense" };
      expect((await retry(params)).result).toMatchObject({ resultType: "complete" });
    });

    test.each([null, 7, "x", []])("is rejected when its responses are %j", async (inputResponses) => {
      const { requestState } = await firstRound(client, { name: "greet" });
      for (const state of [{ requestState }, {}]) {
        const { error } = await retry({ name: "greet", inputResponses, ...state });
        expect(error?.code).toBe(-32602);
      }
    });

    test("receives a new state in every round", async () => {
      const first = await firstRound(client, { name: "sequence" });
      const second = await firstRound(client, {
        name: "sequence",
        inputResponses: { step1: accept("Ada") },
        requestState: first.requestState,
      });
      expect(Object.keys(second.inputRequests)).toEqual(["step2"]);
      expect(second.requestState).not.toBe(first.requestState);
      const last = await retry({
        name: "sequence",
        inputResponses: { step2: accept("Lovelace") },
        requestState: second.requestState,
      });
      expect(last.result).toMatchObject({ content: [{ text: "Ada Lovelace" }] });
    });

    test("cannot change an earlier answer", async () => {
      const first = await firstRound(client, { name: "sequence" });
      const second = await firstRound(client, {
        name: "sequence",
        inputResponses: { step1: accept("Ada") },
        requestState: first.requestState,
      });
      const last = await retry({
        name: "sequence",
        inputResponses: { step1: accept("Eve"), step2: accept("Lovelace") },
        requestState: second.requestState,
      });
      expect(last.result).toMatchObject({ content: [{ text: "Ada Lovelace" }] });
    });

    test("does not apply its answer to a later question that differs", async () => {
      const first = await firstRound(client, { name: "sequence" });
      const second = await firstRound(client, {
        name: "sequence",
        inputResponses: { step1: accept("Ada"), step2: accept("Lovelace") },
        requestState: first.requestState,
      });
      expect(Object.keys(second.inputRequests)).toEqual(["step2"]);
    });

    test("may be repeated, as after a lost response, without repeating effects", async () => {
      const { requestState } = await firstRound(client, { name: "charge" });
      const params = { name: "charge", requestState, inputResponses: { "elicit-1": accept("Ada") } };
      const receipts = [await retry(params), await retry(params)].map(
        ({ result }) => /Receipt \d+/.exec(JSON.stringify(result?.["content"]))?.[0],
      );
      expect(receipts[0]).toMatch(/\d/);
      expect(receipts[1]).toBe(receipts[0]);
    });

    test("may order its members differently", async () => {
      const { requestState } = await firstRound(client, { name: "book", arguments: { city: "Oslo" } });
      const message = await retry({ requestState, arguments: { city: "Oslo" }, name: "book" });
      expect(message.result).toMatchObject({ resultType: "input_required" });
    });
  });

  describe("a request state", () => {
    let client: WireClient;
    let requestState: string;
    const inputResponses = { "elicit-1": { action: "accept", content: { name: "Ada", seats: 1 } } };
    beforeAll(async () => {
      client = await open({ revision: REVISION, capabilities: EVERYTHING });
      ({ requestState } = await firstRound(client, { name: "book", arguments: { city: "Oslo" } }));
    });
    const expectRejected = async (params: Members, method = "tools/call"): Promise<void> => {
      const { error } = await client.request(method, { inputResponses, ...params });
      expect(error).toMatchObject({
        code: -32602,
        message: expect.stringContaining("requestState") as string,
      });
    };
    const here = { name: "book", arguments: { city: "Oslo" } };

    test("is accepted by the server that issued it", async () => {
      const { result } = await client.request("tools/call", { ...here, inputResponses, requestState });
      expect(result).toMatchObject({ resultType: "complete" });
    });

    test("is encrypted", () => {
      const bytes = Buffer.from(requestState.slice(3), "base64url").toString("latin1");
      expect(bytes).not.toMatch(/asked|answer|expires|effects/);
    });

    test("is rejected when any part of it was changed", async () => {
      await expectRejected({ ...here, requestState: `${requestState}-TAMPERED` });
      await expectRejected({ ...here, requestState: `${requestState}=` });
      await expectRejected({ ...here, requestState: ` ${requestState}` });
      await expectRejected({ ...here, requestState: requestState.slice(0, -1) });
      for (const at of [0, 5, 20, 40, requestState.length - 2]) {
        const other = requestState[at] === "A" ? "B" : "A";
        await expectRejected({
          ...here,
          requestState: requestState.slice(0, at) + other + requestState.slice(at + 1),
        });
      }
      for (const state of ["", "v1.", "v2.AAAA", `v1.${"A".repeat(80)}`, "{}", 7, null, {}]) {
        await expectRejected({ ...here, requestState: state });
      }
    });

    test("is rejected with other arguments, for another tool and for another method", async () => {
      await expectRejected({ name: "book", arguments: { city: "Bergen" }, requestState });
      await expectRejected({ name: "greet", requestState });
      const plan = await firstRound(client, { name: "plan", arguments: { city: "Oslo" } }, "prompts/get");
      await expectRejected(
        { name: "plan", arguments: { city: "Bergen" }, requestState: plan.requestState },
        "prompts/get",
      );
      await expectRejected({ ...here, requestState: plan.requestState });
      const diary = await firstRound(client, { uri: "diary://eve" }, "resources/read");
      await expectRejected({ uri: "diary://mallory", requestState: diary.requestState }, "resources/read");
    });

    test("is ignored by lists", async () => {
      for (const method of ["tools/list", "prompts/list", "resources/templates/list"]) {
        const result = await client.result(method, { inputResponses, requestState });
        expect(result["resultType"]).toBe("complete");
      }
    });
  });

  describe("a handler that changes its questions between runs", () => {
    test.each([
      ["capricious", "elicit-1"],
      ["capriciousKey", "same"],
    ])("is reported: %s", async (name, key) => {
      const client = await open({ revision: REVISION, capabilities: EVERYTHING });
      const { inputRequests, requestState } = await firstRound(client, { name });
      expect(Object.keys(inputRequests)).toEqual([key]);
      const { error } = await client.request("tools/call", {
        name,
        inputResponses: { [key]: accept("Ada") },
        requestState,
      });
      expect(error).toMatchObject({
        code: -32603,
        message: expect.stringContaining(`"${key}" is not the question that was asked before`) as string,
      });
    });
  });

  test("a run that ends with a question has its signal aborted", async () => {
    const client = await open({ revision: REVISION, capabilities: EVERYTHING });
    await firstRound(client, { name: "aborts" });
    expect(await client.call("aborted")).toMatchObject({ content: [{ text: "AbortError" }] });
  });
});

describe("state keys", () => {
  const [OLD, NEW] = ["o".repeat(32), "n".repeat(44)];
  const options: WireClientOptions = { revision: REVISION, capabilities: EVERYTHING };
  const createClient = (
    stateKeys: string,
    more: { principal?: string; name?: string; inputTimeoutMs?: number } = {},
  ) => {
    const { principal, name, inputTimeoutMs } = more;
    const config = { ...(name && { name }), ...(inputTimeoutMs && { limits: { inputTimeoutMs } }) };
    const server = createServer(createAskingFixture(config), { stateKeys });
    return new WireClient(memoryWire(server, principal), options);
  };
  const startAndRetry = async (from: WireClient, to: WireClient): Promise<unknown> => {
    const { requestState } = await firstRound(from, { name: "greet" });
    const inputResponses = { user_name: accept("Ada") };
    const { result, error } = await to.request("tools/call", { name: "greet", inputResponses, requestState });
    return result?.["resultType"] ?? error?.code;
  };

  test("are shared by instances and can be rotated", async () => {
    expect(await startAndRetry(createClient(OLD), createClient(OLD))).toBe("complete");
    expect(await startAndRetry(createClient(OLD), createClient(`${NEW},${OLD}`))).toBe("complete");
    expect(await startAndRetry(createClient(`${NEW}, ${OLD}`), createClient(NEW))).toBe("complete");
    expect(await startAndRetry(createClient(`${NEW},${OLD}`), createClient(OLD))).toBe(-32602);
  });

  test("are unique to the process when none are configured", async () => {
    expect(await startAndRetry(createClient(""), createClient(""))).toBe(-32602);
  });

  test("do not open another server's states", async () => {
    expect(
      await startAndRetry(createClient(OLD, { name: "one" }), createClient(OLD, { name: "other" })),
    ).toBe(-32602);
  });

  test("do not open another principal's states", async () => {
    const of = (principal: string) => createClient(OLD, { principal });
    expect(await startAndRetry(of("ada"), of("ada"))).toBe("complete");
    expect(await startAndRetry(of("ada"), of("eve"))).toBe(-32602);
    expect(await startAndRetry(of("ada"), createClient(OLD))).toBe(-32602);
  });

  test("open a state only until it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const client = createClient(OLD, { inputTimeoutMs: 1000 });
    const { requestState } = await firstRound(client, { name: "greet" });
    const retrySame = () => client.request("tools/call", { name: "greet", requestState });
    vi.setSystemTime(Date.now() + 1000);
    expect((await retrySame()).result).toMatchObject({ resultType: "input_required" });
    vi.setSystemTime(Date.now() + 1);
    const { error } = await retrySame();
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("expired") as string });
  });

  test("must have at least 32 characters", () => {
    expect(() => createClient(`${OLD},short`)).toThrow(/at least 32 characters/);
  });
});
