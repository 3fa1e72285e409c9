/**
 * The host of a view in a frame of this page.
 * @module
 */
import {
  createViewHost,
  type HostEnvironment,
  type ShownCall,
  type ViewHost,
  type ViewMessage,
} from "../../src/view/view-host.js";

/** A view, and what its frame may do. */
export interface FramedView {
  html: string;
  /** The permissions of the frame, as in its attribute. */
  allow: string;
}

/** The host of a view in a frame. */
export interface FrameHost extends ViewHost {
  /** Stops listening. */
  close(): void;
}

/** Creates the host of the view in a frame, whose page is the sandbox. It must listen before that page is loaded. */
export function createFrameHost(
  frame: HTMLIFrameElement,
  call: ShownCall,
  { html, allow, ...environment }: FramedView & Omit<HostEnvironment, "post" | "openLink">,
): FrameHost {
  const post = (message: object): void => frame.contentWindow?.postMessage(message, "*");
  const host = createViewHost(call, {
    ...environment,
    post,
    openLink: (url) => void window.open(url, "_blank", "noopener"),
  });
  const receive = ({ source, data }: MessageEvent<ViewMessage["message"] & { jsonrpc: "2.0" }>): void => {
    if (source !== frame.contentWindow) return;
    const { jsonrpc, ...message } = data;
    if (message.method === "ui/notifications/sandbox-proxy-ready")
      post({ jsonrpc, method: "ui/notifications/sandbox-resource-ready", params: { html, allow } });
    else host.receive(message);
  };
  window.addEventListener("message", receive);
  return { ...host, close: () => window.removeEventListener("message", receive) };
}
