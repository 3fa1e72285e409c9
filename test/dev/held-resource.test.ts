/** Servers with a resource that only one process can have: the previous server exits before the next one starts. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";

const HOOKS = `
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { Tool } from "@tenon/runtime";

export class Hooks {
  constructor(private readonly server: Server) {}

  static async listen(port: number): Promise<Hooks> {
    const server = createServer((_, answer) => void answer.end("first")).listen(port, "127.0.0.1");
    await once(server, "listening");
    return new Hooks(server);
  }

  /** Waits, and returns the version of the server. */
  @Tool({ readOnly: true })
  async version(ms: number): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return "first";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}
`;

/** Finds a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

let project: ProjectFolder | undefined;
let dev: DevProcess | undefined;

afterEach(async () => {
  dev?.kill();
  await dev?.exited;
  project?.remove();
});

/** Servers that await the listening of their port, and servers that do not. */
const AWAITED = HOOKS;
const NOT_AWAITED = HOOKS.replace('await once(server, "listening");', "").replace(
  'import { once } from "node:events";\n',
  "",
);

async function start(source: string, port: number): Promise<Client> {
  project = projectFolder({
    "package.json": JSON.stringify({ name: "hooks", version: "1.0.0", type: "module" }),
    "tsconfig.json": tsconfig({}),
    "src/hooks.ts": source,
    "src/server.ts": `
import { defineServer } from "@tenon/runtime";
import { Hooks } from "./hooks.js";
export default defineServer({ provide: [await Hooks.listen(${port})] });
`,
  });
  dev = startDev(project.root, "--port", "0");
  const [, url = ""] = await dev.waitForOutput(/(http:\/\/\S+).*ready/);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function version(client: Client, ms = 0): Promise<unknown> {
  const { content } = await client.callTool({ name: "version", arguments: { ms } });
  return (content as { text?: string }[])[0]?.text;
}

it.each([
  ["waits for its port", AWAITED],
  ["does not wait for its port", NOT_AWAITED],
])(
  "tenon dev replaces a server that %s when its calls have ended, and loses none of them",
  async (_, source) => {
    const port = await freePort();
    const client = await start(source, port);
    const hook = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}`)).text();
    expect([await version(client), await hook()]).toEqual(["first", "first"]);
    const underWay = version(client, 500);
    project?.write({ "src/hooks.ts": source.replaceAll('"first"', '"second"') });
    await dev?.waitForOutput(/\(EADDRINUSE\)/);
    const meanwhile = version(client);
    expect([await underWay, await meanwhile]).toEqual(["first", "second"]);
    expect(await hook()).toBe("second");
    expect(dev?.log()).not.toContain("listen EADDRINUSE");
  },
);

it("tenon dev restarts the previous server if the next one cannot start", async () => {
  const port = await freePort();
  const client = await start(AWAITED, port);
  const broken = AWAITED.replace("return new Hooks(server);", 'throw new Error("No hooks today.");');
  project?.write({ "src/hooks.ts": broken });
  await dev?.waitForOutput(/No hooks today[^]*The last working server keeps serving/);
  expect(await version(client)).toBe("first");
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("first");
});
