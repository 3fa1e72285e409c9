/**
 * The host's side of a view: answers its requests, and passes it the arguments and the result of a call.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @module
 */
import { isVisibleTo, type Tool, type ToolResult } from "@tenon/runtime/manifest";
import type { TestClient } from "@tenon/runtime/testing";

type Json = Record<string, unknown>;

/** A message between a view and its host. */
export interface ViewMessage {
  from: "view" | "host";
  message: { id?: unknown; method?: string; params?: Json; result?: unknown; error?: unknown };
}

/** The behavior of a host. */
export interface HostSettings {
  readonly theme: "light" | "dark";
  readonly displayMode: "inline" | "fullscreen" | "pip";
  /** The capabilities that the host announces, such as `{ serverTools: {} }`. Default: all. */
  readonly capabilities: Json;
  /** Additional context of the host, such as `locale`. */
  readonly context: Json;
  /** Whether results lose `structuredContent` and `_meta`, as in Claude Desktop. */
  readonly stripsData: boolean;
  /** Whether the context for the view lacks the tool that it shows. */
  readonly omitsTool: boolean;
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

const OFFERED_MODES = ["inline", "fullscreen"] as const;

/** The settings of a host that supports everything. */
export const DEFAULT_SETTINGS: HostSettings = {
  theme: "light",
  displayMode: "inline",
  capabilities: CAPABILITIES,
  context: {},
  stripsData: false,
  omitsTool: false,
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

/** The surroundings of a host: its settings, and its connections to the view and the server. */
export interface HostEnvironment {
  settings: HostSettings;
  /** Sends a message to the view. */
  post(message: object): void;
  getClient(): Promise<ViewServer> | undefined;
  openLink(url: string): void;
  onMessage(message: ViewMessage): void;
  onHeight(height: number): void;
  /** Receives the display mode that the view has requested, if the host offers it. */
  onDisplayMode?(mode: HostSettings["displayMode"]): void;
}

/** The connection to the server of a view. */
export interface ViewServer extends Pick<TestClient, "callTool" | "readResource"> {
  listTools(): Promise<readonly Tool[]>;
}

/** The host of one view. */
export interface ViewHost {
  /** Handles a message from the view. */
  receive(message: ViewMessage["message"]): void;
  /** Passes the current state of the call. */
  show(call: ShownCall): void;
  /** Changes some of the settings. */
  set(changes: Partial<HostSettings>): void;
}

/** Creates the host of a view that shows a call. */
export function createViewHost(
  first: ShownCall,
  { settings: given, post, getClient, openLink, onMessage, onHeight, onDisplayMode }: HostEnvironment,
): ViewHost {
  let settings = given;
  let call = first;
  let isReady = false;
  /** The parts of the call that the view has received. */
  let sent = "";

  const send = (message: ViewMessage["message"]): void => {
    onMessage({ from: "host", message });
    post({ jsonrpc: "2.0", ...message });
  };
  const notify = (name: string, params: Json): void => send({ method: `ui/notifications/${name}`, params });

  const passCall = (): void => {
    if (!isReady) return;
    if (sent === "") notify("tool-input", { arguments: call.args });
    sent ||= "input";
    if (sent !== "input") return;
    if (call.cancelled !== undefined) notify("tool-cancelled", { reason: call.cancelled });
    else if (call.result) notify("tool-result", toPassedResult(call.result, settings));
    else return;
    sent = "result";
  };

  const getContext = (): Json => ({
    theme: settings.theme,
    displayMode: settings.displayMode,
    availableDisplayModes: OFFERED_MODES,
    locale: Intl.DateTimeFormat().resolvedOptions().locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: "web",
    ...settings.context,
    ...(!settings.omitsTool && { toolInfo: { tool: call.tool } }),
  });

  const set = (changes: Partial<HostSettings>): void => {
    settings = { ...settings, ...changes };
    if (isReady) notify("host-context-changed", getContext());
  };

  const respond = async (method: string, params: Json): Promise<unknown> => {
    if (method === "ui/initialize")
      return {
        protocolVersion: "2026-01-26",
        hostInfo: { name: "tenon-playground", version: "1.0.0" },
        hostCapabilities: settings.capabilities,
        hostContext: getContext(),
      };
    if (method === "ping") return {};
    const capability = REQUIRED_CAPABILITIES[method];
    const client = await getClient();
    if (capability !== undefined && settings.capabilities[capability] && client) {
      if (method === "tools/call") {
        const { name, arguments: args } = params as { name: string; arguments?: Json };
        await checkVisibility(client, name);
        return toPassedResult(await client.callTool(name, args), settings);
      }
      if (method === "resources/read") return client.readResource(String(params["uri"]));
      if (method === "ui/open-link") openLink(checkLink(String(params["url"])));
      return {};
    }
    if (method === "ui/request-display-mode") {
      const mode = OFFERED_MODES.find((each) => each === params["mode"]);
      if (mode !== undefined) {
        set({ displayMode: mode });
        onDisplayMode?.(mode);
      }
      return { mode: settings.displayMode };
    }
    throw Object.assign(new Error(`The host has no method "${method}".`), { code: -32_601 });
  };

  return {
    receive({ id, method, params = {}, ...message }) {
      onMessage({
        from: "view",
        message: {
          ...(id !== undefined && { id }),
          ...(method !== undefined && { method, params }),
          ...message,
        },
      });
      if (method === "ui/notifications/initialized") {
        isReady = true;
        passCall();
      } else if (method === "ui/notifications/size-changed" && typeof params["height"] === "number") {
        onHeight(params["height"]);
      }
      if (id === undefined || method === undefined) return;
      respond(method, params).then(
        (result) => send({ id, result }),
        (error: { code?: number; message: string }) =>
          send({ id, error: { code: error.code ?? -32_000, message: error.message } }),
      );
    },
    show(next) {
      call = next;
      passCall();
    },
    set,
  };
}

/**
 * Checks that a URL is that of a page. Clients open no others: `javascript:` would run in the client itself.
 *
 * @throws Error for the request of the view
 */
function checkLink(url: string): string {
  if (/^(?:https?:\/\/|mailto:)/i.test(url)) return url;
  throw new Error(
    `The client opens only pages, such as https://example.com, but not ${JSON.stringify(url)}.`,
  );
}

/** The capability that each request needs. */
const REQUIRED_CAPABILITIES: Readonly<Record<string, string>> = {
  "tools/call": "serverTools",
  "resources/read": "serverResources",
  "ui/open-link": "openLinks",
  "ui/download-file": "downloadFile",
  "ui/message": "message",
  "ui/update-model-context": "updateModelContext",
};

/**
 * Checks that views may call a tool.
 *
 * @throws Error if only models may, since hosts must reject such calls
 */
async function checkVisibility(client: ViewServer, name: string): Promise<void> {
  const tool = (await client.listTools()).find((each) => each.name === name);
  if (!isVisibleTo((tool?._meta?.["ui"] ?? {}) as { visibility?: string[] }, "app"))
    throw new Error(`Views may not call the tool "${name}": its visibility is ["model"].`);
}

/** Returns a result as the simulated host passes it. */
function toPassedResult(result: ToolResult, { stripsData }: HostSettings): Json {
  const { structuredContent, _meta, ...rest } = result;
  return stripsData
    ? rest
    : {
        ...rest,
        ...(structuredContent !== undefined && { structuredContent }),
        ...(_meta !== undefined && { _meta }),
      };
}
