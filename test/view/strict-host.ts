/** A host that is as strict as the specification allows, in a real browser. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import type { Browser, Frame, Page } from "../third-party/playwright.js";
import { findViolations, type ViewMessage } from "./messages.js";

/** The security policy for a view that declares no origins. */
const DEFAULT_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "object-src 'none'",
].join("; ");

/** Forwards messages between the host and the frame of the view, which has the security policy of the view. */
const PROXY = `<!doctype html><style>html,body{margin:0;height:100%}iframe{border:0;width:100%;height:100%;display:block}</style>
<script>
const view = document.createElement("iframe");
view.src = "/view";
view.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
document.documentElement.append(view);
addEventListener("message", ({ source, data }) => {
  if (source === parent) view.contentWindow.postMessage(data, "*");
  else if (source === view.contentWindow) parent.postMessage(data, "*");
});
</script>`;

type Json = Record<string, unknown>;

export interface HostOptions {
  capabilities?: Json;
  context?: Json;
  responses?: Record<string, Json>;
  /** Whether the frame gets the height that the view reports. */
  resizes?: boolean;
  /** Notifications that are sent before the response to `ui/initialize`: methods and parameters. */
  early?: readonly (readonly [string, Json])[];
}

/** A view that the host displays. */
export interface OpenedView {
  page: Page;
  /** The frame of the view. */
  frame: Frame;
  log(): Promise<ViewMessage[]>;
  /** Returns the messages of a method from the view. */
  sent(method: string): Promise<ViewMessage["message"][]>;
  notify(method: string, params: Json): Promise<void>;
  /** Sends a request and waits for the response. */
  request(method: string, params: Json): Promise<ViewMessage["message"]>;
  /** Violations of the security policy, errors on the console, and invalid messages. */
  problems(): Promise<string[]>;
  close(): Promise<void>;
}

/** All capabilities of the specification. */
export const ALL_CAPABILITIES = {
  serverTools: {},
  serverResources: {},
  openLinks: {},
  downloadFile: {},
  message: {},
  updateModelContext: {},
  logging: {},
};

/** Displays a view, and waits until it is initialized. */
export async function openView(
  browser: Browser,
  html: string,
  options: HostOptions = {},
): Promise<OpenedView> {
  const sandbox = await serve((path) =>
    path === "/view"
      ? { html, headers: { "content-security-policy": DEFAULT_POLICY } }
      : { html: PROXY, headers: {} },
  );
  const host = await serve(async () => ({
    html: `<!doctype html><body><script>${await getScript("host-page.ts")}</script>`,
    headers: {},
  }));
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = watch(page);
  await page.goto(getAddress(host));
  const {
    capabilities = ALL_CAPABILITIES,
    context: hostContext = {},
    responses = {},
    resizes = true,
    early = [],
  } = options;
  const proxy = getAddress(sandbox);
  await page.evaluate((settings) => window.startHost(settings), {
    proxy,
    capabilities,
    context: hostContext,
    responses,
    resizes,
    early,
  });
  const log = (): Promise<ViewMessage[]> => page.evaluate(() => window.log);
  await page.waitForFunction(() =>
    window.log.some(({ message }) => message.method === "ui/notifications/initialized"),
  );
  const frame = page.frames().find((each) => each.url() === `${proxy}view`);
  if (frame === undefined) throw new Error("The view has no frame.");
  let lastId = 1000;
  return {
    page,
    frame,
    log,
    sent: async (method) =>
      (await log()).flatMap(({ from, message }) =>
        from === "view" && message.method === method ? message : [],
      ),
    notify: (method, params) => page.evaluate((message) => window.sendToView(message), { method, params }),
    async request(method, params) {
      const id = ++lastId;
      await page.evaluate((message) => window.sendToView(message), { id, method, params });
      await page.waitForFunction(
        (expected) => window.log.some(({ from, message }) => from === "view" && message.id === expected),
        id,
      );
      const response = (await log()).find(({ from, message }) => from === "view" && message.id === id);
      return response?.message ?? {};
    },
    problems: async () => [...problems, ...findViolations(await log())],
    async close() {
      await context.close();
      for (const server of [host, sandbox]) server.close();
    },
  };
}

const scripts = new Map<string, Promise<string>>();

/** Returns the script of a host's page, bundled once. */
function getScript(name: "host-page.ts" | "app-bridge-page.ts"): Promise<string> {
  const bundle = (): Promise<string> =>
    build({
      entryPoints: [join(import.meta.dirname, name)],
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
    }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  const script = scripts.get(name) ?? bundle();
  scripts.set(name, script);
  return script;
}

/** Displays a view with the host of the extension's own package. */
export async function openInAppBridge(
  browser: Browser,
  html: string,
): Promise<{ page: Page; problems: string[]; close(): Promise<void> }> {
  const script = await getScript("app-bridge-page.ts");
  const server = await serve((path) =>
    path === "/view"
      ? { html, headers: { "content-security-policy": DEFAULT_POLICY } }
      : { html: `<!doctype html><body><script>${script}</script>`, headers: {} },
  );
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems = watch(page);
  await page.goto(getAddress(server));
  return {
    page,
    problems,
    async close() {
      await context.close();
      server.close();
    },
  };
}

/** Collects violations of the security policy, and errors on the console. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  return problems;
}

interface Response {
  html: string;
  headers: Record<string, string>;
}

function serve(respond: (path: string) => Response | Promise<Response>): Promise<Server> {
  const server = createServer((request, response) => {
    void Promise.resolve(respond(request.url ?? "/")).then(({ html, headers }) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
      response.end(html);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Pages on different ports have different origins. */
function getAddress(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
