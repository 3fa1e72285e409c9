/**
 * What the recipes mount: the server that `tenon build` would make of these tools.
 */
import type { Context } from "@tenon/runtime";
import { InvalidToken, oauth } from "@tenon/runtime/auth";
import { context } from "@tenon/runtime/parts";
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

  /** Waits until its caller goes away. */
  wait({ signal }: Context): Promise<never> {
    this.#started++;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        this.#stopped++;
        reject(signal.reason as Error);
      });
    });
  }

  /** How many calls have begun to wait, and how many have been stopped. */
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
  parts: [context],
  classes: { "src/tools.ts": { Tools } },
  validators: {
    tools: { count: { input }, wait: { input }, waits: { input } },
    prompts: {},
    resourceTemplates: {},
  },
  config: {
    limits: { drainMs: 100, bodyBytes: 10_000 },
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
          : Promise.reject(new InvalidToken("There is no such token.")),
    }),
  },
});
