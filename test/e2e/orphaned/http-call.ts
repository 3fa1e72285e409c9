import { LATEST } from "../../support/describe-transports.js";
import { headersFor } from "../../support/wires.js";
import type { WireMessage } from "../../wire/schemas.mjs";
import type { PipedServer } from "./piped-server.js";

const META = "io.modelcontextprotocol";

/** Waits for the URL that a server over HTTP prints. */
export function findUrl(server: PipedServer, seconds?: number): Promise<string> {
  return server.until(() => /http:\S+/.exec(server.log)?.[0], seconds);
}

/** Calls a tool over HTTP. Rejects if there is no response. */
export async function callOverHttp(url: string, name: string, args: object = {}): Promise<WireMessage> {
  const message: WireMessage = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name,
      arguments: args,
      _meta: {
        [`${META}/protocolVersion`]: LATEST,
        [`${META}/clientInfo`]: { name: "test", version: "1.0.0" },
        [`${META}/clientCapabilities`]: {},
      },
    },
  };
  const body = JSON.stringify(message);
  const response = await fetch(url, { method: "POST", headers: headersFor(message), body });
  return (await response.json()) as WireMessage;
}
