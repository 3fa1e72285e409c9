import { join } from "node:path";
import type { Manifest, PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { RequestOptions, TestClient } from "@tenon/runtime/testing";
import { buildProject } from "../project/build-project.js";
import { connectToBuilt, callEntries } from "./load-server.js";
import { parseArguments, parsePromptArguments } from "./parse-arguments.js";
import { promptText, resourceText, resultText } from "./result-text.js";
import { checkTarget, unknownResource, type Target } from "./target.js";
import { Failure } from "../terminal/failure.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import { projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

export interface CallOptions {
  /** Read the resource of this URI instead. */
  resource?: string;
  /** Get the prompt of this name instead. */
  prompt?: string;
  /** Print the result as it travels. */
  json?: boolean;
}

/** The JSON-RPC error of a tool that needs what its client cannot do. */
const MISSING_CAPABILITY = -32021;
/** A day: a handler may wait for what does not keep a process running, such as `AbortSignal.timeout()`. */
const LONG_MS = 86_400_000;

/**
 * `tenon call <tool> [key=value …]`: one call to the project in the current folder, without a client.
 *
 * @param words what stands behind the command: the tool and its arguments, or a prompt's arguments
 */
export async function call(
  terminal: Terminal,
  words: readonly string[],
  options: CallOptions = {},
): Promise<number> {
  const { target, args } = readCommand(words, options);
  const root = projectRoot(terminal.cwd);
  const outDir = join(root, ".tenon", "call");
  const { compilation, files } = await buildProject({
    root,
    outDir,
    typeCheck: false,
    bundlePackages: false,
    extraEntries: callEntries,
    color: terminal.err.color,
  });
  // Warnings are for `inspect` and `build`; here they would stand between the caller and the answer.
  printDiagnostics(
    terminal.err,
    compilation.diagnostics.filter(({ severity }) => severity === "error"),
  );
  const { manifest } = compilation;
  if (!files || !manifest) return 1;

  checkTarget(target, manifest);
  const request = prepare(target, args, manifest);
  const { askPerson } = terminal.interactive ? await import("./ask-person.js") : {};
  const client = await connectToBuilt(outDir, askPerson && { elicit: askPerson });
  const waiting = setInterval(() => undefined, LONG_MS);
  try {
    const { result, text, isError } = await request(client, terminal).catch((error: unknown) => {
      throw explain(error, target, manifest);
    });
    terminal.out.write(`${options.json ? JSON.stringify(result, null, 2) : text}\n`);
    return isError ? 1 : 0;
  } finally {
    clearInterval(waiting);
    client.close();
  }
}

/** @throws Failure (exit code 2) when it names nothing, or more than one thing */
function readCommand(
  words: readonly string[],
  { resource, prompt }: CallOptions,
): { target: Target; args: readonly string[] } {
  const [tool, ...others] = words;
  if (resource !== undefined && prompt === undefined && tool === undefined)
    return { target: { kind: "resource", uri: resource }, args: [] };
  if (prompt !== undefined && resource === undefined)
    return { target: { kind: "prompt", name: prompt }, args: words };
  if (tool !== undefined && resource === undefined)
    return { target: { kind: "tool", name: tool }, args: others };
  throw new Failure("Name one tool, or one resource with --resource, or one prompt with --prompt.", {
    hint: "`tenon inspect` shows what there is.",
    exitCode: 2,
  });
}

interface Answered {
  result: object;
  text: string;
  isError?: boolean | undefined;
}

type Request = (client: TestClient, terminal: Terminal) => Promise<Answered>;

/** Reads the arguments, so that what is wrong with them is known before anything runs. */
function prepare(target: Target, args: readonly string[], { tools }: Manifest): Request {
  if (target.kind === "resource")
    return async (client, terminal) => {
      const result: ResourceResult = await client.readResource(target.uri, progressTo(terminal));
      return { result, text: resourceText(result, terminal.out.paint) };
    };
  if (target.kind === "prompt") {
    const given = parsePromptArguments(args);
    return async (client, terminal) => {
      const result: PromptResult = await client.getPrompt(target.name, given, progressTo(terminal));
      return { result, text: promptText(result, terminal.out.paint) };
    };
  }
  const tool = tools.find(({ definition }) => definition.name === target.name);
  const given = parseArguments(args, tool?.definition.inputSchema ?? {});
  return async (client, terminal) => {
    const result: ToolResult = await client.callTool(target.name, given, progressTo(terminal));
    return { result, text: resultText(result, terminal.out.paint), isError: result.isError };
  };
}

function progressTo({ err }: Terminal): RequestOptions {
  return {
    onProgress: ({ progress, total, message }) => {
      const counted = total === undefined ? String(progress) : `${progress}/${total}`;
      err.write(`${err.paint.dim(`progress  ${counted}${message === undefined ? "" : `  ${message}`}`)}\n`);
    },
  };
}

/** The built server brings its own copy of the client, so its errors are recognized by name. */
function explain(error: unknown, target: Target, manifest: Manifest): unknown {
  if (!(error instanceof Error) || error.name !== "RpcError") return error;
  const { code } = error as Error & { code?: number };
  const isInternal = code === -32603;
  if (target.kind === "resource" && code !== MISSING_CAPABILITY && !isInternal)
    return unknownResource(target.uri, manifest, error);
  const name = target.kind === "resource" ? target.uri : target.name;
  const hint =
    `\`${name}\` asks its client, and there is nobody at a terminal who could answer, or it asks for what ` +
    "`tenon call` does not have. Use another client, or in a test `connect(server, { answers })`.";
  return new Failure(error.message, { cause: error, ...(code === MISSING_CAPABILITY && { hint }) });
}
