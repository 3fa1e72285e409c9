import { spawn } from "node:child_process";
import { PassThrough, type Readable } from "node:stream";
import type { Server } from "@tenon/runtime/server";
import { serveStdio } from "@tenon/runtime/stdio";
import type { Wire } from "./wire-client.js";
import type { WireMessage } from "../wire/schemas.mjs";
import { tapped } from "../wire/tap-worker.mjs";

/** Connects to a server in this process. Messages are text, as over other transports. */
export function memoryWire(server: Server, subject?: string): Wire {
  let listener: (text: string) => void = () => {};
  const principal = subject === undefined ? undefined : { subject, scopes: [], claims: {} };
  const peer = { send: (text: string) => listener(text), principal };
  const connection = tapped(server).connect(peer);
  return {
    send: (text, message) => {
      const reply = message === undefined ? connection.rejectText("The text is not valid JSON.") : undefined;
      void Promise.resolve(reply ?? connection.receive(JSON.parse(text), peer)).then((answer) => {
        if (answer !== undefined) listener(answer.text);
      });
    },
    onMessage: (given) => {
      listener = given;
    },
    close: async () => {
      connection.close();
    },
  };
}

/** Connects to a server in this process through streams, as over stdin and stdout. */
export function pipeWire(server: Server): Wire {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = serveStdio(server, { input, output });
  return {
    send: (text) => void input.write(`${text}\n`),
    onMessage: (listener) => readLines(output, listener),
    close: async () => {
      input.end();
      await transport.closed;
    },
  };
}

/** Starts a server in its own process, connected through stdin and stdout. */
export function stdioWire(
  entry: string,
  env: Record<string, string> = {},
): Wire & { exited: Promise<number | null> } {
  const child = spawn(process.execPath, [entry], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
  });
  return {
    exited,
    send: (text) => {
      child.stdin.write(`${text}\n`);
    },
    onMessage: (listener) => readLines(child.stdout, listener),
    close: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** Splits a stream into messages. Only a line feed ends one; `node:readline` of newer versions also breaks at U+2028. */
function readLines(stream: Readable, listener: (text: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) listener(line);
  });
}

/** Connects over Streamable HTTP, with any function that has the signature of `fetch`. */
export function httpWire(url: string, send: (url: string, init: RequestInit) => Promise<Response>): Wire {
  let listener: (text: string) => void = () => {};
  let session: string | undefined;
  let queue: Promise<void> = Promise.resolve();
  const stopping = new AbortController();

  /** Opens the stream on which a legacy client receives messages that do not belong to a request. */
  const listen = async (): Promise<void> => {
    const headers = { accept: "text/event-stream", "mcp-session-id": session ?? "" };
    const response = await send(url, { method: "GET", headers, signal: stopping.signal });
    void readEvents(response, (data) => listener(data)).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  };

  const post = async (text: string, message: WireMessage | undefined): Promise<void> => {
    const response = await send(url, {
      method: "POST",
      headers: headersFor(message, session),
      body: text,
      signal: stopping.signal,
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) await readEvents(response, (data) => listener(data));
    else if (type.startsWith("application/json")) listener(await response.text());
    else await response.body?.cancel();
  };

  return {
    send: (text, message) => {
      const attempt = async (): Promise<void> => {
        try {
          await post(text, message);
          if (message?.method === "notifications/initialized" && session !== undefined) await listen();
        } catch (error) {
          if (!stopping.signal.aborted) throw error;
        }
      };
      // Only the messages that open the conversation must be complete before others are sent.
      const opens = message?.method === "initialize" || message?.method === "notifications/initialized";
      if (opens) queue = queue.then(attempt);
      else void queue.then(attempt);
    },
    onMessage: (given) => {
      listener = given;
    },
    close: async () => {
      await queue;
      if (session !== undefined)
        await send(url, { method: "DELETE", headers: { "mcp-session-id": session } });
      stopping.abort();
    },
  };
}

/** Returns the headers that a conforming client sends with a message. */
export function headersFor(message: WireMessage | undefined, session?: string): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const meta = message?.params?._meta as Record<string, unknown> | undefined;
  const version = meta?.["io.modelcontextprotocol/protocolVersion"];
  if (typeof version === "string") {
    headers["mcp-protocol-version"] = version;
    headers["mcp-method"] = message?.method ?? "";
    const name = message?.params?.name ?? message?.params?.uri ?? message?.params?.taskId;
    if (typeof name === "string") headers["mcp-name"] = encodeHeader(name);
  } else if (session !== undefined) {
    headers["mcp-session-id"] = session;
  }
  return headers;
}

function encodeHeader(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** Forwards the data of each event when it arrives. */
export async function readEvents(response: Response, onData: (data: string) => void): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = text.slice(0, end);
      text = text.slice(end + 2);
      const data = event.split("\n").filter((line) => line.startsWith("data: "));
      const whole = data.map((line) => line.slice("data: ".length)).join("\n");
      // An event without data only contains an ID from which the client can resume.
      if (whole !== "") onData(whole);
    }
  }
}
