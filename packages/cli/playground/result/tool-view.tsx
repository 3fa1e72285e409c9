import type { Tool } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Call } from "../state/calls.js";
import { errorMessage } from "../state/error-message.js";
import type { Playground } from "../state/playground.js";
import { JsonView } from "./json-view.js";
import {
  DEFAULT_SETTINGS,
  type HostSettings,
  type ShownCall,
  type ViewMessage,
} from "../../src/view/view-host.js";
import { readView, type ViewSource } from "../../src/view/view-source.js";
import { createFrameHost, type FrameHost } from "./frame-host.js";

/** The height until the view reports its own, in pixels. */
const INITIAL_HEIGHT = 120;
/** The height in fullscreen, in pixels. */
const FULL_HEIGHT = 640;

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
  const host = useRef<FrameHost | undefined>(undefined);
  const shown = toShownCall(tool, call);

  useEffect(() => {
    let isCurrent = true;
    readSource(playground, uri).then(
      (next) => isCurrent && setSource(next),
      (error: unknown) => isCurrent && setProblem(errorMessage(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [uri]);

  // A host removes data from the start of a view, so a change to these settings restarts the view.
  const restart = `${settings.stripsData} ${settings.omitsTool} ${JSON.stringify(settings.capabilities)}`;
  // The host must listen before the page in the frame is loaded.
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element || !source) return undefined;
    setMessages([]);
    const own = createFrameHost(element, shown, {
      ...source,
      settings,
      getClient: () => playground.getClient(),
      onMessage: (message) => setMessages((before) => [...before.slice(-MAX_MESSAGES), message]),
      onHeight: setHeight,
      onDisplayMode: (displayMode) => setSettings((before) => ({ ...before, displayMode })),
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
          src={`${playground.status.value.sandbox}/${source.query}`}
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
  const flag = (
    checked: boolean,
    label: string,
    toSettings: (checked: boolean) => Partial<HostSettings>,
  ): VNode => (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(toSettings(currentTarget.checked))}
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
      {flag(settings.stripsData, "Without structuredContent", (stripsData) => ({ stripsData }))}
      {flag(settings.omitsTool, "Without toolInfo", (omitsTool) => ({ omitsTool }))}
      {flag(settings.capabilities !== DEFAULT_SETTINGS.capabilities, "Without capabilities", (isLimited) => ({
        capabilities: isLimited ? {} : DEFAULT_SETTINGS.capabilities,
      }))}
    </div>
  );
}

function toShownCall(tool: Tool, { args, done }: Call): ShownCall {
  const outcome = done?.outcome;
  return {
    tool,
    args,
    ...(outcome?.type === "tool" && { result: outcome.result }),
    ...(outcome?.type === "error" && { cancelled: outcome.message }),
  };
}

async function readSource({ getClient }: Playground, uri: string): Promise<ViewSource> {
  const client = await getClient();
  if (!client) throw new Error("The server is not running.");
  return readView(client, uri);
}
