import { LATEST_LEGACY } from "./describe-transports.js";
import type { ServingProcess } from "./serving-process.js";

/** A legacy client that sends each request to the process that a test chooses. */
export class RoamingSession {
  id = "";
  #nextId = 1;

  async open(at: ServingProcess, revision = LATEST_LEGACY): Promise<this> {
    const params = {
      protocolVersion: revision,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const response = await this.post(at, "initialize", params);
    this.id = response.headers.get("mcp-session-id") ?? "";
    await response.text();
    return this;
  }

  post(at: ServingProcess, method: string, params: object = {}, more: RequestInit = {}): Promise<Response> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: this.#nextId++, method, params });
    return this.#send(at, { method: "POST", body, ...more });
  }

  call(at: ServingProcess, name: string, args: object = {}, more: RequestInit = {}): Promise<Response> {
    return this.post(at, "tools/call", { name, arguments: args, _meta: { progressToken: "p" } }, more);
  }

  get(at: ServingProcess, lastEventId?: string, more: RequestInit = {}): Promise<Response> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    return this.#send(at, { ...more, headers });
  }

  #send(at: ServingProcess, init: RequestInit): Promise<Response> {
    const headers = {
      "content-type": "application/json",
      accept: init.method === "POST" ? "application/json, text/event-stream" : "text/event-stream",
      ...(this.id === "" ? {} : { "mcp-session-id": this.id }),
      ...(init.headers as Record<string, string>),
    };
    return at.send("http://localhost/mcp", { ...init, headers });
  }
}
