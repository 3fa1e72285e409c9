import { spawn } from "node:child_process";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The calls that both major versions of the official client have in common. */
export type OfficialClient = Pick<
  ClientV1,
  | "listTools"
  | "callTool"
  | "listPrompts"
  | "getPrompt"
  | "listResources"
  | "listResourceTemplates"
  | "readResource"
> & { close(): Promise<void>; complete: ClientV1["complete"] };

export interface Combination {
  name: string;
  era: "legacy" | "modern";
  transport: "stdio" | "http";
  connect(server: RunningServer): Promise<OfficialClient>;
}

/** A compiled server, started at most once over HTTP and once per client over stdio. */
export interface RunningServer {
  entry: string;
  env: Record<string, string>;
  url(): Promise<URL>;
  stop(): Promise<void>;
}

const info = { name: "interop", version: "1.0.0" };

/** Every official client, over every transport, in every era that it supports. */
export const combinations: Combination[] = [
  {
    name: "SDK 1.x over stdio",
    era: "legacy",
    transport: "stdio",
    async connect(server) {
      const client = new ClientV1(info);
      await client.connect(new StdioV1(stdioOptions(server)));
      return client as OfficialClient;
    },
  },
  {
    name: "SDK 1.x over HTTP",
    era: "legacy",
    transport: "http",
    async connect(server) {
      const client = new ClientV1(info);
      await client.connect(new HttpV1(await server.url()) as Parameters<typeof client.connect>[0]);
      return client as OfficialClient;
    },
  },
  ...(["legacy", "auto"] as const).flatMap((mode): Combination[] => [
    {
      name: `client 2.x (${mode}) over stdio`,
      era: mode === "auto" ? "modern" : "legacy",
      transport: "stdio",
      async connect(server) {
        const client = new ClientV2(info, { versionNegotiation: { mode } });
        await client.connect(new StdioV2(stdioOptions(server)));
        return client as unknown as OfficialClient;
      },
    },
    {
      name: `client 2.x (${mode}) over HTTP`,
      era: mode === "auto" ? "modern" : "legacy",
      transport: "http",
      async connect(server) {
        const client = new ClientV2(info, { versionNegotiation: { mode } });
        await client.connect(new HttpV2(await server.url()));
        return client as unknown as OfficialClient;
      },
    },
  ]),
];

/** Returns the command with which both clients start the server. */
export function stdioOptions(server: RunningServer): ConstructorParameters<typeof StdioV1>[0] {
  return {
    command: process.execPath,
    args: [server.entry],
    env: { ...process.env, ...server.env } as Record<string, string>,
    stderr: "ignore",
  };
}

/**
 * Runs a compiled server's `dist/server.js`; HTTP, with these `flags`, is started on a free port when it is first
 * needed.
 */
export function runServer(
  entry: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): RunningServer {
  let started: Promise<{ url: URL; stop: () => Promise<void> }> | undefined;
  return {
    entry,
    env,
    async url() {
      started ??= startHttp(entry, env, flags);
      return (await started).url;
    },
    async stop() {
      await (await started)?.stop();
    },
  };
}

async function startHttp(
  entry: string,
  env: Record<string, string>,
  flags: readonly string[],
): Promise<{ url: URL; stop: () => Promise<void> }> {
  const server = spawn(process.execPath, [entry, "--http", "--port", "0", ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<void>((resolve) => {
    server.once("exit", () => resolve());
  });
  const url = await new Promise<URL>((resolve, reject) => {
    let output = "";
    server.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const found = /http:\/\/\S+/.exec(output);
      if (found) resolve(new URL(found[0]));
    });
    server.once("exit", () => reject(new Error(`The server did not start:\n${output}`)));
  });
  return {
    url,
    async stop() {
      server.kill("SIGTERM");
      await exited;
    },
  };
}
