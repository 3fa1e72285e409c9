import { once } from "node:events";
import {
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  StdioClientTransport,
  type Transport,
} from "./official/mcp-client.js";
import { toPrintable } from "../terminal/printable.js";
import { createFetch, type Headers } from "./remote-headers.js";
import type { RemoteTarget } from "./remote-target.js";

/** A transport for one connection, which is not reopened. */
export interface RemoteTransport {
  readonly transport: Transport;
  /** Completes a login with the parameters of the redirect. */
  finishLogin(returned: URLSearchParams): Promise<void>;
  /** Prepares to close: waits for pending notifications, and ends the session. */
  leave(): Promise<void>;
}

/** The options of a transport. */
export interface TransportOptions {
  headers?: Headers;
  login?: OAuthClientProvider | undefined;
  /** Whether to use HTTP+SSE, the transport of 2024-11-05. */
  isHttpSse?: boolean;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  onStderr?: (text: string) => void;
}

/** Maximum time to wait for the end of a session. */
const LEAVE_TIMEOUT_MS = 2000;

/** Creates the transport of the official client for a URL or a program. */
export function createTransport(target: RemoteTarget, options: TransportOptions): RemoteTransport {
  if (!("url" in target)) return trackNotifications(createProgramTransport(target, options));
  const { headers = {}, login, isHttpSse = false } = options;
  const httpOptions = { fetch: createFetch(headers, target.url), ...(login && { authProvider: login }) };
  if (isHttpSse) {
    const events = new SSEClientTransport(target.url, httpOptions);
    return trackNotifications(events, { finishLogin: (returned) => events.finishAuth(returned) });
  }
  const transport = new StreamableHTTPClientTransport(target.url, httpOptions);
  return trackNotifications(transport, {
    finishLogin: (returned) => transport.finishAuth(returned),
    endSession: () => transport.terminateSession(),
  });
}

function trackNotifications(
  transport: Transport,
  {
    finishLogin = () => Promise.resolve(),
    endSession = () => Promise.resolve(),
  }: { finishLogin?: RemoteTransport["finishLogin"]; endSession?: () => Promise<void> } = {},
): RemoteTransport {
  const pending = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (!("id" in message)) {
      pending.add(sent);
      void sent.catch(() => undefined).finally(() => pending.delete(sent));
    }
    return sent;
  };
  return {
    transport,
    finishLogin,
    async leave() {
      const ended = Promise.allSettled(pending).then(endSession);
      await Promise.race([ended, once(AbortSignal.timeout(LEAVE_TIMEOUT_MS), "abort")]).catch(
        () => undefined,
      );
    },
  };
}

function createProgramTransport(
  { command, args }: Extract<RemoteTarget, { command: string }>,
  { cwd, env, onStderr }: TransportOptions,
): Transport {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...omitUndefined(process.env), ...env },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on("data", (data: Buffer) => onStderr?.(toPrintable(data.toString("utf8"))));
  return transport;
}

function omitUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
