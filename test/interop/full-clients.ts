import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type OfficialClient, type RunningServer, stdioOptions } from "./official-clients.js";

/** A request or notification that a client received. */
export interface Message {
  method: string;
  params?: Record<string, unknown>;
}

/** A client's answers to requests for input. */
export interface Answers {
  elicit(params: Record<string, unknown>): { action: string; content?: Record<string, unknown> };
  sample(params: Record<string, unknown>): object;
  roots: { uri: string; name?: string }[];
}

/** An official client with every capability, which records the notifications that it receives. */
export interface FullClient extends OfficialClient {
  readonly asked: Message[];
  readonly heard: Message[];
  /** Calls a tool, and returns the progress that it reports. */
  callWithProgress(name: string): Promise<number[]>;
  /** Requests log messages of this level, in the way of the era. */
  callWithLogs(name: string, level: "debug" | "info"): Promise<unknown>;
  /** Subscribes to changes of lists and of one resource. */
  watch(uri: string): Promise<void>;
}

export interface FullCombination {
  name: string;
  era: "legacy" | "modern";
  transport: "stdio" | "http" | "sse";
  connect(server: RunningServer, answers?: Answers): Promise<FullClient>;
}

const info = { name: "interop", version: "1.0.0" };
const capabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
};

/**
 * Every official client, over every transport, in every era that it supports. Without `answers`, it accepts no
 * questions.
 */
export const fullCombinations: FullCombination[] = [
  ...(["stdio", "http", "sse"] as const).map((transport): FullCombination => ({
    name: `SDK 1.x over ${transport}`,
    era: "legacy",
    transport,
    connect: (server, answers) => connectV1(server, transport, answers),
  })),
  ...(["stdio", "http"] as const).flatMap((transport) =>
    (["legacy", "auto"] as const).map((mode): FullCombination => ({
      name: `client 2.x (${mode}) over ${transport}`,
      era: mode === "auto" ? "modern" : "legacy",
      transport,
      connect: (server, answers) => connectV2(server, transport, mode, answers),
    })),
  ),
];

async function connectV1(
  server: RunningServer,
  transport: FullCombination["transport"],
  answers: Answers | undefined,
): Promise<FullClient> {
  const client = new ClientV1(info, { capabilities: answers === undefined ? {} : capabilities });
  const record = recorder();
  if (answers !== undefined) {
    const { elicit, sample, roots } = record.answering(answers);
    client.setRequestHandler(ElicitRequestSchema, (request) => elicit(request) as never);
    client.setRequestHandler(CreateMessageRequestSchema, (request) => sample(request) as never);
    client.setRequestHandler(ListRootsRequestSchema, (request) => roots(request));
  }
  client.fallbackNotificationHandler = record.hear;
  const open = {
    stdio: async () => new StdioV1(stdioOptions(server)),
    http: async () => new HttpV1(await server.url()),
    sse: async () => new SSEClientTransport(new URL("/sse", await server.url())),
  };
  await client.connect((await open[transport]()) as Parameters<typeof client.connect>[0]);
  return Object.assign(client as unknown as OfficialClient, {
    ...record.made,
    callWithProgress: (name: string) =>
      withProgress((onprogress) => client.callTool({ name }, undefined, { onprogress })),
    callWithLogs: async (name: string, level: "debug" | "info") => {
      await client.setLoggingLevel(level);
      return client.callTool({ name });
    },
    watch: async (uri: string) => {
      await client.subscribeResource({ uri });
    },
  });
}

async function connectV2(
  server: RunningServer,
  transport: "stdio" | "http",
  mode: "legacy" | "auto",
  answers: Answers | undefined,
): Promise<FullClient> {
  const client = new ClientV2(info, {
    capabilities: answers === undefined ? {} : capabilities,
    versionNegotiation: { mode },
  });
  const record = recorder();
  if (answers !== undefined) {
    const { elicit, sample, roots } = record.answering(answers);
    client.setRequestHandler("elicitation/create", (request) => elicit(request) as never);
    client.setRequestHandler("sampling/createMessage", (request) => sample(request) as never);
    client.setRequestHandler("roots/list", (request) => roots(request));
  }
  client.fallbackNotificationHandler = record.hear;
  await client.connect(
    transport === "stdio" ? new StdioV2(stdioOptions(server)) : new HttpV2(await server.url()),
  );
  const isModern = client.getProtocolEra() === "modern";
  return Object.assign(client as unknown as OfficialClient, {
    ...record.made,
    callWithProgress: (name: string) =>
      withProgress((onprogress) => client.callTool({ name }, { onprogress })),
    callWithLogs: async (name: string, level: "debug" | "info") => {
      if (isModern) return client.callTool({ name, _meta: { "io.modelcontextprotocol/logLevel": level } });
      await client.setLoggingLevel(level);
      return client.callTool({ name });
    },
    watch: async (uri: string) => {
      if (isModern) {
        await client.listen({
          toolsListChanged: true,
          promptsListChanged: true,
          resourceSubscriptions: [uri],
        });
      } else {
        await client.subscribeResource({ uri });
      }
    },
  });
}

async function withProgress(
  call: (onprogress: (progress: { progress: number }) => void) => Promise<unknown>,
): Promise<number[]> {
  const seen: number[] = [];
  await call(({ progress }) => seen.push(progress));
  return seen;
}

/** Records the requests and notifications that a client receives. */
function recorder() {
  const asked: Message[] = [];
  const heard: Message[] = [];
  const keep = ({ method, params }: { method: string; params?: object | undefined }): Message => {
    const message = { method, params: params as Record<string, unknown> };
    asked.push(message);
    return message;
  };
  return {
    made: { asked, heard },
    hear: ({ method, params }: { method: string; params?: object | undefined }): Promise<void> => {
      heard.push({ method, params: params as Record<string, unknown> });
      return Promise.resolve();
    },
    answering: ({ elicit, sample, roots }: Answers) => ({
      elicit: async (request: { method: string; params?: object }) => elicit(keep(request).params ?? {}),
      sample: async (request: { method: string; params?: object }) => sample(keep(request).params ?? {}),
      roots: async (request: { method: string; params?: object | undefined }) => {
        keep(request);
        return { roots };
      },
    }),
  };
}
