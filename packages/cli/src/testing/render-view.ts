import { fileURLToPath } from "node:url";
import type { Tool, ToolEntry } from "@tenon/runtime/manifest";
import type { MethodName, ViewProps } from "@tenon/runtime/view";
import { readRecordedCall } from "../recording/recorded-call.js";
import { Failure } from "../terminal/failure.js";
import type { OpenView, ViewInput } from "../view/open-view.js";
import { DEFAULT_SETTINGS, type HostSettings, type ShownCall, type ViewMessage } from "../view/view-host.js";
import { getViewUri, readView } from "../view/view-source.js";
import { toToolResult } from "./call-value.js";
import {
  checkNames,
  openProject,
  TEST_OPTIONS,
  type OpenedProject,
  type TestOptions,
} from "./open-project.js";
import type { TestServer } from "./typed-server.js";

type AnyClass<Instance extends object = object> = abstract new (...args: never[]) => Instance;

type ReadyProps<Owner, Name extends MethodName<Owner>> = Extract<ViewProps<Owner, Name>, { state: "ready" }>;

/** The call that a view shows. */
export interface ViewCall<Input, Result> {
  /** The arguments of the call. Default: none. */
  input?: Input | undefined;
  /** The value that the tool returned. Default: the tool is called with `input`. */
  result?: Result | undefined;
  /** The message of the tool if it failed. */
  error?: string | undefined;
  /** Set while the call is running, or after it was cancelled. */
  state?: "waiting" | "cancelled" | undefined;
  /** The file of a recording. The view shows the last call to the tool in it, with its arguments and its result. */
  recording?: URL | string | undefined;
}

/** The options of `renderView`. */
export interface ViewTest<Owner, Name extends MethodName<Owner>>
  extends TestOptions, ViewCall<ReadyProps<Owner, Name>["input"], ReadyProps<Owner, Name>["result"]> {
  /** The project folder, or any file in it. Default: the current folder. */
  project?: URL | string | undefined;
  /** The behavior of the client, such as `{ theme: "dark", capabilities: {} }`. */
  host?: Partial<HostSettings> | undefined;
  /** The environment in which the view runs. happy-dom has neither a layout nor a security policy. Default: `"chromium"`. */
  browser?: "chromium" | "happy-dom" | undefined;
  /** The width in CSS pixels. Default: 640. */
  width?: number | undefined;
}

const CALL_OPTIONS: Record<keyof ViewCall<unknown, unknown>, true> = {
  input: true,
  result: true,
  error: true,
  state: true,
  recording: true,
};

const VIEW_OPTIONS: Record<keyof ViewTest<object, never>, true> = {
  ...CALL_OPTIONS,
  ...TEST_OPTIONS,
  project: true,
  host: true,
  browser: true,
  width: true,
};

/** The options that determine how far the call has progressed, of which one applies. */
const OUTCOMES = ["recording", "state", "error", "result"] as const;

/** A view in a test. */
export interface RenderedView<Owner, Name extends MethodName<Owner>> extends Omit<
  OpenView,
  "show" | "set" | "text"
