import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Client } from "@modelcontextprotocol/client";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";
import { recordingTerminal } from "../../support/recording-terminal.js";
import { startIssuer } from "../../runtime/auth/issuer.js";
import { Miniflare } from "../../third-party/miniflare.js";
import { INSTALLED, NATIVE, PURE, WEATHER } from "./sources.js";
import { callText, ERAS, fetchClient } from "./started-server.js";

let project: ProjectFolder;
const running: { dispose(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.dispose()));
  project.remove();
});

const ASKING = {
  "src/asking.ts": `import { Tool, type Context } from "@tenon/runtime";
export class Asking {
  /** Asks twice. */
  @Tool()
  async book(ctx: Context): Promise<string> {
    const who = await ctx.elicit<{ name: string }>("Who?");
    const when = await ctx.elicit<{ day: string }>("When?");
    return [who, when].map((each) => (each.action === "accept" ? Object.values(each.content).join() : each.action)).join(" ");
  }
  /** Takes its time. */
  @Tool()
  async slow(ctx: Context): Promise<string> {
    for (let step = 1; step <= 3; step++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await ctx.progress(step, 3);
    }
    return "done";
  }
}
`,
};

/** Packages the project, and returns the output. */
async function packageWorker(files: Record<string, string>, installed?: readonly string[]): Promise<string> {
  project = projectFolder(files, installed);
  const terminal = recordingTerminal(project.root);
  expect(await run(["package", "--worker"], terminal)).toBe(0);
  expect(terminal.stderr()).toBe("");
  return terminal
    .stdout()
    .replaceAll(/in \d+\.\d s/g, "in 0.0 s")
    .replaceAll(/ *\d+\.\d kB/g, "  0.0 kB");
}

/** Starts the worker as its wrangler.jsonc specifies, in Cloudflare's own runtime. */
function createWorker(bindings: Record<string, string> = {}): Miniflare {
  const settings = readFileSync(join(project.root, "wrangler.jsonc"), "utf8");
  const [, date = ""] = /"compatibility_date": "([^"]*)"/.exec(settings) ?? [];
  const [, main = ""] = /"main": "([^"]*)"/.exec(settings) ?? [];
  const worker = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.js", contents: readFileSync(join(project.root, main), "utf8") },
    ],
    compatibilityDate: date,
    compatibilityFlags: JSON.parse(/"compatibility_flags": (.*),/.exec(settings)?.[1] ?? "[]") as string[],
    bindings,
    handleRuntimeStdio: (out: Readable, err: Readable) => {
      out.resume();
      err.resume();
    },
  });
  running.push(worker);
  return worker;
}

async function startWorker(bindings?: Record<string, string>): Promise<URL> {
  return new URL("/mcp", await createWorker(bindings).ready);
}

/** Sends each request to the next of several instances. */
function inTurn(...urls: URL[]): typeof fetch {
  let count = 0;
  return (_, init) => fetch(urls[count++ % urls.length] as URL, init);
}

function answerQuestions(client: Client): Client {
  client.setRequestHandler("elicitation/create", ({ params }) => ({
    action: "accept",
    content: params.message === "Who?" ? { name: "Ada" } : { day: "Monday" },
  }));
  return client;
}

