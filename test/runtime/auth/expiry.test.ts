import { createHttpHandler, type HttpHandler } from "@tenon/runtime/http";
import { createSseHandler } from "@tenon/runtime/sse";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { oauth } from "@tenon/runtime/auth";
import { onExpiry, toPrincipal } from "../../../packages/runtime/src/connection/principal.js";
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

const shortLived = (): string => pretendedToken({ exp: Date.now() / 1000 + 1 });
const events = { accept: "text/event-stream" };

describe("with the token that it was opened by ends", () => {
  let handle: HttpHandler;
  afterEach(() => handle.close());

  test("the stream of a session, and not the session", async () => {
    handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const session = await openSession(handle, shortLived());
    const headers = { ...session, ...events };
    const stream = await send(handle, { verb: "GET", token: shortLived(), headers });
    expect(stream.status).toBe(200);
    await stream.text();
    // With another token of the same client it goes on.
    expect((await send(handle, { message: { method: "ping" }, headers: session })).status).toBe(200);
    const again = await send(handle, { verb: "GET", headers });
    expect(again.status).toBe(200);
    await again.body?.cancel();
  });

  test("a subscription, with its answer", async () => {
    handle = createHttpHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const message = modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const stream = await send(handle, { token: shortLived(), message, headers: events });
    expect(stream.status).toBe(200);
    expect(await stream.text()).toMatch(/"id":1,"result":/);
  });

  test("the stream of the older transport, and its session", async () => {
    handle = createSseHandler(quietServer(createNotebook({ auth: trustingAuth() })));
    const stream = await send(handle, { verb: "GET", path: "/sse", token: shortLived(), headers: events });
    expect(stream.status).toBe(200);
    const [, path] = /data: (.*)/.exec(await stream.text()) ?? [];
    expect((await send(handle, { path: path ?? "", message: { method: "ping" } })).status).toBe(404);
  });
});

describe("time", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

  test("may be longer than timers take", () => {
    const ended = vi.fn();
    onExpiry(toPrincipal({ subject: "ada", expiresAt: inDays(100) }), ended);
    vi.advanceTimersByTime(99 * 86_400_000);
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(86_400_000);
    expect(ended).toHaveBeenCalledOnce();
  });

  test("need not be waited for", () => {
    const ended = vi.fn();
    onExpiry(toPrincipal({ subject: "ada", expiresAt: inDays(1) }), ended)();
    onExpiry(toPrincipal("ada"), ended);
    onExpiry(undefined, ended);
    vi.advanceTimersByTime(2 * 86_400_000);
    expect(ended).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends what is known of a token", async () => {
    const verify = vi.fn(async () => ({
      iss: ISSUERS[0],
      aud: RESOURCE,
      sub: "ada",
      exp: Date.now() / 1000 + 10,
    }));
    const { authenticate } = oauth({ issuer: ISSUERS, resource: RESOURCE, verify });
    const header = (name: string) => (name === "authorization" ? "Bearer a" : undefined);
    const known = async () => {
      const before = verify.mock.calls.length;
      await authenticate({ method: "POST", header });
      return verify.mock.calls.length === before;
    };
    expect([await known(), await known()]).toEqual([false, true]);
    vi.advanceTimersByTime(9_000);
    expect(await known()).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(await known()).toBe(false);
  });
});
