import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { isRunning } from "../files/running-processes.js";
import { OWN_FOLDER } from "../files/own-folder.js";

/** The commands whose results are cached. */
export type CachedCommand = "inspect" | "check" | "call";

/** The URL path of a dev server's service. */
export const COMPUTE_PATH = "/compute";

/** A request to compute and keep the result of a command. */
export interface ComputeRequest {
  name: CachedCommand;
  /** The options that the result depends on. */
  options: Readonly<Record<string, unknown>>;
  /** The key of the result. A dev server of another version, or with another environment, has another key. */
  key: string;
  /** The process that runs the command. */
  pid: number;
}

/** The address of a dev server's service. Only the user who started the server can read it. */
export interface ServiceAddress {
  port: number;
  token: string;
}

/** The reply of a dev server. */
export interface DevReply {
  pid: number;
  /** Why the result was not kept. Absent if it was. */
  problem?: string;
}

/** Maximum time until the first byte of a reply. A suspended process accepts connections but never replies. */
const MAX_SILENCE_MS = 3000;
/** Maximum time until a reply is complete. Compiling in a new process takes less. */
const MAX_REPLY_MS = 30_000;

/**
 * Returns the path of the file with a service's address.
 *
 * @param root the project folder, absolute
 */
export function getAddressPath(root: string, pid: number): string {
  return join(root, OWN_FOLDER, "dev", String(pid), "service.json");
}

/**
 * Requests that a project's running dev server compute and cache a result.
 *
 * @param root the project folder, absolute
 * @returns the reply, or undefined if no dev server is running
 */
export async function requestFromDev(root: string, request: ComputeRequest): Promise<DevReply | undefined> {
  let reply: DevReply | undefined;
  for (const pid of findServers(root)) {
    const address = readAddress(getAddressPath(root, pid));
    if (!address) continue;
    const problem = await send(address, request);
    reply = { pid, ...(problem !== undefined && { problem }) };
    if (problem === undefined) break;
  }
  return reply;
}

/** Returns the process IDs of running dev servers. */
function findServers(root: string): number[] {
  try {
    return readdirSync(join(root, OWN_FOLDER, "dev"))
      .map(Number)
      .filter(isRunning);
  } catch {
    return [];
  }
}

function readAddress(path: string): ServiceAddress | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as ServiceAddress;
  } catch {
    // The service has not started yet, or has just ended.
    return undefined;
  }
}

/** Sends a request. Returns the problem, or undefined if the server kept the result. */
async function send({ port, token }: ServiceAddress, body: ComputeRequest): Promise<string | undefined> {
  const { request } = await import("node:http");
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path: COMPUTE_PATH, method: "POST", headers });
    sent.setTimeout(MAX_SILENCE_MS, () => sent.destroy(new Error("it does not reply")));
    const timer = setTimeout(() => sent.destroy(new Error("it took too long")), MAX_REPLY_MS);
    const finish = (problem: string | undefined): void => {
      clearTimeout(timer);
      resolve(problem);
    };
    sent.once("response", (response) => {
      sent.setTimeout(0);
      readText(response).then(
        (text) => finish(response.statusCode === 200 ? text || undefined : `it replied: ${text}`),
        (error: unknown) => finish((error as Error).message),
      );
    });
    sent.once("error", ({ message }) => finish(message));
    sent.end(JSON.stringify(body));
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return text.trim();
}
