/**
 * The host's side of a view: answers its requests, and passes it the arguments and the result of a call.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @module
 */
import type { Tool, ToolResult } from "@tenon/runtime/manifest";
import type { TestClient } from "@tenon/runtime/testing";

type Json = Record<string, unknown>;

/** A message between a view and the playground. */
export interface ViewMessage {
  from: "view" | "host";
  message: { id?: unknown; method?: string; params?: Json; result?: unknown; error?: unknown };
}

/** How the playground behaves as a host. */
export interface HostSettings {
  theme: "light" | "dark";
  displayMode: "inline" | "fullscreen";
  /** Whether results lose `structuredContent` and `_meta`, as in Claude Desktop. */
  stripsData: boolean;
  /** Whether the view does not learn which tool it shows. */
  omitsTool: boolean;
  /** Whether the host has no capabilities, so that a view cannot call tools or open links. */
  isLimited: boolean;
}

export const DEFAULT_SETTINGS: HostSettings = {
  theme: "light",
  displayMode: "inline",
  stripsData: false,
  omitsTool: false,
  isLimited: false,
};

/** The call that a view shows. */
export interface ShownCall {
  tool: Tool;
  args: Json;
  /** Absent while the call is running. */
  result?: ToolResult | undefined;
  /** Set if the call ended without a result. */
  cancelled?: string | undefined;
}

/** Parts of the page that the host needs. */
export interface HostEnvironment {
  /** The content of the view, and its metadata. */
  html: string;
  allow: string;
  settings: HostSettings;
  getClient(): Promise<TestClient> | undefined;
  onMessage(message: ViewMessage): void;
  onHeight(height: number): void;
}

/** The host of one view. */
export interface ViewHost {
  /** Passes the current state of the call. */
  show(call: ShownCall): void;
  /** Passes changed settings. */
  set(settings: HostSettings): void;
  /** Stops listening. */
  close(): void;
}

const CAPABILITIES = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  downloadFile: {},
  message: {},
  updateModelContext: {},
  logging: {},
};

/** Creates the host of the view in a frame, whose page is the sandbox. */
export function createViewHost(
  frame: HTMLIFrameElement,
  first: ShownCall,
  { html, allow, settings: given, getClient, onMessage, onHeight }: HostEnvironment,
): ViewHost {
  let settings = given;
  let call = first;
  let isReady = false;
  /** The parts of the call that the view has received. */
  let sent = "";

  const post = (message: ViewMessage["message"], isInternal = false): void => {
    if (!isInternal) onMessage({ from: "host", message });
    frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
  };
  const notify = (name: string, params: Json): void => post({ method: `ui/notifications/${name}`, params });

  const pass = (): void => {
    if (!isReady) return;
    if (sent === "") notify("tool-input", { arguments: call.args });
    sent ||= "input";
    if (sent !== "input") return;
    if (call.cancelled !== undefined) notify("tool-cancelled", { reason: call.cancelled });
    else if (call.result) notify("tool-result", toSent(call.result, settings));
    else return;
    sent = "result";
  };

  const getContext = (): Json => ({
    theme: settings.theme,
    displayMode: settings.displayMode,
    availableDisplayModes: ["inline", "fullscreen"],
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
    ...(!settings.omitsTool && { toolInfo: { tool: call.tool } }),
  });

  const respond = async (method: string, params: Json): Promise<unknown> => {
    if (method === "ui/initialize")
      return {
        protocolVersion: "2026-01-26",
        hostInfo: { name: "tenon-playground", version: "1.0.0" },
        hostCapabilities: settings.isLimited ? {} : CAPABILITIES,
        hostContext: getContext(),
      };
    if (method === "ping") return {};
    const client = await getClient();
    if (!settings.isLimited && client) {
      if (method === "tools/call") {
        const { name, arguments: args } = params as { name: string; arguments?: Json };
        return toSent(await client.callTool(name, args), settings);
      }
      if (method === "resources/read") return client.readResource(String(params["uri"]));
      if (method === "ui/open-link") {
        window.open(String(params["url"]), "_blank", "noopener");
        return {};
      }
      if (method === "ui/message" || method === "ui/update-model-context" || method === "ui/download-file")
        return {};
    }
    if (method === "ui/request-display-mode") return { mode: settings.displayMode };
    throw Object.assign(new Error(`The host has no method "${method}".`), { code: -32_601 });
  };

  const receive = ({ source, data }: MessageEvent<Json>): void => {
    if (source !== frame.contentWindow) return;
    const { id, method, params = {} } = data as { id?: unknown; method?: string; params?: Json };
    if (method === "ui/notifications/sandbox-proxy-ready") {
      post({ method: "ui/notifications/sandbox-resource-ready", params: { html, allow } }, true);
      return;
    }
    const { jsonrpc: _version, ...message } = data;
    onMessage({ from: "view", message });
    if (method === "ui/notifications/initialized") {
      isReady = true;
      pass();
    } else if (method === "ui/notifications/size-changed" && typeof params["height"] === "number") {
      onHeight(params["height"]);
    }
    if (id === undefined || method === undefined) return;
    respond(method, params).then(
      (result) => post({ id, result }),
      (error: { code?: number; message: string }) =>
        post({ id, error: { code: error.code ?? -32_000, message: error.message } }),
    );
  };

  window.addEventListener("message", receive);
  return {
    show(next) {
      call = next;
      pass();
    },
    set(next) {
      settings = next;
      if (isReady) notify("host-context-changed", getContext());
    },
    close: () => window.removeEventListener("message", receive),
  };
}

/** Returns a result as the simulated host passes it. */
function toSent(result: ToolResult, { stripsData }: HostSettings): Json {
  const { structuredContent, _meta, ...rest } = result;
  return stripsData
    ? rest
    : {
        ...rest,
        ...(structuredContent !== undefined && { structuredContent }),
        ...(_meta !== undefined && { _meta }),
      };
}
