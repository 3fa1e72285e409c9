import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A program that serves over stdio, and its surroundings. */
export interface StartedProgram {
  command: string;
  args: string[];
  cwd: string;
  env?: Record<string, string>;
}

export const ERAS = ["legacy", "auto"] as const;

export type Era = (typeof ERAS)[number];

/** Starts a program and connects the official client to it. */
export async function startClient(
  { command, args, cwd, env = {} }: StartedProgram,
  mode: Era = "auto",
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const path = process.env["PATH"] ?? "";
  await client.connect(new StdioClientTransport({ command, args, cwd, env: { PATH: path, ...env } }));
  return client;
}

/** Connects the official client through a `fetch`. */
export async function fetchClient(
  url: string,
  fetch: typeof globalThis.fetch,
  mode: Era = "auto",
  canBeAsked = false,
): Promise<Client> {
  const capabilities = canBeAsked ? { elicitation: { form: {} } } : {};
  const info = { name: "test", version: "1.0.0" };
  const client = new Client(info, { versionNegotiation: { mode }, capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch }));
  return client;
}

/** Returns the text of a tool's result. */
export async function callText(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text?: string }[]).map((each) => each.text ?? "").join("\n");
  return isError === true ? `error: ${text}` : text;
}
