import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { type CachedWork, computeAndKeep, createKey, type SharedCompilation } from "../cache/build-cache.js";
import {
  type CachedCommand,
  COMPUTE_PATH,
  type ComputeRequest,
  getAddressPath,
  type ServiceAddress,
} from "../cache/dev-request.js";
import { identifyTools, listInstallationInputs } from "../cache/installation.js";
import { createCallWork } from "../call/call-build.js";
import { createCheckWork } from "../check/check-work.js";
import { findDirectories } from "../check/directory-names.js";
import { createInspectWork } from "../inspect/inspect-work.js";
import { isOwnRequest, isSameToken, LOCAL_HOST, readBody } from "../local-http/local-request.js";

/** The service with which a dev server computes the results of commands that run in other terminals. */
export interface CommandService {
  close(): Promise<void>;
}

/** The options of the service. */
export interface CommandServiceOptions {
  /** The project folder, absolute. */
  root: string;
  /** Returns the compilation of the files as they are on disk. */
  compile(): SharedCompilation;
}

const MAX_BODY_BYTES = 64 * 1024;

/** The functions that create the cached work of each command from its request. */
const WORK_BY_COMMAND: Readonly<
  Record<CachedCommand, (root: string, request: ComputeRequest) => CachedWork<unknown>>
> = {
  inspect: (root) => createInspectWork(root),
  check(root, { options: { directories } }) {
    const names = Array.isArray(directories) ? directories.map(String) : [];
    return createCheckWork(root, { directories: findDirectories(names) });
  },
  call: (root, { pid }) => createCallWork(root, { pid }),
};

/**
 * Starts the service on a free port of this machine. Its address is in a file that only this user can read.
 *
 * A reply only states that a result was kept. The command reads it from the cache, and compares its inputs with the files, so
 * an outdated or forged reply has no effect.
 */
export async function startCommandService({ root, compile }: CommandServiceOptions): Promise<CommandService> {
  const token = randomBytes(24).toString("base64url");
  // Identifies the tools that this process has loaded: it cannot compute the results of a later version.
  const tools = identifyTools();
  const installed = JSON.stringify(listInstallationInputs(root));
  let last: Promise<unknown> = Promise.resolve();

  /** Computes and keeps a result. Returns the problem, or undefined if there is none. */
  const compute = async (request: ComputeRequest): Promise<string | undefined> => {
    const work = WORK_BY_COMMAND[request.name](root, request);
    if (createKey(work, tools) !== request.key) return "its version, settings, or environment is different";
    // Node keeps the locations of packages that it has resolved.
    if (JSON.stringify(listInstallationInputs(root)) !== installed)
      return "it started before packages were installed";
    try {
      await computeAndKeep(work, tools, compile);
      return undefined;
    } catch {
      // The command finds the same problem, and explains it in its own terminal.
      return "it could not build the project";
    }
  };

  const respond = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { authorization = "" } = request.headers;
    const isAllowed =
      isOwnRequest(request, (server.address() as AddressInfo).port) &&
      isSameToken(authorization, `Bearer ${token}`);
    if (!isAllowed) return reject(reply, 403, "Only commands of the same user can use this service.");
    if (request.method !== "POST" || request.url !== COMPUTE_PATH)
      return reject(reply, 404, `Send a POST request to ${COMPUTE_PATH}.`);
    const body = await readBody(request, MAX_BODY_BYTES);
    const parsed = body === undefined ? undefined : parseRequest(body);
    if (parsed === undefined) return reject(reply, 400, "The body is not a valid request from a command.");
    reply.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).flushHeaders();
    // Requests are processed one after another, because recordings of inputs cannot overlap.
    const computed = last.then(() => compute(parsed));
    last = computed.catch(() => undefined);
    reply.end(await computed);
  };

  const server = createServer((request, reply) => {
    respond(request, reply).catch((error: unknown) => reply.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, LOCAL_HOST, resolve);
  });
  server.unref();
  const address: ServiceAddress = { port: (server.address() as AddressInfo).port, token };
  const path = getAddressPath(root, process.pid);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(address), { mode: 0o600 });
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await Promise.all([closed, last]);
    },
  };
}

function reject(reply: ServerResponse, status: number, problem: string): void {
  reply.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${problem}\n`);
}

/** Parses a request. Returns undefined if it is invalid. */
function parseRequest(body: string): ComputeRequest | undefined {
  try {
    const { name, options, key, pid } = JSON.parse(body) as Partial<ComputeRequest>;
    const isValid =
      name !== undefined &&
      Object.hasOwn(WORK_BY_COMMAND, name) &&
      typeof options === "object" &&
      typeof key === "string" &&
      Number.isSafeInteger(pid);
    return isValid ? ({ name, options, key, pid } as ComputeRequest) : undefined;
  } catch {
    return undefined;
  }
}
