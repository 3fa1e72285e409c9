import { mkdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tool, ToolResult } from "@tenon/runtime/manifest";
import { readArgumentFiles } from "../call/argument-files.js";
import type { CallClient } from "../call/call-client.js";
import { createCallReport } from "../call/call-report.js";
import { parseArguments } from "../call/parse-arguments.js";
import { openProjectClient } from "../call/project-client.js";
import { createSandbox } from "../playground/sandbox.js";
import { resolveProjectRoot } from "../project/project-root.js";
import { Failure } from "../terminal/failure.js";
import { handleInterruptions } from "../terminal/interruption.js";
import type { Terminal } from "../terminal/terminal.js";
import { type Browser, startBrowser } from "./browser.js";

/** The options of `tenon view`. */
export interface ViewOptions {
  /** The folder of the pictures. Default: `.tenon/views`. */
  out?: string;
  /** The width in CSS pixels. */
  width: number;
}

const THEMES = ["light", "dark"] as const;
/** The time for a view to report its height. */
const MAX_WAIT_MS = 10_000;
/** The time for pictures and fonts of a view to appear. */
const SETTLE_MS = 200;

/**
 * Runs `tenon view <tool> [key=value …]`: calls a tool of the project, and saves pictures of its view in both themes.
 *
 * @returns 1 if the view violates its security policy or logs an error
 * @throws Failure if the tool has no view, or no browser can be started
 */
export async function view(
  terminal: Terminal,
  name: string,
  args: readonly string[],
  { out, width }: ViewOptions,
): Promise<number> {
  const root = resolveProjectRoot(terminal.cwd);
  const browser = await startBrowser(root);
  const interruption = handleInterruptions();
  let client: CallClient | undefined;
  try {
    const report = createCallReport(terminal);
    client = await openProjectClient(terminal, { answers: {}, report, signal: interruption.signal });
    if (client === undefined) return 1;
    const shown = await callTool(client, name, args, terminal);
    const folder = resolve(root, out ?? join(".tenon", "views"));
    mkdirSync(folder, { recursive: true });
    let hasProblems = false;
    for (const theme of THEMES) {
      const path = join(folder, `${name}-${theme}.png`);
      const problems = await takePicture(browser, client, { ...shown, theme, path, width });
      terminal.out.write(`${relative(terminal.cwd, path)}\n`);
      for (const problem of problems) terminal.err.write(`${theme}: ${problem}\n`);
      hasProblems ||= problems.length > 0;
    }
    return hasProblems ? 1 : 0;
  } finally {
    await client?.close();
    await browser.close();
    interruption.release();
  }
}

interface ShownView {
  tool: Tool;
  args: Record<string, unknown>;
  result: ToolResult;
  html: string;
  /** The origins that the view declares. */
  csp: object;
}

/** Calls a tool and reads its view. @throws Failure if it has none */
async function callTool(
  client: CallClient,
  name: string,
  given: readonly string[],
  terminal: Terminal,
): Promise<ShownView> {
  const { tools } = await client.listEntries("tool");
  const tool = tools.find((each) => each.name === name);
  const getUri = (each: Tool | undefined): string | undefined =>
    (each?._meta?.["ui"] as { resourceUri?: string } | undefined)?.resourceUri;
  const uri = getUri(tool);
  if (tool === undefined || uri === undefined) {
    const names = tools.filter((each) => getUri(each) !== undefined).map((each) => each.name);
    const hint =
      names.length === 0 ? "Add one: tenon add view TOOL" : `Tools with views: ${names.join(", ")}`;
    throw new Failure(tool ? `The tool \`${name}\` has no view.` : `There is no tool \`${name}\`.`, {
      hint,
      exitCode: 2,
    });
  }
  const args = parseArguments(given, tool.inputSchema, await readArgumentFiles(given, terminal));
  const result = await client.callTool(name, args);
  const [content] = (await client.readResource(uri)).contents;
  const { csp = {} } = (content?._meta?.["ui"] ?? {}) as { csp?: object };
  return { tool, args, result, html: content && "text" in content ? content.text : "", csp };
}

interface Picture extends ShownView {
  theme: (typeof THEMES)[number];
  path: string;
  width: number;
}

/** Saves a picture of a view. @returns violations of its security policy, and errors on its console */
async function takePicture(
  browser: Browser,
  client: CallClient,
  { tool, args, result, html, csp, theme, path, width }: Picture,
): Promise<string[]> {
  const sandbox = await createSandbox();
  const page = await browser.newPage({ viewport: { width, height: 1 }, deviceScaleFactor: 2 });
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.exposeFunction(
    "requestServer",
    (method: "callTool" | "readResource", first: string, second: object) =>
      method === "callTool"
        ? client.callTool(first, second as Record<string, unknown>)
        : client.readResource(first),
  );
  const script = readFileSync(
    fileURLToPath(new URL("../../dist/playground/page/view-page.js", import.meta.url)),
    "utf8",
  );
  await page.setContent("<!doctype html><html><body></body></html>");
  await page.evaluate(script);
  const address = `${sandbox.origin}/?csp=${encodeURIComponent(JSON.stringify(csp))}`;
  const input = { address, html, allow: "", theme, call: { tool, args, result } };
  await page.evaluate(`window.showView(${JSON.stringify(input)})`);
  try {
    await page.waitForFunction("window.isShown", undefined, { timeout: MAX_WAIT_MS });
  } catch {
    problems.push(`The view did not report its height within ${MAX_WAIT_MS / 1000} seconds.`);
  }
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path, fullPage: true });
  await page.close();
  await sandbox.close();
  return problems;
}
