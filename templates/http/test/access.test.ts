import { expect, it, vi } from "vitest";
import { access } from "../src/access.js";

const KEY = "0123456789abcdef0123456789abcdef";

/** What becomes of a request with these headers. */
function request(env: NodeJS.ProcessEnv, headers: Record<string, string> = {}) {
  return access(env).authenticate({ method: "POST", header: (name) => headers[name] });
}

it("lets in whoever has a key", async () => {
  const env = { API_KEYS: `ada:${KEY},bob:${KEY.toUpperCase()}` };
  expect(await request(env, { authorization: `Bearer ${KEY}` })).toMatchObject({ subject: "ada" });
  expect(await request(env, { "x-api-key": KEY.toUpperCase() })).toMatchObject({ subject: "bob" });
  expect(await request(env, { authorization: "Bearer guessed" })).toMatchObject({ status: 401 });
  expect(await request(env)).toMatchObject({ status: 401 });
});

it("lets nobody in where nobody is named, and says so", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  expect(await request({})).toMatchObject({ status: 401 });
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("nobody can call"));
  warn.mockRestore();
});

it("refuses settings that could let in the wrong ones", () => {
  expect(() => access({ API_KEYS: "only-a-key" })).toThrow("a name, a colon and a key");
  expect(() => access({ API_KEYS: "ada:short" })).toThrow("at least 16 characters");
  expect(() => access({ ISSUER: "https://login.example.com" })).toThrow("PUBLIC_URL");
});

it("takes tokens where there is an issuer", () => {
  const oauth = access({ ISSUER: "https://login.example.com", PUBLIC_URL: "https://notes.example.com/mcp" });
  expect([...oauth.documents(["notes:read"]).keys()]).toContain("/.well-known/oauth-protected-resource/mcp");
});
