import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

const SHOP = `
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import picocolors from "picocolors";
import { VAT } from "@shop/taxes";
import { Tool, ToolError } from "@tenon/runtime";

export class Shop {
  /** The current offer. */
  @Tool()
  offer(): string {
    const file = new URL("../data/offer.txt", import.meta.url);
    return picocolors.createColors(false).bold(basename(file.pathname) + " " + readFileSync(file, "utf8") + " " + VAT);
  }

  /** Loaded when it is called. */
  @Tool()
  async late(): Promise<string> {
    const { late } = await import("./late.js");
    return late;
  }

  /** Refuses. */
  @Tool()
  refuse(): void {
    throw new ToolError("sold out");
  }
}
`;

let project: ProjectFolder;
const started: DevProcess[] = [];

beforeEach(() => {
  project = projectFolder({
    // Without "type", Node treats a package as CommonJS.
    "package.json": JSON.stringify({ name: "shop", version: "1.0.0" }),
    "tsconfig.json": tsconfig({
      module: "esnext",
      moduleResolution: "bundler",
      paths: { "@shop/*": ["./src/shop/*"] },
    }),
    "data/offer.txt": "apples",
    "src/shop/taxes.ts": "export const VAT = 19;\n",
    "src/late.ts": 'export const late: string = "loaded";\n',
    "src/shop.ts": SHOP,
  });
});

afterEach(async () => {
  for (const each of started.splice(0)) {
    each.kill();
    await each.exited;
  }
  project.remove();
});

async function start(): Promise<{ dev: DevProcess; client: Client }> {
  const dev = startDev(project.root, "--port", "0");
  started.push(dev);
  const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+).*ready/);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { dev, client };
}

async function call(client: Client, name: string): Promise<string | undefined> {
  const { content } = (await client.callTool({ name })) as { content: { text?: string }[] };
  return content[0]?.text;
}

async function edit(dev: DevProcess, from: string, to: string, printed: RegExp): Promise<void> {
  dev.forget();
  project.write({ "src/shop.ts": SHOP.replace(from, to) });
  await dev.waitForOutput(printed);
}

const KEEPS_SERVING = /The last working server keeps serving\./;
const folder = (): string[] => readdirSync(join(project.root, ".tenon/dev"));

describe("a server under development", () => {
  it("finds its packages, aliases, and files, before and after an edit", async () => {
    const { dev, client } = await start();
    expect(await call(client, "offer")).toBe("offer.txt apples 19");
    expect(await call(client, "late")).toBe("loaded");
    expect(await call(client, "refuse")).toBe("sold out");
    await edit(dev, '"sold out"', '"come back tomorrow"', /Reloaded/);
    expect(await call(client, "offer")).toBe("offer.txt apples 19");
    expect(await call(client, "late")).toBe("loaded");
    expect(await call(client, "refuse")).toBe("come back tomorrow");
  });

  it("can load all its modules while edits have errors", async () => {
    const { dev, client } = await start();
    for (const attempt of ["first", "second", "third"]) {
      await edit(dev, "export class Shop", `throw "${attempt}";\nexport class Shop`, KEEPS_SERVING);
      await edit(
        dev,
        "export class Shop",
        `const mistake: ${attempt} = 1;\nexport class Shop`,
        KEEPS_SERVING,
      );
    }
    expect(dev.log()).toContain("Cannot find name 'third'");
    expect(await call(client, "late")).toBe("loaded");
  });

  it("reports syntax errors with TypeScript's messages", async () => {
    const { dev, client } = await start();
    await edit(dev, "return late;", "return late +;", KEEPS_SERVING);
    expect(dev.log()).toContain("Expression expected. (TS1109)");
    expect(dev.log()).not.toContain("cannot be bundled");
    expect(await call(client, "refuse")).toBe("sold out");
  });

  it("shares the project with another server, and removes the folder of a killed one", async () => {
    const { dev: first, client: client1 } = await start();
    const { dev: second, client: client2 } = await start();
    await edit(first, '"sold out"', '"none left"', /Reloaded/);
    await second.waitForOutput(/Reloaded/);
    expect(await call(client1, "refuse")).toBe("none left");
    expect(await call(client2, "refuse")).toBe("none left");
    expect(folder()).toHaveLength(2);

    first.kill();
    await first.exited;
    expect(folder()).toHaveLength(2);
    const { client: client3 } = await start();
    expect(folder()).toHaveLength(2);
    expect(await call(client3, "late")).toBe("loaded");
    expect(await call(client2, "late")).toBe("loaded");
  });

  it("removes the folders of dead processes only", async () => {
    mkdirSync(join(project.root, ".tenon/dev", String(process.pid)), { recursive: true });
    mkdirSync(join(project.root, ".tenon/dev/17-left-behind"));
    await start();
    expect(folder()).toContain(String(process.pid));
    expect(folder()).not.toContain("17-left-behind");
  });
});

/** Returns the command lines of the processes that run servers of the project. */
function hosts(): string[] {
  const all = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes("host.js") && line.includes(project.root));
}

describe.skipIf(process.platform === "win32")("the processes of tenon dev", () => {
  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("exit with it on %s", async (signal) => {
    const { dev, client } = await start();
    // One serves and one waits.
    await expect.poll(hosts).toHaveLength(2);
    await edit(dev, '"sold out"', '"none left"', /Reloaded/);
    expect(await call(client, "refuse")).toBe("none left");
    await expect.poll(hosts).toHaveLength(2);
    dev.signal(signal);
    expect(await dev.exited).toBe(signal === "SIGKILL" ? null : 0);
    await expect.poll(hosts).toEqual([]);
  });

  it("serve an edit even if the waiting process has exited", async () => {
    const { dev, client } = await start();
    await expect.poll(hosts).toHaveLength(2);
    const [serving = "", waiting = ""] = hosts().sort(
      (a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10),
    );
    process.kill(Number.parseInt(waiting, 10), "SIGKILL");
    await expect.poll(hosts).toEqual([serving]);
    await edit(dev, '"sold out"', '"none left"', /Reloaded/);
    expect(await call(client, "refuse")).toBe("none left");
  });

  it("are replaced when all have exited", async () => {
    const { dev, client } = await start();
    const since = performance.now();
    await expect.poll(hosts).toHaveLength(2);
    // A process that exits sooner has failed by itself, and waits for an edit.
    await expect.poll(() => performance.now() - since, { timeout: 10_000 }).toBeGreaterThan(2500);
    for (const each of hosts()) process.kill(Number.parseInt(each, 10), "SIGKILL");
    await dev.waitForOutput(/Restarting it\./);
    await expect.poll(() => call(client, "refuse").catch(String)).toBe("sold out");
    await expect.poll(hosts).toHaveLength(2);
  });
});
