/**
 * Calls to tools with errors in their source return these errors; everything else keeps working, over both transports and in
 * both eras.
 */
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { program, startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const SHOP = `import { Prompt, Resource, Tool } from "@tenon/runtime";
import { getPrice } from "./prices.js";

let calls = 0;

export class Shop {
  /** Counts. */
  @Tool() count(): string { calls += 1; return String(calls); }
  /** The price. */
  @Tool() price(what: string): string { return String(getPrice(what)); }
  /** The label of a thing. */
  @Resource("price://{what}") label(what: string): string { return what + " for " + getPrice(what); }
  /** Haggles. */
  @Prompt() haggle(what: string): string { return "Is " + what + " worth " + getPrice(what) + "?"; }
}
`;
const PRICES = `export function getPrice(what: string): number { return what.length; }
`;

let project: ProjectFolder;
let dev: DevProcess | undefined;
let client: Client;

beforeEach(() => {
  project = projectFolder({ "src/shop.ts": SHOP, "src/prices.ts": PRICES });
});

afterEach(async () => {
  await client?.close();
  dev?.kill();
  await dev?.exited;
  dev = undefined;
  project.remove();
});

async function connect(isModern: boolean, transport: Transport): Promise<void> {
  const info = { name: "test", version: "1.0.0" };
  client = new Client(info, isModern ? { versionNegotiation: { mode: "auto" } } : {});
  await client.connect(transport);
}

async function connectByHttp(isModern: boolean): Promise<DevProcess> {
  dev = startDev(project.root, "--port", "0");
  const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+)/);
  await connect(isModern, new StreamableHTTPClientTransport(new URL(url)));
  return dev;
}

const text = async (name: string, args = {}): Promise<string> => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text?: string }[])[0]?.text ?? "";
};
const edit = (file: string, from: string, to: string): void => {
  const source = file === "src/shop.ts" ? SHOP : PRICES;
  expect(source).toContain(from);
  dev?.forget();
  project.write({ [file]: source.replace(from, to) });
};

describe.each([
  ["2025-11-25", false],
  ["2026-07-28", true],
])("tenon dev over %s", (_, isModern) => {
  it("responds with the errors that affect a declaration, and serves current code for the others", async () => {
    const { waitForOutput, log } = await connectByHttp(isModern);
    project.write({ "src/shop.ts": SHOP.replace("calls += 1", "calls += 10") });
    await waitForOutput(/Reloaded/);
    edit("src/prices.ts", "what.length", `"much"`);
    await waitForOutput(/Calls to price, label, and haggle return their errors until you fix them\./);
    expect(await text("count")).toBe("10");
    const failed = await client.callTool({ name: "price", arguments: { what: "tea" } });
    expect(failed.isError).toBe(true);
    expect(await text("price", { what: "tea" })).toMatch(
      /^`price` has errors in its source[\s\S]*src\/prices\.ts:1:50/,
    );
    await expect(client.readResource({ uri: "price://tea" })).rejects.toThrow(/src\/prices\.ts:1:50/);
    await expect(client.getPrompt({ name: "haggle", arguments: { what: "tea" } })).rejects.toThrow(/TS2322/);

    edit("src/prices.ts", "what.length", "what.length + 1");
    await waitForOutput(/Reloaded/);
    expect(log()).not.toContain("errors until");
    expect(await text("price", { what: "tea" })).toBe("4");
  });

  it("serves no code with errors when another error keeps the fixed code from being served", async () => {
    const { waitForOutput } = await connectByHttp(isModern);
    edit("src/prices.ts", "what.length", `"much"`);
    await waitForOutput(/Reloaded/);
    dev?.forget();
    const fixed = PRICES.replace("what.length", "what.length + 1");
    project.write({ "src/prices.ts": fixed, "src/other.ts": `export const other: number = "x";\n` });
    await waitForOutput(/The last working server keeps serving\.\n {2}Calls to price, label, and haggle/);
    expect(await text("count")).toBe("1");
    expect(await text("price", { what: "tea" })).toMatch(
      /^`price` is not served until other errors are fixed\.[\s\S]*src\/other\.ts:1:14/,
    );
    dev?.forget();
    project.write({ "src/other.ts": "export const other = 1;\n" });
    await waitForOutput(/Reloaded/);
    expect(await text("price", { what: "tea" })).toBe("4");
  });

  it("shows the author what a handler throws", async () => {
    const { waitForOutput } = await connectByHttp(isModern);
    edit("src/shop.ts", "String(getPrice(what))", '((): string => { throw new Error("Out of tea."); })()');
    await waitForOutput(/Reloaded/);
    expect(await text("price", { what: "tea" })).toContain("Out of tea.");
  });

  it("responds with a syntax error where it applies, while the last good server serves the rest", async () => {
    const { waitForOutput } = await connectByHttp(isModern);
    expect(await text("count")).toBe("1");
    edit("src/shop.ts", "String(getPrice(what))", "String(getPrice(;");
    await waitForOutput(/The last working server keeps serving\.\n {2}Calls to price return its errors/);
    expect(await text("count")).toBe("2");
    expect(await text("price", { what: "tea" })).toContain("src/shop.ts:10:");
    const { contents } = await client.readResource({ uri: "price://tea" });
    expect(contents).toMatchObject([{ text: "tea for 3" }]);
  });
});

it("tenon dev serves the declarations without errors from the start", async () => {
  project.write({ "src/shop.ts": SHOP.replace("count(): string", "count(f: () => void): string") });
  const { waitForOutput } = await connectByHttp(false);
  await waitForOutput(
    /✓ sample 1\.2\.3: 1 tool, 1 prompt, and 1 resource template[\s\S]*Calls to count return its errors/,
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["price"]);
  expect(await text("price", { what: "tea" })).toBe("3");
  expect(await text("count")).toContain("src/shop.ts:8:");
  edit("src/shop.ts", "Counts.", "Counts on.");
  await waitForOutput(/Reloaded/);
  expect(await text("count")).toBe("1");
});

it("tenon dev over stdio serves the declarations without errors, and calls wait for the first server", async () => {
  project.write({ "src/prices.ts": PRICES.replace("what.length", `"much"`) });
  const args = [program, "dev", "--stdio"];
  const settings = { command: process.execPath, args, cwd: project.root, stderr: "ignore" } as const;
  await connect(false, new StdioClientTransport(settings));
  expect(await text("count")).toBe("1");
  expect(await text("price", { what: "tea" })).toContain("src/prices.ts:1:50");
});