> {
  /** The messages between the view and the client, oldest first. */
  readonly messages: readonly ViewMessage[];
  /** The server that the view calls. */
  readonly server: TestServer;
  /** Returns the visible text of the first element that matches. Default: of the whole view. */
  text(selector?: string): Promise<string>;
  /**
   * Completes a call that was displayed with the state `"waiting"`.
   *
   * @throws Error if the call is complete
   */
  show(call: ViewCall<ReadyProps<Owner, Name>["input"], ReadyProps<Owner, Name>["result"]>): Promise<void>;
  /** Changes how the client behaves, such as `{ theme: "dark" }`. */
  setHost(settings: Partial<HostSettings>): Promise<void>;
  /**
   * Closes the view and its server.
   *
   * @throws Error if `problems` is not empty
   */
  close(): Promise<void>;
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Displays the view of a tool as a client does, connected to a server of the project in the same process.
 *
 * @param owner the class with the tool
 * @param method the name of the tool's method
 * @throws TypeError for an option that does not exist, or that another option makes useless
 * @throws Error if the method has no view, the project has errors, or the browser is missing
 * @example
 * import { renderView } from "@tenon/cli/testing";
 *
 * const view = await renderView(Weather, "forecast", { input: { city: "Oslo" } });
 * expect(await view.text("h1")).toBe("Oslo");
 * await view.close();
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function renderView<Owner extends object, Name extends MethodName<Owner>>(
  owner: AnyClass<Owner>,
  method: Name,
  options?: ViewTest<Owner, Name>,
): Promise<RenderedView<Owner, Name>>;
/** Displays the view of a tool whose method is static. */
export function renderView<Owner extends AnyClass, Name extends MethodName<Owner>>(
  owner: Owner,
  method: Name,
  options?: ViewTest<Owner, Name>,
): Promise<RenderedView<Owner, Name>>;
export async function renderView<Owner extends object, Name extends MethodName<Owner>>(
  owner: AnyClass,
  method: Name,
  options: ViewTest<Owner, Name> = {},
): Promise<RenderedView<Owner, Name>> {
  checkNames(options, VIEW_OPTIONS);
  checkNames(options.host ?? {}, DEFAULT_SETTINGS, "host.");
  const {
    project = process.cwd(),
    host = {},
    browser = "chromium",
    width = 640,
    input = {},
    result,
    error,
    state,
    recording,
    ...others
  } = options;
  const opened = await openProject(project, others);
  const { server, root } = opened;
  try {
    const { entry, tool, uri } = await findView(opened, owner, method);
    const messages: ViewMessage[] = [];
    const problems: string[] = [];
    const toCall = async (given: ViewCall<unknown, unknown>): Promise<ShownCall> => {
      const [shown, unused] = OUTCOMES.filter((each) => given[each] !== undefined);
      if (unused)
        throw new TypeError(`\`${unused}\` has no effect next to \`${shown}\`. Remove one of them.`);
      if (given.recording !== undefined) {
        const { recording: file } = given;
        return {
          tool,
          ...readRecordedCall(typeof file === "string" ? file : fileURLToPath(file), tool),
        };
      }
      const args = (given.input ?? {}) as Record<string, unknown>;
      if (given.state === "cancelled") return { tool, args, cancelled: "The user cancelled the call." };
      if (given.state === "waiting") return { tool, args };
      if (given.error !== undefined)
        return { tool, args, result: { content: [{ type: "text", text: given.error }], isError: true } };
      if (given.result !== undefined) return { tool, args, result: toToolResult(entry, given.result) };
      const called = await server.client.callTool(tool.name, args);
      if (
        entry.output.kind !== "none" &&
        !called.content.some((each) => each.type !== "text" || each.text !== "")
      )
        problems.push("The result has no text, so clients without views show nothing.");
      return { tool, args, result: called };
    };
    const call = await toCall({ input, result, error, state, recording });
    const { view, release } = await openIn(browser, root, {
      source: await readView(server.client, uri),
      call,
      settings: { ...DEFAULT_SETTINGS, ...host },
      server: server.client,
      width,
      onMessage: (message) => messages.push(message),
    });
    let isComplete = state !== "waiting";
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      await view.close();
      release?.();
      await server.close();
      const all = [...problems, ...view.problems];
      if (all.length > 0) throw new Error(`The view of \`${tool.name}\` has problems:\n${all.join("\n")}`);
    };
    return {
      ...view,
      get problems() {
        return [...problems, ...view.problems];
      },
      get height() {
        return view.height;
      },
      messages,
      server,
      text: (selector = "body") => view.text(selector),
      async show(next) {
        checkNames(next, CALL_OPTIONS);
        if (isComplete)
          throw new Error('The call is complete. Pass `state: "waiting"` to `renderView` first.');
        isComplete = next.state !== "waiting";
        await view.show(await toCall({ input, ...next }));
      },
      async setHost(changes) {
        checkNames(changes, DEFAULT_SETTINGS);
        await view.set(changes);
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (failure) {
    await server.close();
    // Test runners show only the message.
    if (failure instanceof Failure && failure.hint !== undefined)
      throw new Error(`${failure.message} ${failure.hint}`, { cause: failure });
    throw failure;
  }
}

/** Opens a view. `release` frees the browser when the view is closed. Tests without views do not load the modules. */
async function openIn(
  browser: "chromium" | "happy-dom",
  root: string,
  input: ViewInput,
): Promise<{ view: OpenView; release?: () => void }> {
  if (browser === "happy-dom") {
    const { openInHappyDom } = await import("../view/happy-dom-view.js");
    return { view: await openInHappyDom(root, input) };
  }
  const { openInChromium } = await import("../view/chromium-view.js");
  const { useBrowser } = await import("../view/shared-browser.js");
  const { browser: chromium, release } = await useBrowser(root);
  try {
    return { view: await openInChromium(chromium, input), release };
  } catch (error) {
    release();
    throw error;
  }
}

interface FoundView {
  entry: ToolEntry;
  tool: Tool;
  uri: string;
}

/**
 * Finds the tool that a method serves, and its view.
 *
 * @throws Error if there is none
 */
async function findView(
  { application: { classes, manifest }, server }: OpenedProject,
  owner: AnyClass,
  method: string,
): Promise<FoundView> {
  const entries = manifest.tools.filter(
    ({ handler }) => handler.method === method && classes[handler.module]?.[handler.export] === owner,
  );
  const entry = entries.find(({ view }) => view !== undefined);
  if (entry === undefined) {
    const shown = manifest.tools.filter(({ view }) => view !== undefined).map(({ handler }) => handler);
    const names = shown.map((each) => `${each.export}.${each.method}`).join(", ");
    throw new Error(
      `${owner.name}.${method} is ${entries.length === 0 ? "not a tool of the project" : "a tool without a view"}. ` +
        (names === "" ? "No tool has one: run `tenon add view TOOL`." : `Methods with views: ${names}.`),
    );
  }
  const tools = await server.client.listTools();
  const tool = tools.find(({ name }) => name === entry.definition.name);
  const uri = tool && getViewUri(tool);
  if (tool === undefined || uri === undefined)
    throw new Error(
      `The client sees no view of the tool "${entry.definition.name}". Its revision is ${server.client.revision}, and views need 2025-06-18 or later; the tool may also need scopes (\`principal\`).`,
    );
  return { entry, tool, uri };
}
