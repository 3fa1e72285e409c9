import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpHandler, fromJsonSchema, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Manifest, ToolEntry } from "@tenon/runtime/manifest";
import { listen } from "@tenon/runtime/node";
import { bundle } from "../support/bundle.mjs";
import { FOREIGN } from "../wire/recorder.mjs";
import { server as tenonServer } from "../../examples/weather/dist/app.js";

export interface Subject {
  url: string;
  stop(): Promise<void>;
}

/** Serves the weather example as Tenon compiles it. */
export async function serveTenon(): Promise<Subject> {
  const listener = await listen(tenonServer, { port: 0 });
  return { url: listener.url, stop: () => listener.close() };
}

const example = join(import.meta.dirname, "../../examples/weather");
const manifest = JSON.parse(readFileSync(join(example, "dist/tenon.manifest.json"), "utf8")) as Manifest;

/** Methods of the example's class that are called here. */
interface Weather {
  current(city: string, units: string): unknown;
  forecast(args: { city: string; days: number; from?: Date }): unknown;
  cities(): string[];
  report(city: string, year: number): string;
  plan(city: string, mood: string, days: number): string;
}

/** Serves the weather example, registered by hand with the official SDK: the same class, the same definitions. */
export async function serveOfficial(): Promise<Subject> {
  const weather = await loadWeather();
  const handler = createMcpHandler(() => createOfficialServer(weather));
  const http = createHttpServer((request, response) => void bridge(handler.fetch, request, response));
  // The messages of the other server are not checked.
  Object.assign(http, { [FOREIGN]: true });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => {
        http.close(resolve);
      });
    },
  };
}

/** Loads the class from the source that Tenon compiles. */
async function loadWeather(): Promise<Weather> {
  const folder = await mkdtemp(join(tmpdir(), "tenon-differential-"));
  try {
    const outfile = join(folder, "weather.mjs");
    await bundle(join(example, "src/weather.ts"), outfile);
    const module = (await import(outfile)) as { Weather: new () => Weather };
    return new module.Weather();
  } finally {
    await rm(folder, { recursive: true });
  }
}

function createOfficialServer(weather: Weather): McpServer {
  const hint = { ttlMs: 60_000, cacheScope: "public" } as const;
  const official = new McpServer(manifest.server, {
    cacheHints: {
      "server/discover": hint,
      "tools/list": hint,
      "prompts/list": hint,
      "resources/list": hint,
      "resources/templates/list": hint,
    },
  });

  const registerTool = (name: string, call: (args: Record<string, unknown>) => unknown): void => {
    const { definition } = manifest.tools.find((entry) => entry.definition.name === name) as ToolEntry;
    const { description, annotations, inputSchema, outputSchema } = definition;
    type Schema = Parameters<typeof fromJsonSchema>[0];
    official.registerTool(
      name,
      {
        ...(description === undefined ? {} : { description }),
        ...(annotations === undefined ? {} : { annotations }),
        inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema as Schema),
        outputSchema: fromJsonSchema(outputSchema as Schema),
      },
      (args) => {
        const value = JSON.parse(JSON.stringify(call(args))) as Record<string, unknown>;
        return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
      },
    );
  };
  registerTool("current", ({ city, units }) =>
    weather.current(city as string, (units ?? "metric") as string),
  );
  registerTool("forecast", ({ city, days, from }) =>
    weather.forecast({
      city: city as string,
      days: days as number,
      ...(from === undefined ? {} : { from: new Date(from as string) }),
    }),
  );

  const [plan] = manifest.prompts;
  const { description: planDescription = "" } = plan?.definition ?? {};
  official.registerPrompt(
    "plan",
    {
      description: planDescription,
      argsSchema: fromJsonSchema<Record<string, string>>({
        type: "object",
        properties: { city: { type: "string" }, mood: { enum: ["calm", "busy"] }, days: { type: "string" } },
        required: ["city", "mood"],
        additionalProperties: false,
      }),
    },
    ({ city = "", mood = "", days }) => ({
      description: planDescription,
      messages: [
        {
          role: "user",
          content: { type: "text", text: weather.plan(city, mood, Number(days ?? 3)) },
        },
      ],
    }),
  );

  const [cities] = manifest.resources;
  const { description = "" } = cities?.definition ?? {};
  official.registerResource(
    "cities",
    "climate://cities",
    { description, mimeType: "application/json" },
    () => ({
      contents: [
        { uri: "climate://cities", mimeType: "application/json", text: JSON.stringify(weather.cities()) },
      ],
    }),
  );
  const [report] = manifest.resourceTemplates;
  official.registerResource(
    "report",
    new ResourceTemplate("climate://{city}/{year}", { list: undefined }),
    { description: report?.definition.description ?? "", mimeType: "text/markdown" },
    (uri, { city, year }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: "text/markdown",
          text: weather.report(decodeURIComponent(String(city)), Number(year)),
        },
      ],
    }),
  );
  return official;
}

/** Adapts a function of the web's types to Node's HTTP server. */
async function bridge(
  serve: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = "GET" } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const response = await serve(
    new Request(`http://${incoming.headers.host ?? "localhost"}${incoming.url ?? "/"}`, {
      method,
      headers,
      ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const chunk of response.body ?? []) outgoing.write(chunk);
  outgoing.end();
}
