import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { LATEST } from "../../support/describe-transports.js";
import { eventually } from "../../support/eventually.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";

const META = "io.modelcontextprotocol";

/** A built server with several processes that share one port. */
export class PooledServer {
  readonly child: ChildProcess;
  /** Text that all of its processes have written to stderr. */
  log = "";
  url = "";
  readonly #closed: Promise<unknown[]>;

  constructor(program: string, flags: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, [program, ...flags], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ...env },
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    this.#closed = once(this.child, "close");
  }

  /** Starts it, and waits until all workers answer. Returns their process ids. */
  static async start(
    program: string,
    count: number,
    env?: Record<string, string>,
  ): Promise<{ server: PooledServer; pids: number[] }> {
    const flags = ["--http", "--port", "0", "--workers", String(count)];
    const server = new PooledServer(program, flags, env);
    server.url = await eventually(() => findText(/http:\S+/, server.log));
    return { server, pids: await server.pids(count) };
  }

  /** Waits until this many processes respond, and returns their IDs. */
  async pids(count: number): Promise<number[]> {
    const pids = new Set<number>();
    while (pids.size < count) pids.add(Number(await this.call("where")));
    return [...pids];
  }

  /** Calls a tool over its own connection, and returns the text of the result. */
  async call(name: string, args: object = {}): Promise<string> {
    const { message } = await this.request("tools/call", { name, arguments: args });
    const { result, error } = message as unknown as {
      result?: { content: [{ text: string }] };
      error?: { message: string };
    };
    return result?.content[0].text ?? error?.message ?? "nothing";
  }

  /** Sends a request of 2026-07-28 over its own connection. */
  request(
    method: string,
    params: object,
    capabilities: object = {},
  ): Promise<{ status: number; message: WireMessage }> {
    return this.post({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          [`${META}/protocolVersion`]: LATEST,
          [`${META}/clientInfo`]: { name: "test", version: "1.0.0" },
          [`${META}/clientCapabilities`]: capabilities,
        },
      },
    });
  }

  /** Sends one message over its own connection. Rejects when that breaks. */
  async post(
    message: WireMessage,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; message: WireMessage; session: string | undefined }> {
    const sent = request(this.url, {
      method: "POST",
      agent: false,
      headers: { ...headersFor(message), ...headers },
    });
    sent.end(JSON.stringify(message));
    const [response] = await once(sent, "response");
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk;
    const data = /^data: (\{.+)$/m.exec(text)?.[1] ?? (text || "{}");
    return {
      status: response.statusCode,
      message: JSON.parse(data) as WireMessage,
      session: response.headers["mcp-session-id"],
    };
  }

  /** Returns the status of a GET over its own connection. */
  async get(path: string): Promise<number> {
    const sent = request(new URL(path, this.url), { agent: false }).end();
    const [response] = await once(sent, "response");
    response.resume();
    return response.statusCode;
  }

  waitForOutput(words: string | RegExp): Promise<string> {
    return eventually(() => findText(words, this.log));
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves with the exit of the first process. */
  async end(): Promise<unknown[]> {
    return await this.#closed;
  }

  /** Ends it, if it has not. */
  async close(): Promise<void> {
    // Its workers end with it.
    this.kill("SIGKILL");
    await this.#closed;
  }
}

function findText(words: string | RegExp, text: string): string {
  const [match] = text.match(words) ?? [];
  if (match === undefined) throw new Error(`"${words}" is not in: ${text}`);
  return match;
}
