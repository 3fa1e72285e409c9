/**
 * The second origin of the playground, on which views run. A view can therefore reach neither the page nor the server.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJsonText } from "../compare/json/json-in-text.js";
import { LOCAL_HOST as HOST, readTarget } from "../local-http/local-request.js";

/** The server of the second origin. */
export interface Sandbox {
  /** The origin, without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * The page between the playground and a view. It displays the view in a frame, which inherits its security policy and its
 * sandbox, and forwards messages, except for those that are meant for this page.
 */
const PROXY = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>View</title>
<style>html,body{height:100%;margin:0}iframe{display:block;width:100%;height:100%;border:0}</style>
<body><script>
const own = "ui/notifications/sandbox-";
const frame = document.createElement("iframe");
frame.title = "View";
addEventListener("message", ({ source, data }) => {
  if (source === parent && data?.method === own + "resource-ready") {
    frame.allow = data.params.allow ?? "";
    frame.srcdoc = data.params.html;
    document.body.append(frame);
  } else if (source === parent) frame.contentWindow?.postMessage(data, "*");
  else if (source === frame.contentWindow && !String(data?.method).startsWith(own)) parent.postMessage(data, "*");
});
parent.postMessage({ jsonrpc: "2.0", method: own + "proxy-ready", params: {} }, "*");
</script></body>
</html>
`;

/** Serves the page on a free port of this machine. */
export async function createSandbox(): Promise<Sandbox> {
  const server = createServer((request, reply) => {
    const { host = "" } = request.headers;
    const { path, params } = readTarget(request);
    if (host !== new URL(getOrigin()).host || path !== "/" || request.method !== "GET") {
      reply.writeHead(404).end();
      return;
    }
    reply.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": createPolicy(params.get("csp")),
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    reply.end(PROXY);
  });
  const getOrigin = (): string => `http://${HOST}:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, resolve);
  });
  return {
    origin: getOrigin(),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns the security policy of the specification for the origins that a view declares, as JSON. */
function createPolicy(text: string | null): string {
  // Any web page can request any policy.
  const declared = (parseJsonText(text ?? "") ?? {}) as Record<string, unknown>;
  const list = (name: string): string => {
    const origins: unknown = declared[name];
    return (Array.isArray(origins) ? origins : [])
      .filter((each) => typeof each === "string" && ORIGIN.test(each))
      .map((each) => ` ${each}`)
      .join("");
  };
  const [connections, resources, frames, bases] = [
    list("connectDomains"),
    list("resourceDomains"),
    list("frameDomains"),
    list("baseUriDomains"),
  ];
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline'${resources}`,
    `style-src 'self' 'unsafe-inline'${resources}`,
    `img-src 'self' data:${resources}`,
    `media-src 'self' data:${resources}`,
    ...(resources === "" ? [] : [`font-src 'self'${resources}`]),
    `connect-src ${connections === "" ? "'none'" : `'self'${connections}`}`,
    `frame-src${frames || " 'none'"}`,
    `base-uri${bases || " 'self'"}`,
    "object-src 'none'",
  ].join("; ");
}

/** An origin, which cannot add a directive to the policy. */
const ORIGIN = /^[a-z]+:\/\/[\w.*-]+(?::\d+)?$/i;