describe("tenon package --worker", () => {
  it("serves the official client in Cloudflare's runtime, in both eras", async () => {
    expect(await packageWorker({ ...WEATHER, ...PURE, ...ASKING }, INSTALLED)).toMatchInlineSnapshot(`
      "✓ sample 1.2.3: 4 tools, 1 prompt, and 1 resource template in 0.0 s

      --worker
        package/worker/worker.js  0.0 kB
        wrangler.jsonc  0.0 kB
        The server requests input from its clients. Set TENON_STATE_KEYS to the same secret in all
          instances, so that any of them can continue with an answer.
        Optional variables: WEATHER_UNITS.
        The server has no authentication: anyone who finds the address can call it. Set \`auth\` in
          src/server.ts.

        npx wrangler secret put TENON_STATE_KEYS    sets it on Cloudflare
        npx wrangler secret put WEATHER_API_KEY     sets it on Cloudflare
        npx wrangler deploy                         deploys to Cloudflare
        deno serve -E -N package/worker/worker.js   serves with Deno, at http://127.0.0.1:8000/mcp
        bun package/worker/worker.js                serves with Bun, at http://127.0.0.1:3000/mcp
      "
    `);
    expect(readFileSync(join(project.root, "wrangler.jsonc"), "utf8")).toMatchInlineSnapshot(`
      "{
        "$schema": "node_modules/wrangler/config-schema.json",
        "name": "sample",
        "main": "package/worker/worker.js",
        // The module already contains all packages.
        "no_bundle": true,
        "build": { "command": "npx tenon package --worker" },
        "compatibility_date": "2026-04-01",
        // The second flag lets \`ctx.signal\` report that the client has disconnected.
        "compatibility_flags": ["nodejs_compat", "enable_request_signal"],
      }
      "
    `);
    const url = await startWorker({ WEATHER_API_KEY: "k" });
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain(`<pre><code>${url.href}</code></pre>`);
    for (const era of ERAS) {
      const client = await fetchClient(url.href, fetch, era);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        "book",
        "current",
        "pure",
        "slow",
      ]);
      expect(await callText(client, "current", { city: "Oslo" })).toContain('"key":"k"');
      expect(await callText(client, "pure")).toBe("pure/thing");
      expect(await callText(client, "current", {})).toContain("error: ");
      expect((await client.getPrompt({ name: "plan", arguments: { city: "Oslo" } })).messages).toHaveLength(
        1,
      );
      expect((await client.readResource({ uri: "climate://Oslo" })).contents).toHaveLength(1);
      const heard: number[] = [];
      const slow = client.callTool(
        { name: "slow", arguments: {} },
        { onprogress: ({ progress }) => heard.push(progress) },
      );
      expect((await Promise.all([slow, callText(client, "slow")]))[1]).toBe("done");
      expect(heard).toEqual([1, 2, 3]);
      await client.close();
    }
    expect((await fetch(url, { method: "POST", headers: { origin: "https://example.com" } })).status).toBe(
      403,
    );
  });

  it("serves under any host name", async () => {
    await packageWorker(WEATHER);
    const { status } = await createWorker().dispatchFetch("https://weather.example.workers.dev/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(status).toBe(200);
  });

  it("continues a call in any instance with the keys", async () => {
    await packageWorker(ASKING);
    const keys = { TENON_STATE_KEYS: "the same long random string in all of them" };
    const instances = [await startWorker(keys), await startWorker(keys)];
    const client = answerQuestions(
      await fetchClient(String(instances[0]), inTurn(...instances), "auto", true),
    );
    expect(await callText(client, "book")).toBe("Ada Monday");
    await client.close();
  });

  it("notifies of changes by other requests, however much later", async () => {
    await packageWorker({
      "src/counter.ts": `import { Resource, Tool, type Context } from "@tenon/runtime";
export class Counter {
  #count = 0;
  /** Counts. */ @Tool() add(ctx: Context): void { this.#count++; ctx.notify.resourceUpdated("count://all"); }
  /** The count. */ @Resource("count://all") all(): string { return String(this.#count); }
}`,
    });
    const client = await fetchClient((await startWorker()).href, fetch);
    let heard = 0;
    client.setNotificationHandler("notifications/resources/updated", () => void heard++);
    await client.listen({ resourceSubscriptions: ["count://all"] });
    for (let count = 1; count <= 3; count++) {
      await callText(client, "add");
      await expect.poll(() => heard).toBe(count);
    }
    await client.close();
  });

  it.each([
    ["keys", "jwt()"],
    [
      "introspection",
      'introspection({ url: `${issuer}/introspect`, clientId: "mcp", clientSecret: "a secret" })',
    ],
  ])("verifies tokens with the %s of their issuer", async (_, verify) => {
    const issuer = await startIssuer();
    running.push({ dispose: () => issuer.close() });
    const resource = "https://sample.example/mcp";
    await packageWorker({
      "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { introspection, jwt, oauth } from "@tenon/runtime/auth";
const issuer = ${JSON.stringify(issuer.url)};
export default defineServer({ auth: oauth({ issuer, resource: "${resource}", verify: ${verify} }), stdio: {} });`,
      "src/who.ts": `import { Tool, type Principal } from "@tenon/runtime";
export class Who { /** The caller. */ @Tool() who(user: Principal): string { return user.subject; } }`,
    });
    const token = await issuer.token(resource);
    issuer.introspected.set(token, { active: true, sub: "ada", aud: resource });
    const client = await fetchClient((await startWorker()).href, (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    });
    expect(await callText(client, "who")).toBe("ada");
    await client.close();
  });

  it("aborts a call whose client has disconnected", async () => {
    await packageWorker({
      "src/ticks.ts": `import { Tool, type Context } from "@tenon/runtime";
let isAborted = false;
export class Ticks {
  /** Ticks. */
  @Tool()
  async tick(ctx: Context): Promise<void> {
    ctx.signal.addEventListener("abort", () => { isAborted = true; });
    for (let count = 1; !isAborted; count++) {
      ctx.progress(count);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  /** Whether the call was aborted. */ @Tool() aborted(): boolean { return isAborted; }
}`,
    });
    const client = await fetchClient((await startWorker()).href, fetch);
    const stop = new AbortController();
    const onprogress = (): void => stop.abort();
    const call = client.callTool({ name: "tick", arguments: {} }, { onprogress, signal: stop.signal });
    await expect(call).rejects.toThrow();
    await expect.poll(() => callText(client, "aborted")).toBe("true");
    await client.close();
  });

  it("does not continue a call in an instance without the keys", async () => {
    await packageWorker(ASKING);
    const instances = [await startWorker(), await startWorker()];
    const client = answerQuestions(
      await fetchClient(String(instances[0]), inTurn(...instances), "auto", true),
    );
    await expect(callText(client, "book")).rejects.toThrow(/requestState/);
    await client.close();
  });

  it("reports a store that needs connections", async () => {
    const output = await packageWorker({
      ...WEATHER,
      "src/server.ts": `import { defineServer } from "@tenon/runtime";
import { redis } from "@tenon/runtime/redis";
export default defineServer({ store: redis("redis://127.0.0.1:1") });`,
    });
    expect(output.replaceAll(/\s+/g, " ")).toContain(
      "The store `redis(…)` needs connections that outlast a request, so the server starts with Deno and Bun, but not on Cloudflare.",
    );
    await expect(startWorker()).rejects.toThrow();
    running.splice(0); // It did not start, so there is nothing to stop.
  });

  it("leaves an existing wrangler.jsonc unchanged", async () => {
    await packageWorker(WEATHER);
    writeFileSync(join(project.root, "wrangler.jsonc"), "// mine\n");
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--worker"], terminal)).toBe(0);
    expect(terminal.stdout()).toContain("  wrangler.jsonc was not changed. Replace it with --force.\n");
    expect(readFileSync(join(project.root, "wrangler.jsonc"), "utf8")).toBe("// mine\n");
  });

  it.each([
    [
      "native code",
      NATIVE,
      "A worker cannot run the package `native-thing`, which has native code.",
      "Remove it, or run the server in a container: `tenon package --docker`.",
    ],
    [
      "a module that Cloudflare lacks",
      {
        "src/a.ts": `import { execFileSync } from "node:child_process";
import { Tool } from "@tenon/runtime";
export class A { /** Run. */ @Tool() a(): string { return execFileSync("ls", { encoding: "utf8" }); } }`,
      },
      "Workers lack the module node:child_process, which src/a.ts imports.",
      "Remove it, or run the server in a container: `tenon package --docker`.",
    ],
    [
      "a task",
      {
        "src/a.ts": `import { Tool } from "@tenon/runtime";
export class A { /** Run. */ @Tool({ task: "optional" }) async a(): Promise<string> { return ""; } }`,
      },
      "The tool `a` may run as a task, but a worker stops after its response.",
      "Remove `task` from its options, or run the server in a container: `tenon package --docker`.",
    ],
  ])("rejects %s", async (_, files, message, hint) => {
    project = projectFolder(files, INSTALLED);
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--worker"], terminal)).toBe(1);
    expect(terminal.stderr()).toBe(`error  ${message}\nhint   ${hint}\n`);
    expect(readdirSync(project.root)).not.toContain("package");
  });
});
