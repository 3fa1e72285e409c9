/**
 * Server that the recipes mount, as `tenon build` would emit it for these tools.
 */
import type { Context } from "@tenon/runtime";
import { InvalidTokenError, oauth } from "@tenon/runtime/auth";
import { context } from "@tenon/runtime/features";
import { createServer } from "@tenon/runtime/server";

export const TOKEN = "a-token-of-ada";

class Tools {
  #started = 0;
  #stopped = 0;

  /** Counts, and reports each step. */
  async count(ctx: Context): Promise<string> {
    for (const step of [1, 2, 3]) {
      ctx.progress(step, 3);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return `${ctx.principal?.subject ?? "nobody"} at ${ctx.address ?? "nowhere"}`;
  }

  /** Waits until its caller disconnects. */
  wait({ signal }: Context): Promise<never> {
    this.#started++;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        this.#stopped++;
        reject(signal.reason as Error);
      });
    });
  }

  /** Returns the numbers of calls that have started to wait and that were cancelled. */
  waits(): string {
    return JSON.stringify([this.#started, this.#stopped]);
  }
}

const tool = (name: string, isCalling = true) => ({
  definition: { name, inputSchema: { type: "object" as const, properties: {}, additionalProperties: false } },
  handler: {
    module: "src/tools.ts",
    export: "Tools",
    method: name,
    parameters: isCalling ? [{ from: "context" as const }] : [],
  },
  input: {},
  output: { kind: "text" as const },
});
const input = (): boolean => true;

export const server = createServer({
  manifest: {
    manifestVersion: 1,
    server: { name: "mounted", version: "1.0.0" },
    tools: [tool("count"), tool("wait"), tool("waits", false)],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  },
  features: [context],
  classes: { "src/tools.ts": { Tools } },
  validators: {
    tools: { count: { input }, wait: { input }, waits: { input } },
    prompts: {},
    resourceTemplates: {},
  },
  config: {
    limits: { drainTimeoutMs: 100, maxBodyBytes: 10_000 },
    auth: oauth({
      resource: "https://mcp.example.com/mcp",
      issuer: "https://login.example.com",
      verify: (token) =>
        token === TOKEN
          ? Promise.resolve({
              sub: "ada",
              iss: "https://login.example.com",
              aud: "https://mcp.example.com/mcp",
              exp: 4_000_000_000,
            })
          : Promise.reject(new InvalidTokenError("There is no such token.")),
    }),
  },
});
