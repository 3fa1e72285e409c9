import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { createSseHandler } from "@tenon/runtime/sse";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { oauth } from "@tenon/runtime/auth";
import { quietServer } from "../../support/describe-transports.js";
import { createNotebook } from "../fixture/notebook.js";
import {
  ISSUERS,
  modern,
  openSession,
  pretendedToken,
  RESOURCE,
  send,
  trustingAuth,
} from "./pretended-tokens.js";

const createShortToken = (): string => pretendedToken({ exp: Date.now() / 1000 + 1 });
const events = { accept: "text/event-stream" };

describe("when the access token expires", () => {
  let handle: HttpHandler;
  afterEach(() => handle.close());

  test("the stream of a session closes, and the session stays", async () => {
    handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const session = await openSession(handle, createShortToken());
    const headers = { ...session, ...events };
    const stream = await send(handle, { verb: "GET", token: createShortToken(), headers });
    expect(stream.status).toBe(200);
    await stream.text();
    // The session continues with another token of the same client.
    expect((await send(handle, { message: { method: "ping" }, headers: session })).status).toBe(200);
    const again = await send(handle, { verb: "GET", headers });
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  test("a subscription ends with its result", async () => {
    handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const message = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const stream = await send(handle, { token: createShortToken(), message, headers: events });
    expect(stream.status).toBe(200);
    expect(await stream.text()).toMatch(/"id":1,"result":/);
  });

  test("the stream and the session of the older transport end", async () => {
    handle = createSseHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const stream = await send(handle, {
      verb: "GET",
      path: "/sse",
      token: createShortToken(),
      headers: events,
    });
    expect(stream.status).toBe(200);
    const [, path] = /data: (.*)/.exec(await stream.text()) ?? [];
    expect((await send(handle, { path: path ?? "", message: { method: "ping" } })).status).toBe(404);
  });
});

describe("with fake timers", () => {
  beforeEach(() => {
    // Without `setInterval`, which would keep streams alive every few seconds while days pass.
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const DAY_MS = 86_400_000;
  const expiresIn = (days: number): string =>
    pretendedToken({ exp: Math.floor(Date.now() / 1000) + days * 86_400 });

  /** Opens a subscription. @returns a mock that is called when its stream ends, and a function that disconnects */
  async function subscribe(handle: HttpHandler, token: string) {
    const leaving = new AbortController();
    const message = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const stream = await send(handle, { token, message, headers: events, signal: leaving.signal });
    expect(stream.status).toBe(200);
    const end = vi.fn();
    void stream.text().then(end, () => {});
    return { end, leave: () => leaving.abort() };
  }

  test("a stream stays open while its token is valid, even beyond the longest timer", async () => {
    const handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const { end } = await subscribe(handle, expiresIn(100));
    await vi.advanceTimersByTimeAsync(99 * DAY_MS);
    expect(end).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(end).toHaveBeenCalledOnce();
    await handle.close();
  });

  test("a stream leaves no timer when its client disconnects", async () => {
    const handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const timers = vi.getTimerCount();
    const { leave } = await subscribe(handle, expiresIn(1));
    expect(vi.getTimerCount()).toBeGreaterThan(timers);
    leave();
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(timers);
    await handle.close();
  });

  test("cached data about the token is removed", async () => {
    const verify = vi.fn(async () => ({
      iss: ISSUERS[0],
      aud: RESOURCE,
      sub: "ada",
      exp: Date.now() / 1000 + 10,
    }));
    const { authenticate } = oauth({ issuer: ISSUERS, resource: RESOURCE, verify });
    const header = (name: string) => (name === "authorization" ? "Bearer a" : undefined);
    const isCached = async () => {
      const before = verify.mock.calls.length;
      await authenticate({ method: "POST", header });
      return verify.mock.calls.length === before;
    };
    expect([await isCached(), await isCached()]).toEqual([false, true]);
    vi.advanceTimersByTime(9_000);
    expect(await isCached()).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(await isCached()).toBe(false);
  });
});
