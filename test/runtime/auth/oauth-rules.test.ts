import { describe, expect, test } from "vitest";
import { challengeText } from "../../../packages/runtime/src/auth/challenge.js";
import { checkClaims } from "../../../packages/runtime/src/auth/tokens/check-claims.js";
import { InvalidToken } from "../../../packages/runtime/src/auth/tokens/invalid-token.js";
import { resourceMetadata } from "../../../packages/runtime/src/auth/resource-metadata.js";

describe("RFC 6750, section 3: the challenge", () => {
  test("quotes what it says, and no more than may be quoted", () => {
    const text = challengeText("Bearer", { error: "invalid_token", error_description: 'a "b" \\ ü\n' });
    expect(text).toBe(`Bearer error="invalid_token", error_description="a 'b' ' ??"`);
  });
});

describe("RFC 9728, section 1.2: the name of a resource", () => {
  test.each(["mcp", "http://mcp.example.com", "https://example.com/mcp#a", "https://example.com/mcp?a=b"])(
    "is not %s",
    (resource) => {
      expect(() => resourceMetadata(resource, [], [])).toThrow("oauth: `resource` must");
    },
  );

  test("may be an address of this machine without TLS", () => {
    const { url } = resourceMetadata("http://localhost:3000/mcp", [], []);
    expect(url).toBe("http://localhost:3000/.well-known/oauth-protected-resource/mcp");
  });
});

describe("RFC 7519, sections 4.1.4 and 4.1.5: the clocks", () => {
  const NOW = Date.UTC(2026, 10, 22);
  const seconds = NOW / 1000;
  const context = { issuers: ["https://a"], audiences: ["https://mcp"], header: () => undefined };
  const good = { iss: "https://a", aud: "https://mcp", sub: "ada", exp: seconds + 60 };

  test.each([{ nbf: seconds + 4 }, { exp: seconds - 4 }])("may differ a little: %j", (more) => {
    expect(checkClaims({ ...good, ...more }, context, NOW)).toEqual({ ...good, ...more });
  });

  test.each([{ nbf: seconds + 6 }, { exp: seconds - 6 }])("may differ no more: %j", (more) => {
    expect(() => checkClaims({ ...good, ...more }, context, NOW)).toThrow(InvalidToken);
  });
});
