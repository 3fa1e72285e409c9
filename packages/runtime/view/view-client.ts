import type {
  Content,
  EmbeddedResource,
  Implementation,
  LoggingLevel,
  ResourceContents,
  ResourceLink,
  ToolResult,
} from "@tenon/runtime/manifest";
import { connectToHost, type HostErrorResponse, type Json, METHOD_NOT_FOUND } from "./host-connection.js";
import { createSizeReporter } from "./size-reporter.js";
import { applyTheme } from "./theme.js";
import { type HostTool, readData, readText, type ReadToolValue } from "./tool-value.js";
import { createViewError, type ViewError } from "./view-error.js";

/** Way in which a host displays a view. */
export type DisplayMode = "inline" | "fullscreen" | "pip";

/** Surroundings of a view in its host. Every member may be missing, and may change. */
export interface HostContext {
  readonly toolInfo?: { readonly id?: string | number; readonly tool: HostTool };
  readonly theme?: "light" | "dark";
  readonly styles?: {
    readonly variables?: Readonly<Record<string, string | undefined>>;
    readonly css?: { readonly fonts?: string };
  };
  readonly displayMode?: DisplayMode;
  readonly availableDisplayModes?: readonly DisplayMode[];
  readonly containerDimensions?: {
    readonly width?: number;
    readonly maxWidth?: number;
    readonly height?: number;
    readonly maxHeight?: number;
  };
  /** BCP 47 language tag. */
  readonly locale?: string;
  /** IANA time zone. */
  readonly timeZone?: string;
  readonly userAgent?: string;
  readonly platform?: "web" | "desktop" | "mobile";
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean };
  readonly safeAreaInsets?: { readonly [side in "top" | "right" | "bottom" | "left"]?: number };
}

/** The client that displays the view. */
export interface ViewHost {
  readonly info?: Implementation;
  readonly capabilities: Readonly<Record<string, object | undefined>>;
  readonly context: HostContext;
}

/** Props of a view, without the types of a tool. */
export interface AnyViewProps {
  readonly tool: string;
  readonly state: "waiting" | "ready" | "failed" | "cancelled";
  readonly input: Json;
  readonly result?: unknown;
  readonly error?: ViewError | undefined;
  readonly app: ViewClient;
}

/** Facts about a view that its build determines. */
export interface ViewInfo {
  readonly name: string;
  readonly version: string;
  /** Tools that show the view. The first is assumed if the host does not name the tool. */
  readonly shown: readonly [string, ...string[]];
  /** The tools in `shown` that only read: they are called again if the host passes a result without its data. */
  readonly readOnly: readonly string[];
  /** Reads the result of each tool that shows the view, or that it may call. */
  readonly tools: Readonly<Record<string, ReadToolValue>>;
  /** The display modes that it supports. */
  readonly displayModes: readonly DisplayMode[];
  /** Whether to report the height. */
  readonly autoSize: boolean;
}

/**
 * Requests of a view to its host.
 *
 * @throws ViewError, from every promise, if the host lacks the capability or refuses
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export interface ViewClient {
  /**
   * Calls tools of the view's server. Each function accepts the arguments of its tool and returns its value.
   *
   * @example
   * const { days } = await app.call.forecast({ city: "Oslo" });
   */
  readonly call: Readonly<Record<string, (args?: object) => Promise<unknown>>>;
  /** The client, its capabilities, and its context. */
  readonly host: ViewHost;
  /** Reads a resource of the view's server. */
  readResource(uri: string): Promise<ResourceContents[]>;
  /** Asks the host to open a link in the user's browser. */
  openLink(url: string): Promise<unknown>;
  /** Asks the host to save files for the user. */
  downloadFile(contents: (EmbeddedResource | ResourceLink)[]): Promise<unknown>;
  /** Sends a message to the conversation on behalf of the user: text, or content blocks. */
  sendMessage(content: string | Content[]): Promise<unknown>;
  /** Sets what the model knows of the view. It replaces what was set before; some hosts ignore it. */
  updateModelContext(context: { content?: Content[]; structuredContent?: Json }): Promise<unknown>;
  /** Requests a different display mode. Returns the one that the host chose. */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>;
  /** Sends an entry to the log of the host. */
  log(level: LoggingLevel, data: unknown): void;
  /**
   * Calls a function with the props, now and whenever they or the host's context change. Returns a function that ends this.
   *
   * @example
   * app.subscribe(({ app }) => console.log(app.host.context.displayMode));
   */
  subscribe(listener: (props: AnyViewProps) => void): () => unknown;
}

/**
 * Connects a view to its host. The build calls it for `mount` functions, and an HTML file that the author built may.
 *
 * @param mount is called once, when the host is connected. It may return a function that runs before the host removes the
 *   view.
 * @example
 * const tools = { forecast: readData };
 * const shown = { shown: ["forecast"], readOnly: ["forecast"], tools } as const;
 * mountView({ name: "forecast", version: "1.0.0", ...shown, displayModes: ["inline"], autoSize: true }, (app) => {
 *   app.subscribe(({ result }) => { document.body.textContent = JSON.stringify(result); });
 * });
 */
