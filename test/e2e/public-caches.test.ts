/** Caches that may show callers entries that only others may see: a warning at startup. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { buildServer } from "../support/built-server.js";

test("a public cache of entries that not every caller may see is reported at startup, with each entry", async () => {
  const built = await buildServer({
    "src/server.ts": `
      import { defineServer } from "@tenon/runtime";
      import { apiKeys } from "@tenon/runtime/auth";
      const cache = { cacheScope: "public", ttlMs: 60_000 } as const;
      export default defineServer({
        auth: apiKeys({ "0123456789abcdef0123456789abcdef": { subject: "ada", scopes: ["plans"] } }),
        cache: { tools: cache, prompts: cache, resourceTemplates: cache, skills: cache },
        skills: { returns: { scopes: ["plans"] } },
        stdio: { principal: { subject: "ada", scopes: ["plans"] } },
      });`,
    "src/shop.ts": `
      import { Prompt, Resource, Tool } from "@tenon/runtime";
      const cache = { cacheScope: "public", ttlMs: 60_000 } as const;
      export class Shop {
        /** Refunds. */
        @Tool({ enabled: ({ principal }) => principal?.subject === "ada" }) refund(): string { return ""; }
        /** Is listed for everyone, and rejects some calls. */
        @Tool<Shop>({ authorize: (principal, args) => principal !== undefined && Number(args.id) > 0 })
        order(id: number): number { return id; }
        /** Is off in winter, for everyone. */
        @Tool({ enabled: () => true }) season(): string { return ""; }
        /** Sums up. */
        @Prompt() sum(): string { return ""; }
        /** The license. */
        @Resource("shop://license", { cache }) license(): string { return ""; }
        /** The plan. */
        @Resource("shop://plan", { cache, scopes: ["plans"] }) plan(): string { return ""; }
        /** An order. */
        @Resource<Shop>("shop://orders/{id}", { cache, authorize: (principal) => principal !== undefined })
        one(id: string): string { return id; }
      }`,
    "skills/returns/SKILL.md":
      "---\nname: returns\ndescription: How the shop handles returned orders.\n---\n\nAsk for the order.\n",
    "skills/hours/SKILL.md": "---\nname: hours\ndescription: When the shop is open.\n---\n\nAlways.\n",
  });
  try {
    const { stderr } = spawnSync(process.execPath, [built.program], { input: "", encoding: "utf8" });
    expect(stderr.split("\n").filter((line) => line.includes("public"))).toMatchInlineSnapshot(`
      [
        "WARNING: \`cache.tools.cacheScope\` of defineServer() is "public", but not every caller sees "refund": a cache may show it to others. Set it to "private", the default.",
        "WARNING: \`cache.resourceTemplates.cacheScope\` of defineServer() is "public", but not every caller sees "shop://orders/{id}": a cache may show it to others. Set it to "private", the default.",
        "WARNING: \`cache.skills.cacheScope\` of defineServer() is "public", but not every caller sees "skill://returns/SKILL.md": a cache may show it to others. Set it to "private", the default.",
        "WARNING: \`cache.cacheScope\` of the resource is "public", but not every caller may read "shop://plan": a cache may show it to others. Set it to "private", the default.",
        "WARNING: \`cache.cacheScope\` of the resource is "public", but not every caller may read "shop://orders/{id}": a cache may show it to others. Set it to "private", the default.",
      ]
    `);
  } finally {
    built.remove();
  }
});
