import type { ServerLists } from "@tenon/compiler";
import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import { answerRequest, type Answers, getClientCapabilities } from "@tenon/runtime/testing";
import {
  type Client,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  type RequestOptions,
} from "../remote/official/mcp-client.js";
import { openRemote } from "../remote/open-remote.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { fetchLists } from "../remote/remote-lists.js";
import type { RemoteTarget } from "../remote/remote-target.js";
import type { Terminal } from "../terminal/terminal.js";
import { type CallClient, type CallClientOptions, LOG_LEVEL } from "./call-client.js";

/** Maximum delay of a timer, since users may take a long time to answer. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/**
 * Connects to a running server for one call.
 *
 * @throws Failure if it is unreachable
 */
export async function openRemoteCallClient(
  terminal: Terminal,
  target: RemoteTarget,
  flags: RemoteFlags,
  { answers, report, signal }: CallClientOptions,
): Promise<CallClient> {
  const server = await openRemote(terminal, target, flags, {
    signal,
    capabilities: getCapabilities(answers),
    prepare: (client) => {
      setAnswerHandlers(client, answers);
      // The client's own handler drops progress that arrives just before the response.
      client.setNotificationHandler("notifications/progress", ({ params }) => report.progress(params));
      client.setNotificationHandler("notifications/message", ({ params }) => report.log(params));
    },
  });
  const options: RequestOptions = { signal, timeout: MAX_DURATION_MS, onprogress: () => undefined };
  /** Requests log messages in the way that the server's revision requires. Returns the `_meta` to send. */
  const createMeta = async (client: Client): Promise<{ _meta?: Record<string, unknown> }> => {
    if (client.getServerCapabilities()?.logging === undefined) return {};
    if (client.getProtocolEra() === "modern") return { _meta: { [LOG_LEVEL_META_KEY]: LOG_LEVEL } };
    // Some servers declare the capability without the method. The call does not depend on it.
    await client.setLoggingLevel(LOG_LEVEL).catch((error: unknown) => {
      if (!(error instanceof ProtocolError)) throw error;
    });
    return {};
  };
  const requestResult = <T>(request: (client: Client, meta: object) => Promise<object>): Promise<T> =>
    server.use(async (client) => request(client, await createMeta(client))) as Promise<T>;
  return {
    listEntries: (kind) => server.use((client) => listKind(client, kind)),
    callTool: (name, args) =>
      requestResult<ToolResult>((client, meta) =>
        client.callTool({ name, arguments: args, ...meta }, options),
      ),
    getPrompt: (name, args) =>
      requestResult<PromptResult>((client, meta) =>
        client.getPrompt({ name, arguments: args, ...meta }, options),
      ),
    readResource: (uri) =>
      requestResult<ResourceResult>((client, meta) => client.readResource({ uri, ...meta }, options)),
    close: () => server.close(),
  };
}

/** Lists only the kind of entry that is called. */
function listKind(client: Client, kind: "tool" | "prompt" | "resource"): Promise<ServerLists> {
  return fetchLists(client, [kind]);
}

/** Returns the capabilities for these answers, without sampling with tools. */
function getCapabilities(answers: Answers): ClientCapabilities {
  const sampling = answers.sample && { sampling: {} };
  return { ...getClientCapabilities(answers), ...sampling } as ClientCapabilities;
}

/** Sets handlers for the requests that the client can answer. */
function setAnswerHandlers(client: Client, answers: Answers): void {
  const answer =
    (method: string) =>
    ({ params }: { params?: unknown }): never =>
      answerRequest(answers, method, params) as never;
  if (answers.elicit) client.setRequestHandler("elicitation/create", answer("elicitation/create"));
  if (answers.sample) client.setRequestHandler("sampling/createMessage", answer("sampling/createMessage"));
  if (answers.roots) client.setRequestHandler("roots/list", answer("roots/list"));
}
