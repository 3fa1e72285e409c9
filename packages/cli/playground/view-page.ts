/**
 * The page in which `tenon view` and tests display a view. It has no controls; the program calls its functions.
 * @module
 */
import type { HostSettings, ShownCall, ViewMessage } from "../src/view/view-host.js";
import { createFrameHost, type FrameHost } from "./result/frame-host.js";

/** The input of the page. */
export interface ViewPageInput {
  /** The address of the page that contains the view. */
  address: string;
  html: string;
  allow: string;
  settings: HostSettings;
  call: ShownCall;
  /** The height until the view reports its own, in CSS pixels. */
  height?: number;
}

declare global {
  interface Window {
    showView(input: ViewPageInput): FrameHost;
    /** The host, after the view is shown. */
    host: FrameHost;
    /** Sends a request of the view to the server. */
    requestServer(method: "callTool" | "listTools" | "readResource", ...args: unknown[]): Promise<never>;
    /** Receives each message between the view and its host. */
    reportMessage(message: ViewMessage): Promise<void>;
  }
}

window.showView = ({ address, html, allow, settings, call, height = 120 }) => {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
  frame.allow = allow;
  frame.src = address;
  frame.style.cssText = `display: block; width: 100%; height: ${height}px; border: 0; color-scheme: light`;
  document.body.style.margin = "0";
  setBackground(settings);
  document.body.append(frame);
  const host = createFrameHost(frame, call, {
    html,
    allow,
    settings,
    getClient: () =>
      Promise.resolve({
        callTool: (name, args) => window.requestServer("callTool", name, args),
        listTools: () => window.requestServer("listTools"),
        readResource: (uri) => window.requestServer("readResource", uri),
      }),
    onMessage: (message) => void window.reportMessage(message),
    onHeight: (reported) => (frame.style.height = `${reported}px`),
  });
  return {
    ...host,
    set(changes) {
      setBackground(changes);
      host.set(changes);
    },
  };
};

/** Draws the background of the conversation, which shows through a view. */
function setBackground({ theme }: Partial<HostSettings>): void {
  if (theme !== undefined) document.body.style.background = theme === "dark" ? "#1c1917" : "#fff";
}
