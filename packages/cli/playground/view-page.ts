/**
 * The page in which `tenon view` displays a view for a picture. It has no controls; the command calls its functions.
 * @module
 */
import type { TestClient } from "@tenon/runtime/testing";
import { createViewHost, DEFAULT_SETTINGS, type HostSettings, type ShownCall } from "./result/view-host.js";

/** The input of the page. */
export interface ViewPageInput {
  /** The address of the page that contains the view. */
  address: string;
  html: string;
  allow: string;
  theme: HostSettings["theme"];
  call: ShownCall;
}

declare global {
  interface Window {
    showView(input: ViewPageInput): void;
    /** Whether the view is initialized and has reported its height. */
    isShown: boolean;
    /** Sends a request of the view to the server. */
    requestServer(method: "callTool" | "readResource", ...args: unknown[]): Promise<never>;
  }
}

window.isShown = false;
window.showView = ({ address, html, allow, theme, call }) => {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
  frame.allow = allow;
  frame.src = address;
  frame.style.cssText = "display: block; width: 100%; height: 120px; border: 0; color-scheme: light";
  document.body.style.cssText = `margin: 0; background: ${theme === "dark" ? "#1c1917" : "#fff"}`;
  document.body.append(frame);
  const client: Pick<TestClient, "callTool" | "readResource"> = {
    callTool: (name, args) => window.requestServer("callTool", name, args),
    readResource: (uri) => window.requestServer("readResource", uri),
  };
  createViewHost(frame, call, {
    html,
    allow,
    settings: { ...DEFAULT_SETTINGS, theme },
    getClient: () => Promise.resolve(client as TestClient),
    onMessage: () => undefined,
    onHeight(height) {
      frame.style.height = `${height}px`;
      window.isShown = true;
    },
  });
};
