/**
 * One of our examples and the server with which it is compared, each with an official client.
 * @module
 */
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { thirdParty } from "../third-party/installed.js";

const workspace = join(import.meta.dirname, "../..");

export interface Side {
  client: Client;
  /** The folder of its data, which calls and results contain as DATA. */
  data: string;
}

/** Starts the built example. */
export function startExample(name: string, data: string, env: Record<string, string>): Promise<Side> {
  return start([join(workspace, "examples", name, "dist/server.js")], data, env);
}

/** Starts a server from npm. */
export function startPublished(
  name: string,
  data: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Side> {
  return start([thirdParty(`${name}/dist/index.js`), ...args], data, env);
}

async function start(args: string[], data: string, env: Record<string, string>): Promise<Side> {
  const client = new Client({ name: "reference", version: "1.0.0" });
  const command = { command: process.execPath, args, stderr: "ignore" as const };
  await client.connect(
    new StdioClientTransport({ ...command, env: { ...process.env, ...env } as Record<string, string> }),
  );
  return { client, data };
}

export interface Answer {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

/** Returns the response of a server. For errors, only records that the model can correct it. */
export async function ask({ client, data }: Side, name: string, args: object): Promise<Answer> {
  const here = JSON.parse(JSON.stringify(args).replaceAll("DATA", data)) as Record<string, unknown>;
  const result = await client.callTool({ name, arguments: here });
  if (result.isError === true) {
    expect(JSON.stringify(result.content)).not.toMatch(/internal error|reference/i);
    return { isError: true };
  }
  const { content, structuredContent } = result;
  return JSON.parse(JSON.stringify({ content, structuredContent }).replaceAll(data, "DATA")) as Answer;
}

/** Returns the listing of each tool, without descriptions and constraints of arguments. */
export async function outlineTools({ client }: Side): Promise<object[]> {
  const { tools } = await client.listTools();
  return tools
    .map(({ name, title, inputSchema, outputSchema, annotations }) => ({
      name,
      title,
      arguments: Object.keys(inputSchema.properties ?? {}).sort(),
      required: [...(inputSchema.required ?? [])].sort(),
      result: outputSchema?.required,
      readOnly: annotations?.readOnlyHint ?? false,
      destructive: annotations?.readOnlyHint === true ? false : annotations?.destructiveHint,
      idempotent: annotations?.readOnlyHint === true ? true : (annotations?.idempotentHint ?? false),
      openWorld: annotations?.openWorldHint,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
