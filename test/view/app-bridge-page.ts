/** A page that displays a view with the host of the extension's own package. It runs in the browser. */
import { AppBridge, PostMessageTransport } from "../third-party/ext-apps.js";

declare global {
  interface Window {
    /** Events of the host, in their order. */
    events: string[];
    showResult(input: Record<string, unknown>, result: Record<string, unknown>): Promise<void>;
    removeView(): Promise<unknown>;
  }
}

window.events = [];
const frame = document.createElement("iframe");
frame.src = "/view";
const capabilities = { serverTools: {}, openLinks: {}, message: { text: {} } };
const bridge = new AppBridge(null, { name: "App bridge", version: "1.0.0" }, capabilities, {
  hostContext: { theme: "dark", displayMode: "inline" },
});
bridge.oninitialized = () => void window.events.push("initialized");
bridge.onsizechange = ({ height }) => {
  window.events.push("size");
  if (height !== undefined) frame.style.height = `${height}px`;
};
bridge.oncalltool = ({ name }) => {
  window.events.push(`call ${name}`);
  return Promise.resolve({ content: [{ type: "text", text: "4" }], structuredContent: { result: 4 } });
};
bridge.onopenlink = ({ url }) => {
  window.events.push(`open ${url}`);
  return Promise.resolve({});
};
// oxlint-disable-next-line unicorn/prefer-add-event-listener -- this is a request, which needs a response
bridge.onmessage = ({ content }) => {
  window.events.push(`message ${JSON.stringify(content)}`);
  return Promise.resolve({ isError: true });
};
window.showResult = async (input, result) => {
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result as Parameters<typeof bridge.sendToolResult>[0]);
};
window.removeView = () => bridge.teardownResource({});
document.body.append(frame);
const view = frame.contentWindow;
if (view) void bridge.connect(new PostMessageTransport(view, view));
