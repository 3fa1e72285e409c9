import { InvalidTokenError, oauth, type TokenVerifier } from "@tenon/runtime/auth";
import { createHttpHandler } from "@tenon/runtime/http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { quietServer } from "../../support/describe-transports.js";
import { createFixture } from "../fixture/application.js";
import { ISSUERS, modern, pretendedToken, RESOURCE, send, trustingAuth } from "./pretended-tokens.js";

const protect = (auth = trustingAuth()) => createHttpHandler(quietServer(createFixture({ auth })));
const list = modern("tools/list");

describe("RFC 6750, section 3: a challenge", () => {
  test("contains no characters that a quoted string must not contain", async () => {
    const verify: TokenVerifier = () => Promise.reject(new InvalidTokenError('a "b" \\ ü\n'));
    const handle = protect(oauth({ issuer: ISSUERS, resource: RESOURCE, verify }));
    const { headers } = await send(handle, { message: list });
    expect(headers.get("www-authenticate")).toContain(
      `Bearer error="invalid_token", error_description="a 'b' ' ??"`,
    );
    await handle.close();
  });
});

describe("RFC 9728, section 1.2: the name of a resource", () => {
  test.each(["mcp", "http://mcp.example.com", "https://example.com/mcp#a", "https://example.com/mcp?a=b"])(
    "is not %s",
    (resource) => {
      expect(() => oauth({ issuer: ISSUERS, resource })).toThrow("oauth: `resource` must");
    },
  );

  test("may be an address of this machine without TLS", async () => {
    const handle = protect(oauth({ issuer: ISSUERS, resource: "http://localhost:3000/mcp" }));
    const { headers } = await handle(new Request("http://localhost:3000/mcp", { method: "POST" }));
    expect(headers.get("www-authenticate")).toContain(
      'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"',
    );
    await handle.close();
  });
});

describe("RFC 7519, sections 4.1.4 and 4.1.5: the clocks of server and issuer", () => {
  const SECONDS = Date.UTC(2026, 10, 22) / 1000;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: SECONDS * 1000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const requestStatus = async (claims: object): Promise<number> => {
    const handle = protect();
    const { status } = await send(handle, { message: list, token: pretendedToken(claims) });
    await handle.close();
    return status;
  };

  test.each([{ nbf: SECONDS + 4 }, { exp: SECONDS - 4 }])("may differ a little: %j", async (claims) => {
    expect(await requestStatus(claims)).toBe(200);
  });

  test.each([{ nbf: SECONDS + 6 }, { exp: SECONDS - 6 }])("may not differ more: %j", async (claims) => {
    expect(await requestStatus(claims)).toBe(401);
  });
});
