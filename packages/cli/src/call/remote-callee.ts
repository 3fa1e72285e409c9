import {
  type Client,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  type RequestOptions,
} from "@modelcontextprotocol/client";
import type { ServerLists } from "@tenon/compiler";
import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { Answers, Elicitation } from "@tenon/runtime/testing";
import { openRemote } from "../remote/open-remote.js";
import type { RemoteFlags } from "../remote/remote-flags.js";
import { remoteLists } from "../remote/remote-lists.js";
import type { RemoteTarget } from "../remote/remote-target.js";
import type { Terminal } from "../terminal/terminal.js";
import { type Callee, type CallerOptions, LOG_LEVEL } from "./callee.js";

/** The longest that a timer waits: a person may think about a question for a while. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A server that runs somewhere else.
 *
 * @throws Failure when it cannot be reached
 */
export async function remoteCallee(
  terminal: Terminal,
  target: RemoteTarget,
  flags: RemoteFlags,
  { answers, report, signal }: CallerOptions,
): Promise<Callee> {
  const server = await openRemote(terminal, target, flags, {
    signal,
    capabilities: capabilitiesOf(answers),
    prepare: (client) => {
      answerBy(client, answers);
      // The client's own handler forgets what an answer follows at once.
      client.setNotificationHandler("notifications/progress", ({ params }) => report.progress(params));
      client.setNotificationHandler("notifications/message", ({ params }) => report.log(params));
    },
  });
  const options: RequestOptions = { signal, timeout: LONGEST_MS, onprogress: () => undefined };
  /** Says to the server which log messages are wanted, in the way of its revision. */
  const meta = async (client: Client): Promise<{ _meta?: Record<string, unknown> }> => {
    if (client.getServerCapabilities()?.logging === undefined) return {};
    if (client.getProtocolEra() === "modern") return { _meta: { [LOG_LEVEL_META_KEY]: LOG_LEVEL } };
    await client.setLoggingLevel(LOG_LEVEL);
    return {};
  };
  const result = <T>(request: (client: Client, more: object) => Promise<object>): Promise<T> =>
    server.use(async (client) => request(client, await meta(client))) as Promise<T>;
  return {
    offered: (kind) => server.use((client) => listed(client, kind)),
    callTool: (name, args) =>
      result<ToolResult>((client, more) => client.callTool({ name, arguments: args, ...more }, options)),
    getPrompt: (name, args) =>
      result<PromptResult>((client, more) => client.getPrompt({ name, arguments: args, ...more }, options)),
    readResource: (uri) =>
      result<ResourceResult>((client, more) => client.readResource({ uri, ...more }, options)),
    close: () => server.close(),
  };
}

/** Nothing is listed that the call has no use for. */
function listed(client: Client, kind: "tool" | "prompt" | "resource"): Promise<ServerLists> {
  return remoteLists(client, [kind]);
}

function capabilitiesOf({ elicit, sample, roots }: Answers): ClientCapabilities {
  return {
    ...(elicit && { elicitation: { form: {}, url: {} } }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

function answerBy(client: Client, { elicit, sample, roots }: Answers): void {
  if (elicit) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      return (await elicit(params as Elicitation)) as { action: "accept"; content?: Record<string, string> };
    });
  }
  if (sample) {
    client.setRequestHandler("sampling/createMessage", async ({ params }) => {
      const answer = await sample(params as Parameters<typeof sample>[0]);
      return answer as { role: "assistant"; model: string; content: { type: "text"; text: string } };
    });
  }
  if (roots) client.setRequestHandler("roots/list", () => ({ roots }));
}
