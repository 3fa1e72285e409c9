import { setTimeout as delay } from "node:timers/promises";
import {
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { printable } from "./printable.js";
import { fetchWith, type Headers } from "./remote-headers.js";
import { nameOf, type RemoteTarget } from "./remote-target.js";

/** The way to a server, once: a connection that ends is not opened again. */
export interface RemoteTransport {
  readonly transport: Transport;
  /** Tells a login what its browser brought back. */
  finishLogin(returned: URLSearchParams): Promise<void>;
  /** To be awaited before it is closed: notifications on the way arrive, and the server need not keep a session. */
  leave(): Promise<void>;
}

export interface TransportOptions {
  headers?: Headers;
  login?: OAuthClientProvider | undefined;
  /** As 2024-11-05 had it: HTTP+SSE. */
  isOld?: boolean;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  onStderr?: (text: string) => void;
}

/** A server that does not take leave is left without. */
const LEAVE_MS = 2000;

export function transportTo(target: RemoteTarget, options: TransportOptions): RemoteTransport {
  if (!("url" in target)) return watched(programTransport(target, options));
  const { headers = {}, login, isOld = false } = options;
  const ways = { fetch: fetchWith(headers, target.url), ...(login && { authProvider: login }) };
  if (isOld) {
    const events = new SSEClientTransport(target.url, ways);
    return watched(events, { finishLogin: (returned) => events.finishAuth(returned) });
  }
  const transport = new StreamableHTTPClientTransport(target.url, ways);
  return watched(transport, {
    finishLogin: (returned) => transport.finishAuth(returned),
    endSession: () => transport.terminateSession(),
  });
}

function watched(
  transport: Transport,
  {
    finishLogin = () => Promise.resolve(),
    endSession = () => Promise.resolve(),
  }: { finishLogin?: RemoteTransport["finishLogin"]; endSession?: () => Promise<void> } = {},
): RemoteTransport {
  const onTheirWay = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, more) => {
    const sent = send(message, more);
    if (!("id" in message)) {
      onTheirWay.add(sent);
      void sent.catch(() => undefined).finally(() => onTheirWay.delete(sent));
    }
    return sent;
  };
  return {
    transport,
    finishLogin,
    async leave() {
      const controller = new AbortController();
      const ended = Promise.allSettled(onTheirWay).then(endSession);
      const late = delay(LEAVE_MS, undefined, { signal: controller.signal });
      await Promise.race([ended, late]).catch(() => undefined);
      controller.abort();
      await late.catch(() => undefined);
    },
  };
}

function programTransport(
  { command, args }: Extract<RemoteTarget, { command: string }>,
  { cwd, env, onStderr }: TransportOptions,
): Transport {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...definedIn(process.env), ...env },
    stderr: "pipe",
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on("data", (data: Buffer) => onStderr?.(printable(data.toString("utf8"))));
  return transport;
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A URL with a name and a password in it, as the header that browsers make of them: fetch takes no such URL. */
export function withCredentials(
  target: RemoteTarget,
  headers: Headers = {},
): { target: RemoteTarget; headers: Headers } {
  if (!("url" in target) || `${target.url.username}${target.url.password}` === "") return { target, headers };
  const { username, password } = target.url;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const url = new URL(nameOf(target));
  return {
    target: { url },
    headers: { Authorization: `Basic ${Buffer.from(pair).toString("base64")}`, ...headers },
  };
}
