import type { HostSettings, ShownCall, ViewMessage, ViewServer } from "./view-host.js";
import type { ViewSource } from "./view-source.js";

/** The input of a view that a program displays. */
export interface ViewInput {
  source: ViewSource;
  call: ShownCall;
  settings: HostSettings;
  /** The server that the view calls. */
  server: ViewServer;
  /** The width in CSS pixels. */
  width: number;
  onMessage(message: ViewMessage): void;
}

/** A view that a program displays. Selectors are those of CSS. */
export interface OpenView {
  /** The problems so far: violations of the security policy, errors on the console, and exceptions. */
  readonly problems: readonly string[];
  /** The height that the view has reported, in CSS pixels. */
  readonly height: number | undefined;
  /** Passes the next state of the call. */
  show(call: ShownCall): Promise<void>;
  /** Changes some of the settings of the host. */
  set(changes: Partial<HostSettings>): Promise<void>;
  /** Returns the visible text of the first element that matches. */
  text(selector: string): Promise<string>;
  /** Clicks the first element that matches. */
  click(selector: string): Promise<void>;
  /** Replaces the text of the first field that matches. */
  fill(selector: string, text: string): Promise<void>;
  /** Evaluates an expression in the view. Its value must be JSON. */
  evaluate(expression: string): Promise<unknown>;
  /** Saves a screenshot as PNG. */
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The time for a view to be initialized and to report its height. */
const MAX_WAIT_MS = 10_000;

/** The time in which an element of a view must exist, in milliseconds. */
export const MAX_ELEMENT_WAIT_MS = 5000;

/** The start of a view, as its host observes it. */
export interface ViewStart {
  readonly height: number | undefined;
  /** Receives each message between the view and its host. */
  onMessage(message: ViewMessage): void;
  /** Waits until the view is displayed. Returns a problem if this takes too long. */
  wait(): Promise<string | undefined>;
}

/**
 * Follows the start of a view.
 *
 * @param reportsHeight whether the view is displayed only when it has reported its height
 */
export function followStart(reportsHeight: boolean): ViewStart {
  let height: number | undefined;
  let isInitialized = false;
  let finish = (): void => undefined;
  const displayed = new Promise<void>((resolve) => (finish = resolve));
  return {
    get height() {
      return height;
    },
    onMessage({ message: { method, params } }) {
      if (method === "ui/notifications/initialized") isInitialized = true;
      if (method === "ui/notifications/size-changed") height = Number(params?.["height"]);
      if (isInitialized && (height !== undefined || !reportsHeight)) finish();
    },
    async wait() {
      const timer = setTimeout(finish, MAX_WAIT_MS);
      await displayed;
      clearTimeout(timer);
      const time = `within ${MAX_WAIT_MS / 1000} seconds`;
      if (!isInitialized) return `The view did not connect to its client ${time}.`;
      if (height !== undefined || !reportsHeight) return undefined;
      return `The view did not report its height ${time}.`;
    },
  };
}