export function mountView(
  { name, version, shown, readOnly, tools, displayModes, autoSize }: ViewInfo,
  mount: (app: ViewClient) => Unmount,
): void {
  const host: { -readonly [Member in keyof ViewHost]: ViewHost[Member] } = {
    capabilities: {},
    context: {},
  };
  const listeners = new Set<(props: AnyViewProps) => void>();
  let unmount: Unmount;
  let input: Json = {};
  let props: AnyViewProps;

  const show = (state: AnyViewProps["state"], outcome?: Pick<AnyViewProps, "result" | "error">): void => {
    const tool = shown.find((each) => each === host.context.toolInfo?.tool.name) ?? shown[0];
    props = { ...outcome, tool, app, input, state };
    for (const listener of listeners) listener(props);
  };
  const read = (result: ToolResult, name: string, tool?: HostTool): unknown => {
    if (result.isError) throw createViewError("tool-failed", readText(result), { result });
    return (tools[name] ?? readData)(result, tool);
  };
  /** Returns the value of the call that the view shows. */
  const readShown = async (result: Json): Promise<unknown> => {
    const { tool } = props;
    try {
      return read(result as never, tool, host.context.toolInfo?.tool);
    } catch (error) {
      // Some hosts remove both the data and its JSON text.
      if (result["isError"] || !readOnly.includes(tool)) throw error;
      return app.call[tool]?.(input);
    }
  };
  const setContext = (changes: HostContext): void => {
    host.context = { ...host.context, ...changes };
    applyTheme(host.context);
    show(props.state, props);
  };
  const showInput = (params: Json): void => {
    input = (params["arguments"] ?? {}) as Json;
    show("waiting");
  };

  /** Handlers of notifications, by name without the prefix. */
  const handlers: Readonly<Record<string, (params: Json) => void>> = {
    "tool-input-partial": showInput,
    "tool-input": showInput,
    "tool-cancelled": () => show("cancelled"),
    "tool-result": (result) =>
      void readShown(result).then(
        (value) => show("ready", { result: value }),
        (error: ViewError) => show("failed", { error }),
      ),
    "host-context-changed": (changes) => {
      setContext(changes);
      reportSize();
    },
  };
  const [request, notify] = connectToHost(
    (method) => {
      if (method === "ui/resource-teardown") unmount?.();
      else if (method !== "ping") return undefined;
      return {};
    },
    (method, params) => handlers[method.replace(NOTIFICATION, "")]?.(params),
  );
  const reportHeight = createSizeReporter((size) => notify(`${NOTIFICATION}size-changed`, size));
  const reportSize = (): void => reportHeight(!autoSize || host.context.displayMode === "fullscreen");

  const rejectFor = (capability: string): never => {
    throw createViewError("capability-missing", `${host.info?.name ?? "The client"} lacks "${capability}".`, {
      capability,
    });
  };
  /**
   * Sends a request that needs a capability of the host.
   *
   * @param isAnnounced whether every host that has the capability announces it
   */
  const ask = async (method: string, params: Json, capability: string, isAnnounced = true): Promise<Json> => {
    if (isAnnounced && !host.capabilities[capability]) rejectFor(capability);
    const result = await request(method, params).catch(({ code, message }: HostErrorResponse) => {
      if (code === METHOD_NOT_FOUND) rejectFor(capability);
      throw createViewError("rejected", message);
    });
    if (result["isError"] && method !== CALL) throw createViewError("rejected", "The client refused.");
    return result;
  };

  const app: ViewClient = {
    call: new Proxy({} as ViewClient["call"], {
      get:
        (_, name: string) =>
        async (args: Json = {}) =>
          read((await ask(CALL, { name, arguments: args }, "serverTools")) as never, name),
    }),
    host,
    readResource: async (uri) =>
      (await ask("resources/read", { uri }, "serverResources"))["contents"] as ResourceContents[],
    openLink: (url) => ask("ui/open-link", { url }, "openLinks"),
    downloadFile: (contents) => ask("ui/download-file", { contents }, "downloadFile"),
    sendMessage: (content) =>
      ask(
        "ui/message",
        { role: "user", content: typeof content === "string" ? [{ type: "text", text: content }] : content },
        "message",
        false,
      ),
    updateModelContext: (context) => ask("ui/update-model-context", context, "updateModelContext", false),
    async requestDisplayMode(mode) {
      if (!host.context.availableDisplayModes?.includes(mode)) rejectFor(mode);
      return (await ask("ui/request-display-mode", { mode }, mode, false))["mode"] as DisplayMode;
    },
    log: (level, data) => notify("notifications/message", { level, data }),
    subscribe(listener) {
      listeners.add(listener);
      listener(props);
      return () => listeners.delete(listener);
    },
  };

  show("waiting");
  void request("ui/initialize", {
    appInfo: { name, version },
    appCapabilities: { availableDisplayModes: displayModes },
    protocolVersion: "2026-01-26",
  }).then(({ hostInfo, hostCapabilities = {}, hostContext }) => {
    host.info = hostInfo as Implementation;
    host.capabilities = hostCapabilities as ViewHost["capabilities"];
    setContext(hostContext as HostContext);
    unmount = mount(app);
    notify(`${NOTIFICATION}initialized`, {});
    reportSize();
  });
}

/** Removes what a view has created. */
export type Unmount = (() => void) | void;

const CALL = "tools/call";
const NOTIFICATION = "ui/notifications/";
