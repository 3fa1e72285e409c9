import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { createSseHandler } from "@tenon/runtime/sse";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { createNotebook } from "../fixture/notebook.js";
import { createTasksFixture } from "../tasks/application.js";
import { ISSUERS, modern, openSession, pretendedToken, send, trustingAuth } from "./pretended-tokens.js";

const TASKS = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
const NO_TASKS = { elicitation: {} };
const events = { accept: "text/event-stream" };

interface Reply {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Work that Ada starts with her app is visible only to Ada with the same app. */
describe.each<[string, object, boolean]>([
  ["the same caller with another token", { jti: "2", scope: "read" }, true],
  ["another subject", { sub: "eve" }, false],
  ["another client of the same subject", { client_id: "other" }, false],
  ["the same subject without a client", { client_id: undefined }, false],
  ["the same subject and client of another issuer", { iss: ISSUERS[1] }, false],
  ["a subject that resembles an issuer and a subject", { sub: '["https://login.example.com","ada"]' }, false],
])("%s", (_, claims, isSame) => {
  const token = pretendedToken(claims);
  let handle: HttpHandler;
  afterEach(() => handle.close());

  test.each(["POST", "GET", "DELETE"] as const)(
    `${isSame ? "may use" : "may not use"} Ada's session: %s`,
    async (verb) => {
      handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
      const session = await openSession(handle);
      const headers = { ...session, ...(verb === "GET" && events) };
      const response = await send(handle, { verb, token, headers, message: { method: "ping" } });
      await response.body?.cancel();
      expect(response.ok).toBe(isSame);
      if (!isSame) expect(response.status).toBe(404);
    },
  );

  test(`${isSame ? "may resume" : "may not resume"} Ada's stream`, async () => {
    handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const session = await openSession(handle);
    const headers = { ...session, ...events, "last-event-id": "0-0" };
    const response = await send(handle, { verb: "GET", token, headers });
    await response.body?.cancel();
    expect(response.ok).toBe(isSame);
  });

  test(`${isSame ? "may write" : "may not write"} to Ada's stream of the older transport`, async () => {
    handle = createSseHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const stream = await send(handle, { verb: "GET", path: "/sse", headers: events });
    const reader = stream.body?.getReader();
    const [, path] = /data: (.*)/.exec(new TextDecoder().decode((await reader?.read())?.value)) ?? [];
    const { status } = await send(handle, { path: path ?? "", token, message: { method: "ping" } });
    expect(status).toBe(isSame ? 202 : 404);
    await reader?.cancel();
  });

  describe("after a call by Ada", () => {
    const call = async (message: ReturnType<typeof modern>, by?: string): Promise<Reply> => {
      const response = await send(handle, { message, ...(by !== undefined && { token: by }) });
      return (await response.json()) as Reply;
    };
    beforeEach(() => {
      handle = createHttpHandler(
        quietServer(createTasksFixture({ auth: trustingAuth(), limits: { drainTimeoutMs: 20 } })),
      );
    });

    test.each(["tasks/get", "tasks/update", "tasks/cancel"])(
      `${isSame ? "may access" : "may not access"} the task: %s`,
      async (method) => {
        const { result } = await call(modern("tools/call", { name: "confirm", arguments: {} }, TASKS));
        const params = { taskId: result?.["taskId"], inputResponses: {} };
        const { error } = await call(modern(method, params, TASKS), token);
        expect(error?.code).toBe(isSame ? undefined : -32602);
        // To others, the task does not exist.
        const { error: never } = await call(modern(method, { ...params, taskId: "never" }, TASKS), token);
        if (!isSame) expect(error).toEqual(never);
      },
    );

    test(`${isSame ? "may use" : "may not use"} its state`, async () => {
      const params = { name: "confirm", arguments: {} };
      const { result } = await call(modern("tools/call", params, NO_TASKS));
      const requestState = result?.["requestState"];
      const inputResponses = { who: { action: "accept", content: { name: "Eve" } } };
      const answered = modern("tools/call", { ...params, requestState, inputResponses }, NO_TASKS);
      const { error, result: last } = await call(answered, token);
      expect(error?.code).toBe(isSame ? undefined : -32602);
      expect(last?.["resultType"]).toBe(isSame ? "complete" : undefined);
    });

    test(`${isSame ? "is notified" : "is not notified"} of the task`, async () => {
      const { result } = await call(modern("tools/call", { name: "confirm", arguments: {} }, TASKS));
      const taskIds = [result?.["taskId"]];
      const message = modern("subscriptions/listen", { notifications: { taskIds } }, TASKS);
      const stream = await send(handle, { message, token, headers: events });
      const reader = stream.body?.getReader();
      const first = new TextDecoder().decode((await reader?.read())?.value);
      expect(first).toContain("notifications/subscriptions/acknowledged");
      expect(first.includes(String(taskIds[0]))).toBe(isSame);
      await reader?.cancel();
    });
  });
});
