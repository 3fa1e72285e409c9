import { describe, expect, test } from "vitest";
import { readAuthorization } from "../../../packages/runtime/src/auth/authorization-header.js";
import { challengeText } from "../../../packages/runtime/src/auth/challenge.js";
import { checkClaims } from "../../../packages/runtime/src/auth/check-claims.js";
import { resourceMetadata } from "../../../packages/runtime/src/auth/resource-metadata.js";

describe("RFC 6750, section 2.1, and RFC 9110, section 11.4: the Authorization header", () => {
  const token = (scheme: string, text: string) => ({ kind: "token", scheme, token: text });
  test.each<[string, string | undefined, object]>([
    ["none", undefined, { kind: "none" }],
    ["an empty one", " ", { kind: "none" }],
    ["a token", "Bearer mF_9.B5f-4.1JqM", token("bearer", "mF_9.B5f-4.1JqM")],
    ["a scheme in any case", "bEARER a", token("bearer", "a")],
    ["several spaces", "Bearer   a", token("bearer", "a")],
    ["padding", "Bearer YQ==", token("bearer", "YQ==")],
    ["another scheme", "DPoP a", token("dpop", "a")],
    ["a scheme alone", "Bearer", { kind: "malformed" }],
    ["a tab for a space", "Bearer\ta", { kind: "malformed" }],
    ["two tokens", "Bearer a b", { kind: "malformed" }],
    ["two headers joined", "Bearer a, Bearer b", { kind: "malformed" }],
    ["a quoted token", 'Bearer "a"', { kind: "malformed" }],
    ["padding inside", "Bearer a=b", { kind: "malformed" }],
    ["no scheme", "mF_9.B5f-4.1JqM", { kind: "malformed" }],
  ])("reads %s", (_, header, expected) => {
    expect(readAuthorization(header)).toEqual(expected);
  });
});

describe("RFC 6750, section 3: the challenge", () => {
  test("is bare without an error", () => {
    expect(challengeText("Bearer", {})).toBe("Bearer");
  });

  test("quotes what it says, and no more than may be quoted", () => {
    const text = challengeText("Bearer", { error: "invalid_token", error_description: 'a "b" \\ ü\n' });
    expect(text).toBe(`Bearer error="invalid_token", error_description="a 'b' ' ??"`);
  });
});

describe("RFC 9728, sections 2 and 3: the resource's metadata", () => {
  test.each([
    ["https://mcp.example.com", "/.well-known/oauth-protected-resource"],
    ["https://mcp.example.com/", "/.well-known/oauth-protected-resource"],
    ["https://example.com/mcp", "/.well-known/oauth-protected-resource/mcp"],
    ["https://example.com/mcp/", "/.well-known/oauth-protected-resource/mcp"],
    ["https://example.com/a/mcp", "/.well-known/oauth-protected-resource/a/mcp"],
    ["http://localhost:3000/mcp", "/.well-known/oauth-protected-resource/mcp"],
  ])("of %s is at %s, and names it as it is", (resource, path) => {
    const found = resourceMetadata(resource, ["https://login.example.com"], ["read"]);
    expect(found.path).toBe(path);
    expect(found.url).toBe(`${new URL(resource).origin}${path}`);
    expect(JSON.parse(found.text)).toEqual({
      resource,
      authorization_servers: ["https://login.example.com"],
      scopes_supported: ["read"],
      bearer_methods_supported: ["header"],
    });
  });

  test.each(["mcp", "http://mcp.example.com", "https://example.com/mcp#a", "https://example.com/mcp?a=b"])(
    "is none of %s",
    (resource) => {
      expect(() => resourceMetadata(resource, [], [])).toThrow("oauth: `resource` must");
    },
  );
});

describe("RFC 9068, section 4, and RFC 8707: the claims", () => {
  const NOW = Date.UTC(2026, 10, 22);
  const seconds = NOW / 1000;
  const context = {
    issuers: ["https://a", "https://b"],
    audiences: ["https://mcp"],
    header: () => undefined,
  };
  const good = { iss: "https://a", aud: "https://mcp", sub: "ada", exp: seconds + 60 };

  test.each<[string, object]>([
    ["of one audience", {}],
    ["of several", { aud: ["https://other", "https://mcp"] }],
    ["of another issuer that is accepted", { iss: "https://b" }],
    ["that are in force for long", { nbf: seconds - 60 }],
    ["whose issuer's clock is a little fast", { nbf: seconds + 4 }],
    ["whose issuer's clock is a little slow", { exp: seconds - 4 }],
  ])("are accepted: %s", (_, more) => {
    expect(checkClaims({ ...good, ...more }, context, NOW)).toEqual({ ...good, ...more });
  });

  test.each<[string, object, string]>([
    ["no issuer", { iss: undefined }, "The token is from another issuer."],
    ["another issuer", { iss: "https://evil" }, "The token is from another issuer."],
    ["an issuer with a slash more", { iss: "https://a/" }, "The token is from another issuer."],
    ["no audience", { aud: undefined }, "The token is not for this server."],
    ["another audience", { aud: "https://mcp/other" }, "The token is not for this server."],
    ["an empty list of audiences", { aud: [] }, "The token is not for this server."],
    ["an audience in a list of lists", { aud: [["https://mcp"]] }, "The token is not for this server."],
    ["no end", { exp: undefined }, "The token does not say when it expires."],
    ["an end in words", { exp: "tomorrow" }, "The token does not say when it expires."],
    ["an end in the past", { exp: seconds - 6 }, "The token has expired."],
    ["a beginning in the future", { nbf: seconds + 6 }, "The token is not valid yet."],
    ["a beginning in words", { nbf: "now" }, "The token is not valid yet."],
    ["no subject", { sub: undefined }, "The token does not say whose it is."],
    ["an empty subject", { sub: "" }, "The token does not say whose it is."],
  ])("are refused with %s", (_, more, message) => {
    expect(() => checkClaims({ ...good, ...more }, context, NOW)).toThrow(message);
  });
});
