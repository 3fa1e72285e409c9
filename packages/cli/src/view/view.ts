import { mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readArgumentFiles } from "../call/argument-files.js";
import type { CallClient } from "../call/call-client.js";
import { formatToolResult } from "../call/result-text.js";
import { createCallReport } from "../call/call-report.js";
import { parseArguments } from "../call/parse-arguments.js";
import { openProjectClient } from "../call/project-client.js";
import { OWN_FOLDER } from "../files/own-folder.js";
import { findProjectRoot } from "../project/project-root.js";
import { toPrintableValue } from "../terminal/printable.js";
import { readRecordedCall } from "../recording/recorded-call.js";
import { Failure } from "../terminal/failure.js";
import { handleInterruptions } from "../terminal/interruption.js";
import type { Terminal } from "../terminal/terminal.js";
import { startBrowser } from "./browser.js";
import { openInChromium } from "./chromium-view.js";
import { DEFAULT_SETTINGS, type ShownCall, type ViewServer } from "./view-host.js";
import { getViewUri, readView, type ViewSource } from "./view-source.js";

/** The options of `tenon view`. */
export interface ViewOptions {
  /** The folder of the screenshots. Default: `.tenon/views`. */
  out?: string;
  /** The width in CSS pixels. */
  width: number;
  /** A recording. If set, the view shows its last call to the tool, which is not called again. */
  recording?: string;
}

const THEMES = ["light", "dark"] as const;

/**
 * Runs `tenon view <tool> [key=value …]`: calls a tool of the project, and saves screenshots of its view in both themes.
 *
 * @returns 1 if the view violates its security policy or logs an error
 * @throws Failure if the tool has no view, or no browser can be started
 */
export async function view(
  terminal: Terminal,
  name: string,
  args: readonly string[],
  { out, width, recording }: ViewOptions,
): Promise<number> {
  const root = findProjectRoot(".", terminal.cwd);
  const browser = await startBrowser(root);
  const interruption = handleInterruptions();
  let client: CallClient | undefined;
  try {
    const report = createCallReport(terminal);
    client = await openProjectClient(terminal, { answers: {}, report, signal: interruption.signal });
    if (client === undefined) return 1;
    const shown = await readShownView(client, name, args, { terminal, recording });
    reportFailedCall(name, shown.call, terminal);
    const folder = out === undefined ? join(root, OWN_FOLDER, "views") : resolve(terminal.cwd, out);
    mkdirSync(folder, { recursive: true });
    let hasProblems = false;
    const server = toViewServer(client);
    for (const theme of THEMES) {
      const settings = { ...DEFAULT_SETTINGS, theme };
      const opened = await openInChromium(browser, {
        ...shown,
        settings,
        server,
        width,
        onMessage: () => undefined,
      });
      const path = join(folder, `${name}-${theme}.png`);
      await opened.screenshot(path);
      await opened.close();
      terminal.out.write(`${relative(terminal.cwd, path)}\n`);
      for (const problem of opened.problems) terminal.err.write(`${theme}: ${problem}\n`);
      hasProblems ||= opened.problems.length > 0;
    }
    return hasProblems ? 1 : 0;
  } finally {
    await client?.close();
    await browser.close();
    interruption.release();
  }
}

/** Reports that the view shows an error, which the screenshots alone may not reveal. */
function reportFailedCall(name: string, { result }: ShownCall, { err }: Terminal): void {
  if (result?.isError !== true) return;
  const message = toPrintableValue(result);
  err.write(
    `The tool \`${name}\` failed, so the view shows an error:\n${formatToolResult(message, err.paint)}\n`,
  );
}

function toViewServer(client: CallClient): ViewServer {
  return {
    callTool: (name, args = {}) => client.callTool(name, args),
    listTools: async () => (await client.listEntries("tool")).tools,
    readResource: (uri) => client.readResource(uri),
  };
}

interface ShownView {
  call: ShownCall;
  source: ViewSource;
}

/**
 * Reads the view of a tool, and calls the tool or reads a recorded call.
 *
 * @throws Failure if it has no view
 */
async function readShownView(
  client: CallClient,
  name: string,
  given: readonly string[],
  { terminal, recording }: { terminal: Terminal; recording: string | undefined },
): Promise<ShownView> {
  const { tools } = await client.listEntries("tool");
  const tool = tools.find((each) => each.name === name);
  const uri = tool && getViewUri(tool);
  if (tool === undefined || uri === undefined) {
    const names = tools.filter((each) => getViewUri(each) !== undefined).map((each) => each.name);
    const hint =
      names.length === 0 ? "Add one: `tenon add view TOOL`." : `Tools with views: ${names.join(", ")}.`;
    throw new Failure(tool ? `The tool \`${name}\` has no view.` : `There is no tool \`${name}\`.`, {
      hint,
      exitCode: 2,
    });
  }
  const source = await readView(client, uri);
  if (recording !== undefined)
    return { call: { tool, ...readRecordedCall(resolve(terminal.cwd, recording), tool) }, source };
  const args = parseArguments(given, tool.inputSchema, await readArgumentFiles(given, terminal));
  const result = await client.callTool(name, args).catch((error: unknown) => {
    // The built server has its own copy of the class of these errors.
    if (!(error instanceof Error && "code" in error && typeof error.code === "number")) throw error;
    const hint = "To show a call that requests input, record one: tenon view --recording FILE.";
    throw new Failure(`\`${name}\` cannot be called: ${error.message}`, { cause: error, hint });
  });
  return { call: { tool, args, result }, source };
}
