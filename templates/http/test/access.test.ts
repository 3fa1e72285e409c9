import { expect, it, vi } from "vitest";
import { createAuthentication } from "../src/access.js";

const KEY = "0123456789abcdef0123456789abcdef";

/** Returns the outcome of a request with these headers. */
function request(env: NodeJS.ProcessEnv, headers: Record<string, string> = {}) {
  return createAuthentication(env).authenticate({ method: "POST", header: (name) => headers[name] });
}

it("accepts callers with an API key", async () => {
  const env = { API_KEYS: `ada:${KEY},bob:${KEY.toUpperCase()}` };
  expect(await request(env, { authorization: `Bearer ${KEY}` })).toMatchObject({ subject: "ada" });
  expect(await request(env, { "x-api-key": KEY.toUpperCase() })).toMatchObject({ subject: "bob" });
  expect(await request(env, { authorization: "Bearer guessed" })).toMatchObject({ status: 401 });
  expect(await request(env)).toMatchObject({ status: 401 });
});

it("rejects every request without keys and issuer, and logs a warning", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  expect(await request({})).toMatchObject({ status: 401 });
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("every HTTP request is rejected"));
  warn.mockRestore();
});

it("rejects incomplete settings and weak keys", () => {
  expect(() => createAuthentication({ API_KEYS: "only-a-key" })).toThrow("name:key pairs");
  expect(() => createAuthentication({ API_KEYS: "ada:short" })).toThrow("at least 16 characters");
  expect(() => createAuthentication({ ISSUER: "https://login.example.com" })).toThrow("PUBLIC_URL");
});

it("accepts tokens if an issuer is set", () => {
  const oauth = createAuthentication({
    ISSUER: "https://login.example.com",
    PUBLIC_URL: "https://notes.example.com/mcp",
  });
  expect([...oauth.documents(["notes:read"]).keys()]).toContain("/.well-known/oauth-protected-resource/mcp");
});
