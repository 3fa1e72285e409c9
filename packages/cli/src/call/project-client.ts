import type { ServerLists } from "@tenon/compiler";
import type { Principal } from "@tenon/runtime";
import type { Manifest } from "@tenon/runtime/manifest";
import type { TestClient } from "@tenon/runtime/testing";
import { toServerLists } from "../project/manifest-lists.js";
import { getAuthorCapabilities } from "../project/view-capability.js";
import { enterProject, findProjectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";
import { LOG_LEVEL, type CallClient, type CallClientOptions, type RequiredCaller } from "./call-client.js";
import { buildForCalls } from "./call-build.js";
import { type ConnectedServer, connectToBuilt } from "./load-server.js";
import type { Target } from "./target.js";

/** One day. The timer keeps the process alive while a handler waits for `AbortSignal.timeout()`, which does not. */
const KEEP_ALIVE_INTERVAL_MS = 86_400_000;
const LEGACY = "2025-11-25";

type Entry = Pick<Manifest["tools"][number], "scopes" | "handler">;

/**
 * Builds the project in the current folder for one call, unless an earlier build is up to date. The build is loaded when the call is made.
 *
 * @returns the client, or undefined if the build failed and its errors have been printed
 */
export async function openProjectClient(
  terminal: Terminal,
  { answers, report, signal, era, principal, verbose = false }: CallClientOptions,
): Promise<CallClient | undefined> {
  const root = findProjectRoot(".", terminal.cwd);
  const built = await buildForCalls(terminal, root, verbose);
  signal.throwIfAborted();
  if (!built) return undefined;

  const { manifest, outDir } = built;
  const lists = toServerLists(manifest);
  const keepAliveTimer = setInterval(() => undefined, KEEP_ALIVE_INTERVAL_MS);
  let connection: Promise<ConnectedServer> | undefined;
  const getClient = async (): Promise<TestClient> => {
    enterProject(root, terminal.cwd);
    connection ??= connectToBuilt(outDir, {
      answers,
      capabilities: getAuthorCapabilities(manifest, answers),
      logLevel: LOG_LEVEL,
      ...(era === "legacy" && { revision: LEGACY }),
      ...(principal && { principal }),
      onMessage: ({ method, params }) => {
        if (method === "notifications/message") report.log(params as Parameters<typeof report.log>[0]);
      },
    });
    const { client, server } = await connection;
    started = { caller: principal ?? server.localPrincipal };
    return client;
  };
  // Until the server has started, its caller is unknown, and a failure has another cause.
  let started: { readonly caller: Principal | undefined } | undefined;
  const options = { signal, onProgress: report.progress };
  return {
    listEntries: async (kind) =>
      kind === "tool" && manifest.toolSearch ? addSearchTools(lists, await getClient()) : lists,
    callTool: async (name, args) => (await getClient()).callTool(name, args, options),
    getPrompt: async (name, args) => (await getClient()).getPrompt(name, args, options),
    readResource: async (uri) => (await getClient()).readResource(uri, options),
    findRequiredCaller: (target) =>
      started && findRequiredCaller(findEntry(manifest, target), started.caller),
    async close() {
      const connected = await connection?.catch(() => undefined);
      await connected?.close();
      clearInterval(keepAliveTimer);
    },
  };
}

/** Adds the tools with which clients search. The running server creates them, so the manifest lacks them. */
async function addSearchTools(lists: ServerLists, client: TestClient): Promise<ServerLists> {
  const names = new Set(lists.tools.map(({ name }) => name));
  const listed = await client.listTools();
  return { ...lists, tools: [...listed.filter(({ name }) => !names.has(name)), ...lists.tools] };
}

/** Returns a tool, a prompt, or a resource with a fixed URI. */
function findEntry({ tools, prompts, resources }: Manifest, target: Target): Entry | undefined {
  if (target.kind === "resource") return resources.find(({ definition }) => definition.uri === target.uri);
  return (target.kind === "tool" ? tools : prompts).find(({ definition }) => definition.name === target.name);
}

function findRequiredCaller(
  entry: Entry | undefined,
  caller: Principal | undefined,
): RequiredCaller | undefined {
  const { scopes = [], handler } = entry ?? {};
  // A scope may imply others, so only a caller without any scopes certainly lacks one.
  if (scopes.length > 0 && (caller?.scopes ?? []).length === 0) return { subject: "me", scopes };
  const needsPrincipal = handler?.parameters.some((each) => each.from === "principal" && !each.optional);
  return needsPrincipal === true && caller === undefined ? { subject: "me" } : undefined;
}
