/**
 * The page of a strict host, which implements the host's side of the protocol for one view. It runs in the browser.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
import type { ViewMessage } from "./messages.js";

type Json = Record<string, unknown>;

/** The settings of the host, and its responses to requests. */
export interface HostSettings {
  /** The address of the page on another origin that contains the view. */
  proxy: string;
  capabilities: Json;
  context: Json;
  /** Results by method; an `error` is sent as an error. */
  responses: Record<string, Json>;
  /** The height of the frame follows the sizes that the view reports. */
  resizes: boolean;
  /** Notifications that are sent before the response to `ui/initialize`: methods and parameters. */
  early: readonly (readonly [string, Json])[];
}

declare global {
  interface Window {
    log: ViewMessage[];
    startHost(settings: HostSettings): void;
    sendToView(message: Json): void;
    postUnframed(message: Json): void;
  }
}

window.log = [];
window.startHost = ({ proxy, capabilities, context, responses, resizes, early }) => {
  const frame = document.createElement("iframe");
  frame.src = proxy;
  frame.sandbox.add("allow-scripts", "allow-same-origin");
  frame.style.cssText = "border: 0; width: 600px; height: 150px";
  window.sendToView = (message) => {
    const sent: Json = { jsonrpc: "2.0", ...message };
    window.log.push({ from: "host", message: sent });
    frame.contentWindow?.postMessage(sent, "*");
  };
  window.addEventListener("message", ({ source, data }: MessageEvent<Json>) => {
    if (source !== frame.contentWindow || data["jsonrpc"] !== "2.0") return;
    window.log.push({ from: "view", message: data });
    const { id, method, params = {} } = data as { id?: unknown; method?: string; params?: Json };
    if (resizes && method === "ui/notifications/size-changed")
      frame.style.height = `${(params as { height: number }).height}px`;
    if (id === undefined || method === undefined) return;
    if (method === "ui/initialize") {
      const hostInfo = { name: "Strict host", version: "1.0.0" };
      const result = {
        protocolVersion: "2026-01-26",
        hostInfo,
        hostCapabilities: capabilities,
        hostContext: context,
      };
      for (const [earlyMethod, earlyParams] of early)
        window.sendToView({ method: earlyMethod, params: earlyParams });
      window.sendToView({ id, result });
      return;
    }
    const response = responses[method];
    if (response === undefined)
      window.sendToView({ id, error: { code: -32_601, message: `Unknown method ${method}` } });
    else window.sendToView({ id, ...("error" in response ? response : { result: response }) });
  });
  document.body.append(frame);
};
