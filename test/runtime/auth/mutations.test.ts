import { build } from "esbuild";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Auth from "@tenon/runtime/auth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Issuer, startIssuer } from "./issuer.js";
import { type Mutation, MUTATIONS } from "./mutations.js";
import { readTables } from "./tables/read-tables.js";
import { openTables } from "./tables/run-rows.js";

const SOURCE = join(import.meta.dirname, "../../../packages/runtime/src/access/auth");
const JOSE = import.meta.resolve("jose");

const tables = await readTables();

let issuer: Issuer;
let folder: string;
beforeAll(async () => {
  issuer = await startIssuer();
  folder = await mkdtemp(join(tmpdir(), "tenon-mutations-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await issuer.close();
});

/** Builds the module unchanged, or with one of its checks changed. */
async function buildAuth(outfile: string, mutation?: Mutation): Promise<typeof Auth> {
  const changed = mutation && join(SOURCE, mutation.file);
  await build({
    entryPoints: [join(SOURCE, "auth.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    plugins: [
      {
        name: "mutation",
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /^jose$/ }, () => ({ path: JOSE, external: true }));
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            if (mutation === undefined || path !== changed) return undefined;
            const parts = (await readFile(path, "utf8")).split(mutation.text);
            if (parts.length !== 2)
              throw new Error(`${path} does not contain exactly once: ${mutation.text}`);
            return { contents: parts.join(mutation.replacement), loader: "ts" };
          });
        },
      },
    ],
  });
  return (await import(pathToFileURL(outfile).href)) as typeof Auth;
}

/** Returns the problems of the first row that has any. Later rows are not sent. */
async function firstProblems(
  auth: typeof Auth,
  [rfc, section = ""]: Mutation["noticedBy"],
  isEnough: (problem: string) => boolean,
): Promise<string[]> {
  const opened = await openTables(auth, issuer);
  try {
    for (const row of tables.get(rfc) ?? []) {
      if (!row.section.startsWith(section)) continue;
      const problems = await opened.run(row);
      if (problems.some(isEnough)) return problems;
    }
    return [];
  } finally {
    await opened.close();
  }
}

test("the unchanged module has no problems", async () => {
  const auth = await buildAuth(join(folder, "as-it-is.mjs"));
  for (const rfc of tables.keys()) expect(await firstProblems(auth, [rfc], () => true)).toEqual([]);
});

describe("a row fails without this check:", () => {
  test.each(MUTATIONS.map((mutation, index) => ({ ...mutation, index })))(
    "$check ($file)",
    async ({ index, ...mutation }) => {
      const auth = await buildAuth(join(folder, `${index}.mjs`), mutation);
      const isEnough = (problem: string): boolean =>
        mutation.changesMessageOnly === true || problem.startsWith("status ");
      expect(await firstProblems(auth, mutation.noticedBy, isEnough)).not.toEqual([]);
    },
  );
});
