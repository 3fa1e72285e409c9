import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../terminal/failure.js";
import { importFrom } from "./browser.js";
import { followStart, MAX_ELEMENT_WAIT_MS, type OpenView, type ViewInput } from "./open-view.js";
import { createViewHost, type ViewMessage } from "./view-host.js";

/** The parts of happy-dom that views need. */
interface HappyDom {
  Window: new (options: object) => HappyWindow;
}

interface HappyWindow {
  readonly document: {
    readonly body: { readonly innerHTML: string };
    write(html: string): void;
    querySelector(selector: string): HappyElement | null;
  };
  readonly Event: new (type: string, init: object) => object;
  readonly MessageEvent: new (type: string, init: object) => object;
  readonly happyDOM: { close(): Promise<void> };
  dispatchEvent(event: object): boolean;
  requestAnimationFrame(callback: () => void): unknown;
  setTimeout(callback: () => void): unknown;
  eval(script: string): unknown;
}

interface HappyElement {
  readonly innerText: string;
  click(): void;
  dispatchEvent(event: object): boolean;
}

/** The time between two searches for an element, in milliseconds. */
const SEARCH_INTERVAL_MS = 10;
/** The number of frames in which a view renders a change and runs its effects. */
const RENDER_FRAMES = 2;

/**
 * Runs a view in happy-dom, which has no layout, no security policy, and no screenshots. Waits until the view is displayed.
 *
 * @param root the project folder, absolute
 * @throws Failure if happy-dom is missing
 */
export async function openInHappyDom(root: string, input: ViewInput): Promise<OpenView> {
  const { source, call, settings, server, width, onMessage } = input;
  const loaded = await importFrom<HappyDom>(root, ["happy-dom"]);
  if (loaded === undefined)
    throw new Failure("happy-dom is not installed.", {
      hint: "Install it: npm install --save-dev happy-dom",
    });
  const problems: string[] = [];
  const report = (...values: unknown[]): void => void problems.push(values.map(String).join(" "));
  const window = new loaded.Window({
    width,
    console: { ...console, log() {}, info() {}, debug() {}, error: report, warn: report },
    settings: {
      enableJavaScriptEvaluation: true,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      disableJavaScriptFileLoading: true,
      disableCSSFileLoading: true,
    },
  });
  const start = followStart(false);
  const host = createViewHost(call, {
    settings,
    // Views receive messages asynchronously, as in a browser.
    post: (data) =>
      void setTimeout(() =>
        window.dispatchEvent(new window.MessageEvent("message", { data, source: parent })),
      ),
    getClient: () => Promise.resolve(server),
    openLink: () => undefined,
    onMessage(message) {
      onMessage(message);
      start.onMessage(message);
    },
    // The window has no height.
    onHeight: () => undefined,
  });
  const parent = {
    postMessage: ({ jsonrpc: _version, ...message }: ViewMessage["message"] & { jsonrpc: string }) =>
      host.receive(structuredClone(message)),
  };
  Object.defineProperty(window, "parent", { value: parent });
  // Without a pause, a test would miss what the view does with the messages that are on their way.
  const settle = async (): Promise<void> => {
    for (let frame = 0; frame < RENDER_FRAMES; frame += 1)
      await new Promise<void>((resolve) => {
        setTimeout(() => window.requestAnimationFrame(() => window.setTimeout(resolve)));
      });
  };
  window.document.write(source.html);
  const problem = await start.wait();
  if (problem !== undefined) problems.push(problem);
  await settle();

  const find = async (selector: string): Promise<HappyElement> => {
    for (const until = performance.now() + MAX_ELEMENT_WAIT_MS; ; await sleep(SEARCH_INTERVAL_MS)) {
      const element = window.document.querySelector(selector);
      if (element) return element;
      if (performance.now() > until)
        throw new Error(
          `The view has had no element ${selector} for ${MAX_ELEMENT_WAIT_MS / 1000} seconds. Its HTML: ${window.document.body.innerHTML}`,
        );
    }
  };
  const dispatch = (element: HappyElement, type: string): void =>
    void element.dispatchEvent(new window.Event(type, { bubbles: true }));
  return {
    problems,
    get height() {
      return start.height;
    },
    async show(next) {
      host.show(next);
      await settle();
    },
    async set(changes) {
      host.set(changes);
      await settle();
    },
    text: async (selector) => (await find(selector)).innerText,
    click: async (selector) => (await find(selector)).click(),
    async fill(selector, text) {
      const field = await find(selector);
      // React ignores an event unless the setter of the prototype has changed the value.
      const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value") ?? {};
      set?.call(field, text);
      dispatch(field, "input");
      dispatch(field, "change");
    },
    evaluate: async (expression) => window.eval(expression),
    async screenshot() {
      throw new Error('happy-dom cannot take screenshots. Use the browser: { browser: "chromium" }.');
    },
    async close() {
      await settle();
      await window.happyDOM.close();
    },
  };
}
