import type { Tool } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Call } from "../state/calls.js";
import { errorMessage } from "../state/error-message.js";
import type { Playground } from "../state/playground.js";
import { JsonView } from "./json-view.js";
import {
  createViewHost,
  DEFAULT_SETTINGS,
  type HostSettings,
  type ViewHost,
  type ViewMessage,
} from "./view-host.js";

/** The height until the view reports its own, in pixels. */
const INITIAL_HEIGHT = 120;
/** The height in fullscreen, in pixels. */
const FULL_HEIGHT = 640;

/** Returns the URI of a tool's view, if it has one. */
export function getViewUri(tool: Tool): string | undefined {
  const ui = tool._meta?.["ui"] as { resourceUri?: string } | undefined;
  return ui?.resourceUri;
}

interface ViewSource {
  html: string;
  /** The address of the page that contains the view. */
  address: string;
  allow: string;
}

interface ToolViewProps {
  playground: Playground;
  tool: Tool;
  uri: string;
  call: Call;
}

/** The view of a call, as a client would display it. */
export function ToolView({ playground, tool, uri, call }: ToolViewProps): VNode {
  const [source, setSource] = useState<ViewSource>();
  const [problem, setProblem] = useState<string>();
  const [settings, setSettings] = useState<HostSettings>(() => ({
    ...DEFAULT_SETTINGS,
    theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  }));
  const [messages, setMessages] = useState<readonly ViewMessage[]>([]);
  const [height, setHeight] = useState(INITIAL_HEIGHT);
  const frame = useRef<HTMLIFrameElement>(null);
  const host = useRef<ViewHost | undefined>(undefined);
  const shown = toShownCall(tool, call);

  useEffect(() => {
    let isCurrent = true;
    readView(playground, uri).then(
      (next) => isCurrent && setSource(next),
      (error: unknown) => isCurrent && setProblem(errorMessage(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [uri]);

  // A host that removes data differs from the beginning, so the view starts again.
  const restart = `${settings.stripsData} ${settings.omitsTool} ${settings.isLimited}`;
  // The host must listen before the page in the frame is loaded.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || !source) return undefined;
    setMessages([]);
    const own = createViewHost(element, shown, {
      ...source,
      settings,
      getClient: () => playground.getClient(),
      onMessage: (message) => setMessages((before) => [...before.slice(-MAX_MESSAGES), message]),
      onHeight: setHeight,
    });
    host.current = own;
    return () => own.close();
  }, [source, restart]);
  useEffect(() => host.current?.show(shown), [call]);
  useEffect(() => host.current?.set(settings), [settings]);

  const change = (next: Partial<HostSettings>): void => setSettings({ ...settings, ...next });
  const isFull = settings.displayMode === "fullscreen";
  return (
    <section class="tool-view" aria-label="View">
      <header>
        <h4>View</h4>
        <HostControls settings={settings} onChange={change} />
      </header>
      {problem !== undefined && <p class="failure plain">{problem}</p>}
      {source && (
        <iframe
          key={restart}
          ref={frame}
          src={source.address}
          title={`View of ${tool.name}`}
          class={settings.theme}
          sandbox="allow-scripts allow-same-origin allow-forms"
          allow={source.allow}
          height={isFull ? FULL_HEIGHT : height}
        />
      )}
      <details>
        <summary>{messages.length} messages between the view and the client</summary>
        {messages.map(({ from, message }, index) => (
          <div class="view-message" key={index}>
            <span class="badge">{from}</span>
            <JsonView value={message} label={`Message ${index + 1}`} />
          </div>
        ))}
      </details>
    </section>
  );
}

/** The number of messages that are kept. */
const MAX_MESSAGES = 200;

/** The switches for what clients do differently. */
function HostControls({
  settings,
  onChange,
}: {
  settings: HostSettings;
  onChange(next: Partial<HostSettings>): void;
}): VNode {
  const flag = (name: "stripsData" | "omitsTool" | "isLimited", label: string): VNode => (
    <label class="check">
      <input
        type="checkbox"
        checked={settings[name]}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <div class="view-controls">
      <select
        aria-label="Theme of the view"
        value={settings.theme}
        onChange={({ currentTarget }) => onChange({ theme: currentTarget.value as HostSettings["theme"] })}
      >
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
      <select
        aria-label="Display mode of the view"
        value={settings.displayMode}
        onChange={({ currentTarget }) =>
          onChange({ displayMode: currentTarget.value as HostSettings["displayMode"] })
        }
      >
        <option value="inline">Inline</option>
        <option value="fullscreen">Fullscreen</option>
      </select>
      {flag("stripsData", "Without structuredContent")}
      {flag("omitsTool", "Without toolInfo")}
      {flag("isLimited", "Without capabilities")}
    </div>
  );
}

function toShownCall(tool: Tool, { args, done }: Call): Parameters<ViewHost["show"]>[0] {
  const outcome = done?.outcome;
  return {
    tool,
    args,
    ...(outcome?.type === "tool" && { result: outcome.result }),
    ...(outcome?.type === "error" && { cancelled: outcome.message }),
  };
}

/** Reads a view, and derives from its metadata where and with which permissions it is displayed. */
async function readView({ getClient, status }: Playground, uri: string): Promise<ViewSource> {
  const client = await getClient();
  if (!client) throw new Error("The server is not running.");
  const { contents } = await client.readResource(uri);
  const [content] = contents;
  if (!content || !("text" in content)) throw new Error(`The view ${uri} has no HTML.`);
  const { csp = {}, permissions = {} } = (content._meta?.["ui"] ?? {}) as {
    csp?: object;
    permissions?: Record<string, object>;
  };
  const allow = Object.keys(permissions).map((name) =>
    name === "clipboardWrite" ? "clipboard-write" : name,
  );
  const address = `${status.value.sandbox}/?csp=${encodeURIComponent(JSON.stringify(csp))}`;
  return { html: content.text, address, allow: allow.join("; ") };
}
