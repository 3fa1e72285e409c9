import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;
let overStdio: Stage;

beforeAll(async () => {
  [stage, overStdio] = await Promise.all([setStage(), setStage(["--stdio"])]);
});

afterAll(async () => {
  await Promise.all([stage?.[Symbol.asyncDispose](), overStdio?.[Symbol.asyncDispose]()]);
});

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request as programs other than browsers can, and returns its status. */
function requestStatus({ path = "", method = "GET", headers = {} }: Sent): Promise<number | undefined> {
  const url = new URL(path, stage.project.url);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? "{}" : undefined);
  });
}

const json = { "content-type": "application/json" };

test("the playground accepts only requests with the token, from this machine and its own page", async () => {
  const { host, origin } = new URL(stage.project.url);
  expect(await requestStatus({})).toBe(200);
  expect(await requestStatus({ path: "/" })).toBe(404);
  expect(await requestStatus({ path: "/wrong/" })).toBe(404);
  expect(await requestStatus({ path: "/wrong/requests", method: "POST", headers: json })).toBe(404);
  expect(await requestStatus({ path: "../../package.json" })).toBe(404);
  expect(await requestStatus({ path: "..%2f..%2fpackage.json" })).toBe(404);
  expect(await requestStatus({ headers: { host: "evil.example" } })).toBe(403);
  expect(await requestStatus({ headers: { origin: "https://evil.example" } })).toBe(403);
  expect(await requestStatus({ headers: { host, origin: "null" } })).toBe(403);
  expect(
    await requestStatus({ path: "requests", method: "POST", headers: { "content-type": "text/plain" } }),
  ).toBe(415);
  expect(await requestStatus({ path: "requests", method: "POST", headers: { ...json, origin } })).toBe(410);
});

test("requests that any web page can send end neither the playground nor the origin of views", async () => {
  const policy = (await fetch(stage.project.url)).headers.get("content-security-policy") ?? "";
  const [, sandbox = ""] = /frame-src (\S+)/.exec(policy) ?? [];
  const csp = (value: unknown): string => `/?csp=${encodeURIComponent(JSON.stringify(value))}`;
  for (const origin of [sandbox, new URL(stage.project.url).origin]) {
    for (const target of [
      "//",
      "///",
      "/%00",
      csp({ resourceDomains: 5 }),
      csp({ frameDomains: null }),
      csp(5),
    ]) {
      const { hostname, port } = new URL(origin);
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const sent = request({ hostname, port, path: target, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on("error", reject);
        sent.end();
      });
      expect(status, target).toBe(origin === sandbox && target.startsWith("/?") ? 200 : 404);
    }
  }
  const { headers } = await fetch(
    `${sandbox}${csp({ frameDomains: ["https://a.example; script-src *", 5] })}`,
  );
  expect(headers.get("content-security-policy")).toContain("frame-src 'none'; base-uri 'self'");
  expect(await requestStatus({})).toBe(200);
});

test("a request that is not a JSON object is rejected", async () => {
  for (const body of ["{", "null", "5", ""]) {
    const response = await fetch(new URL("requests", stage.project.url), {
      method: "POST",
      headers: json,
      body,
    });
    expect([response.status, await response.text()]).toEqual([400, "The request is not a JSON object.\n"]);
  }
});

test.skipIf(process.platform === "win32")("saved calls are readable only for the user", async () => {
  const path = join(stage.project.root, ".tenon/playground.json");
  writeFileSync(path, "{}", { mode: 0o644 });
  const events = await fetch(new URL("events", stage.project.url));
  const reader = events.body!.getReader();
  const { value } = await reader.read();
  const { page } = JSON.parse(
    new TextDecoder().decode(value).slice("data: ".length).split("\n")[0] ?? "",
  ) as {
    page: string;
  };
  const body = JSON.stringify({ page, type: "store", notes: { saved: [] } });
  const stored = await fetch(new URL("requests", stage.project.url), { method: "POST", headers: json, body });
  await reader.cancel();
  expect(stored.status).toBe(204);
  expect(readFileSync(path, "utf8")).toContain("saved");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the content security policy forbids other hosts", async () => {
  const { headers } = await fetch(stage.project.url);
  // Views run on another port of this machine.
  const policy = headers.get("content-security-policy")?.replace(/(?<=frame-src \S+:)\d+$/, "PORT");
  expect(policy).toMatchInlineSnapshot(
    `"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src http://127.0.0.1:PORT"`,
  );
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toBe("no-store");
});

test("the playground works with a stdio server", async () => {
  const page = await overStdio.open("#tool/whoami");
  await page.getByRole("button", { name: "Call whoami" }).click();
  await expect.poll(() => page.locator(".outcome").textContent()).toBe("nobody");
});
