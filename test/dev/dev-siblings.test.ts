/** Edits in the packages next to a project, which a workspace links into its `node_modules`. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

/** Returns the package.json of a package with its entry and its dependencies. */
const packageJson = (name: string, main: string, ...needs: string[]): string =>
  JSON.stringify({
    name,
    version: "1.0.0",
    type: "module",
    exports: main,
    dependencies: Object.fromEntries(needs.map((each) => [each, "*"])),
  });

const TOOLS = `
import { Tool } from "@tenon/runtime";
import { type Invoice, total } from "@acme/domain";
import { label } from "@acme/kit";
import { round } from "@paths/money";

export class Invoices {
  /** Adds up an invoice. */
  @Tool({ readOnly: true })
  sum(invoice: Invoice): string {
    return label(round(total(invoice)));
  }
}
`;

const WORKSPACE = {
  "package.json": JSON.stringify({ name: "acme", private: true, type: "module" }),
  "apps/mcp/package.json": packageJson("@acme/mcp", "./dist/app.js", "@acme/domain", "@acme/kit"),
  "apps/mcp/tsconfig.json": tsconfig({ paths: { "@paths/*": ["../../lib/*.ts"] } }),
  "apps/mcp/src/invoices.ts": TOOLS,
  // It is already built: types and JavaScript.
  "packages/domain/package.json": packageJson("@acme/domain", "./dist/index.js", "@acme/rates"),
  "packages/domain/dist/index.d.ts":
    "export interface Invoice { cents: number }\nexport declare function total(invoice: Invoice): number;\n",
  "packages/domain/dist/index.js":
    'import { rate } from "@acme/rates";\nexport const total = (invoice) => invoice.cents * rate;\n',
  // Only `@acme/domain` depends on it. It has no types.
  "packages/rates/package.json": packageJson("@acme/rates", "./lib/rates.js"),
  "packages/rates/lib/rates.js": "export const rate = 1;\n",
  // Its entry is TypeScript.
  "packages/kit/package.json": packageJson("@acme/kit", "./src/index.ts"),
  "packages/kit/src/index.ts": "export const label = (cents: number): string => `${cents} cents`;\n",
  // This is not a package.
  "lib/money.ts": "export const round = (cents: number): number => Math.round(cents);\n",
};

let project: ProjectFolder;
let dev: DevProcess;
let client: Client;

function link(at: string, to: string): void {
  mkdirSync(dirname(join(project.root, at)), { recursive: true });
  symlinkSync(join(project.root, to), join(project.root, at));
}

const sum = async (): Promise<unknown> => {
  const result = await client.callTool({ name: "sum", arguments: { cents: 100 } });
  return (result.content as { text?: string }[])[0]?.text;
};

/** Writes files, and waits for the result of the build. */
async function edit(files: Record<string, string>, expected: RegExp = /✓ Reloaded/): Promise<void> {
  dev.forget();
  project.write(files);
  await dev.waitForOutput(expected);
}

beforeEach(async () => {
  project = projectFolder(WORKSPACE);
  for (const name of ["domain", "kit"]) link(`apps/mcp/node_modules/@acme/${name}`, `packages/${name}`);
  link("packages/domain/node_modules/@acme/rates", "packages/rates");
  dev = startDev(join(project.root, "apps/mcp"), "--port", "0");
  const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+).*ready/);
  client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
});

afterEach(async () => {
  await client.close();
  dev.kill();
  await dev.exited;
  project.remove();
});

it("tenon dev follows sources, types, and JavaScript of packages next to the project", async () => {
  expect(await sum()).toBe("100 cents");

  await edit({
    "packages/kit/src/index.ts": "export const label = (cents: number): string => `${cents} ct`;\n",
  });
  expect(await sum()).toBe("100 ct");

  await edit({ "lib/money.ts": "export const round = (cents: number): number => cents + 1;\n" });
  expect(await sum()).toBe("101 ct");

  await edit({ "packages/domain/dist/index.js": "export const total = (invoice) => invoice.cents * 2;\n" });
  expect(await sum()).toBe("201 ct");

  await edit(
    {
      "packages/domain/dist/index.d.ts":
        "export interface Invoice { cents: number; /** The payer. */ payer?: string }\nexport declare function total(invoice: Invoice): number;\n",
    },
    /~ tool sum[^]*payer[^]*✓ Reloaded/,
  );
  const [tool] = (await client.listTools()).tools;
  expect(JSON.stringify(tool?.inputSchema)).toContain("The payer.");
});

it("tenon dev follows the dependencies of a package next to the project", async () => {
  await edit({ "packages/rates/lib/rates.js": "export const rate = 3;\n" });
  expect(await sum()).toBe("300 cents");
});

it("tenon dev finds a package that was removed and built again", async () => {
  const built = join(project.root, "packages/domain/dist");
  dev.forget();
  rmSync(built, { recursive: true });
  await dev.waitForOutput(/The last working server keeps serving/);
  expect(await sum()).toContain('"@acme/domain" cannot be found.');

  await edit({
    "packages/domain/dist/index.d.ts": WORKSPACE["packages/domain/dist/index.d.ts"],
    "packages/domain/dist/index.js": "export const total = (invoice) => invoice.cents + 5;\n",
  });
  expect(await sum()).toBe("105 cents");
});

it("tenon dev finds a formerly missing source, and follows new ones", async () => {
  await edit(
    { "packages/kit/src/index.ts": 'export { label } from "./label.js";\n' },
    /The last working server keeps serving/,
  );
  await edit({
    "packages/kit/src/label.ts": "export const label = (cents: number): string => `€ ${cents}`;\n",
  });
  expect(await sum()).toBe("€ 100");
});
