import type { ServerLists } from "@tenon/compiler";
import type { JsonSchema, PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import { findTarget } from "../remote/find-target.js";
import { parsePrincipal } from "../project/caller.js";
import { toPrintableValue } from "../terminal/printable.js";
import { rejectRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { formatHint } from "../terminal/error-lines.js";
import { Failure } from "../terminal/failure.js";
import { handleInterruptions } from "../terminal/interruption.js";
import type { Terminal } from "../terminal/terminal.js";
import { type ArgumentFiles, readArgumentFiles } from "./argument-files.js";
import { createCallReport } from "./call-report.js";
import type { CallClient, CallClientOptions, RequiredCaller } from "./call-client.js";
import { formatAcceptedAnswers } from "./answer-text.js";
import { type ScriptedAnswers, createScriptedAnswers } from "./scripted-answers.js";
import { parseArguments, parsePromptArguments } from "./parse-arguments.js";
import { createTerminalAnswers } from "./terminal-answers.js";
import { formatResultSize, measureResult, type ResultSize } from "./result-size.js";
import {
  findBytes,
  formatPromptResult,
  formatResourceResult,
  formatToolResult,
  type SavedPaths,
} from "./result-text.js";
import { findReturnedBytes } from "./returned-bytes.js";
import { saveBytes } from "./save-bytes.js";
import { checkTarget, type Target, createUnknownResourceFailure } from "./target.js";

export interface CallOptions extends RemoteFlags {
  /** The URI of a resource to read instead of calling a tool. */
  resource?: string;
  /** The name of a prompt to get instead of calling a tool. */
  prompt?: string;
  /** The folders to return as roots. */
  root?: readonly string[];
  /** The answers to requests of the server, in order. */
  answer?: readonly string[];
  /** The path to save binary content to. */
  output?: string;
  /** The caller: a subject, or a principal as JSON. */
  as?: string;
  /** Whether to print the result as JSON. */
  json?: boolean;
  /** Whether to report if an earlier build was reused. */
  verbose?: boolean;
}

/** The JSON-RPC error code of a call that needs a missing capability of the client. */
const MISSING_CAPABILITY = -32021;
const INTERNAL_ERROR = -32603;
/** The JSON-RPC error code of a call that requires the user to visit a URL, in 2025-11-25. */
const URL_ELICITATION_REQUIRED = -32042;

/**
 * Runs `tenon call <tool> [key=value …]` for the project in the current folder or a running server. Ctrl-C cancels the
 * call.
 *
 * @param commandArgs the arguments: an optional URL, the tool, and its arguments
 * @param argsAfterDashes the number of arguments after `--`
 * @returns the exit code
 */
export async function call(
  terminal: Terminal,
  commandArgs: readonly string[],
  argsAfterDashes: number,
  options: CallOptions = {},
): Promise<number> {
  const { target: server, args: callArgs } = findTarget(commandArgs, argsAfterDashes);
  const { target, args } = readCommand(callArgs, options);
  if (!server) rejectRemoteFlags(options);
  else if (options.as !== undefined)
    throw new Failure("--as works only for the project in the current folder.", {
      hint: "A running server authenticates its callers: use --header, or log in.",
      exitCode: 2,
    });
  const interruption = handleInterruptions();
  const report = createCallReport(terminal);
  const answers = await createTerminalAnswers(terminal, options.root ?? [], report.clear);
  const scripted = options.answer && createScriptedAnswers(options.answer, answers);
  const caller: CallClientOptions = {
    answers: scripted?.answers ?? answers,
    report,
    signal: interruption.signal,
    ...(options.era && { era: options.era }),
    verbose: options.verbose ?? false,
    ...(options.as !== undefined && { principal: parsePrincipal(options.as) }),
  };
  let client: CallClient | undefined;
  try {
    const files = await readArgumentFiles(args, terminal);
    if (server) {
      const { openRemoteCallClient } = await import("./remote-call-client.js");
      client = await openRemoteCallClient(terminal, server, options, caller);
    } else {
      const { openProjectClient } = await import("./project-client.js");
      client = await openProjectClient(terminal, caller);
    }
    if (client === undefined) return 1;
    const opened = client;
    const outcome = await request(opened, target, args, files).catch((error: unknown) => {
      throw addCallerAdvice(error, opened.findRequiredCaller?.(target));
    });
    report.clear();
    print(terminal, outcome, target, options);
    const isFailed = outcome.kind === "tool" && outcome.result.isError === true;
    const advice = scripted && getAnswerAdvice(scripted, outcome);
    if (advice !== undefined) printHint(terminal, advice);
    const required = isFailed ? client.findRequiredCaller?.(target) : undefined;
    if (required !== undefined) printHint(terminal, formatCallerAdvice(required));
    return isFailed ? 1 : 0;
  } catch (error) {
    report.clear();
    if (!interruption.signal.aborted) throw scripted ? addAcceptedAnswers(error, scripted) : error;
    terminal.err.write("The call was cancelled.\n");
    return interruption.exitCode;
  } finally {
    await client?.close();
    interruption.release();
  }
}

/**
 * Reads the target of a call.
 *
 * @throws Failure (exit code 2) unless there is exactly one
 */
function readCommand(
  args: readonly string[],
  { resource, prompt }: CallOptions,
): { target: Target; args: readonly string[] } {
  const [tool, ...others] = args;
  if (resource !== undefined && prompt === undefined && tool === undefined)
    return { target: { kind: "resource", uri: resource }, args: [] };
  if (prompt !== undefined && resource === undefined)
    return { target: { kind: "prompt", name: prompt }, args };
  if (tool !== undefined && resource === undefined)
    return { target: { kind: "tool", name: tool }, args: others };
  throw new Failure("Name one tool, or one resource with --resource, or one prompt with --prompt.", {
    hint: "`tenon inspect` lists all of them.",
    exitCode: 2,
  });
}

/** Returns advice for calling an entry that requires scopes or an identified caller. */
function formatCallerAdvice(caller: RequiredCaller): string {
  if (caller.scopes === undefined)
    return `Choose a caller: --as ${caller.subject}. To identify the caller over stdio, set \`stdio: { principal }\` in src/server.ts.`;
  return (
    `Choose a caller with scopes: --as '${JSON.stringify(caller)}'. ` +
    "To give scopes to the caller over stdio, set `stdio: { principal }` in src/server.ts."
  );
}

function addCallerAdvice(error: unknown, caller: RequiredCaller | undefined): unknown {
  if (caller === undefined || !(error instanceof Error)) return error;
  return new Failure(error.message, { hint: formatCallerAdvice(caller), cause: error });
}

/** The number of tokens above which Claude Code warns about a result, and Codex truncates it. */
const LARGE_RESULT_TOKENS = 10_000;

type Outcome =
  | { kind: "tool"; result: ToolResult; outputSchema?: JsonSchema | undefined }
  | { kind: "prompt"; result: PromptResult }
  | { kind: "resource"; result: ResourceResult };

/** Parses the arguments and sends the request. Invalid arguments fail before anything runs. */
async function request(
  client: CallClient,
  target: Target,
  args: readonly string[],
  files: ArgumentFiles,
): Promise<Outcome> {
  if (target.kind === "resource") {
    const result = await client.readResource(target.uri).catch(async (error: unknown) => {
      throw toFailure(error, target, await client.listEntries("resource"));
    });
    return { kind: "resource", result };
  }
  const lists = await client.listEntries(target.kind);
  checkTarget(target, lists);
  const rethrow = (error: unknown): never => {
    throw toFailure(error, target, lists);
  };
  if (target.kind === "prompt") {
    const callArgs = parsePromptArguments(args, files);
    return { kind: "prompt", result: await client.getPrompt(target.name, callArgs).catch(rethrow) };
  }
  const tool = lists.tools.find(({ name }) => name === target.name);
  const callArgs = parseArguments(args, tool?.inputSchema ?? {}, files);
  const result = await client.callTool(target.name, callArgs).catch(rethrow);
  return { kind: "tool", result, outputSchema: tool?.outputSchema };
}

function print(terminal: Terminal, outcome: Outcome, target: Target, options: CallOptions): void {
  const { out, cwd } = terminal;
  const { output: path, json = false } = options;
  const blocks = findBytes(outcome.result);
  if (outcome.kind === "tool")
    blocks.push(...findReturnedBytes(outcome.result.structuredContent, outcome.outputSchema));
  const name = target.kind === "resource" ? (target.uri.split("/").at(-1) ?? "") : target.name;
  const saved: SavedPaths = path === undefined ? new Map() : saveBytes(blocks, { path, cwd, name });
  out.write(`${json ? JSON.stringify(outcome.result, null, 2) : formatOutcome(outcome, saved, terminal)}\n`);
  if (path !== undefined && blocks.length === 0)
    printHint(terminal, "The result contains only text, so nothing was saved.");
  if (path === undefined && blocks.length > 0 && !json && terminal.interactive)
    printHint(terminal, "Save images and other binary content with --output <path>.");
  if (outcome.kind === "tool") printSize(terminal, measureResult(outcome.result));
}

/** Warns about a result that takes up much of a model's context. */
function printSize(terminal: Terminal, size: ResultSize): void {
  if (size.tokens < LARGE_RESULT_TOKENS) return;
  const edit = size.isSentTwice
    ? "Return pages, or a `ToolResult<T>` with shorter text."
    : "Return pages, or a link to a resource.";
  printHint(terminal, `The result has ${formatResultSize(size)}. ${edit}`);
}

function printHint({ err }: Terminal, text: string): void {
  err.write(formatHint(text, err));
}

/** Matches the error of a legacy call whose answer the server rejected. A tool may also fail after a valid answer. */
const REJECTED_ANSWER = /^The client's response to \S+ is not valid: /;

/** Returns a hint about unused or rejected answers, after a result. */
function getAnswerAdvice(
  { answered, countUnused }: ScriptedAnswers,
  { kind, result }: Outcome,
): string | undefined {
  const isRejected =
    kind === "tool" &&
    result.isError === true &&
    result.content?.some((block) => block.type === "text" && REJECTED_ANSWER.test(block.text));
  if (isRejected === true && answered.length > 0) return answered.map(formatAcceptedAnswers).join(" ");
  return countUnused() > 0 ? `Unused answers: ${countUnused()}.` : undefined;
}

/** Adds the accepted answers to an error about an invalid one, which names only an internal ID. */
function addAcceptedAnswers(error: unknown, { answered }: ScriptedAnswers): unknown {
  if (!(error instanceof Failure) || answered.length === 0) return error;
  const [, reason] = /^The input response "[^"]*" is not valid: (.*)$/s.exec(error.message) ?? [];
  if (reason === undefined) return error;
  const hint = answered.map(formatAcceptedAnswers).join(" ");
  return new Failure(`The answer is not valid: ${reason}`, { cause: error, hint });
}

function formatOutcome(outcome: Outcome, saved: SavedPaths, { out: { paint } }: Terminal): string {
  if (outcome.kind === "tool") return formatToolResult(toPrintableValue(outcome.result), paint, saved);
  if (outcome.kind === "prompt") return formatPromptResult(toPrintableValue(outcome.result), paint, saved);
  return formatResourceResult(toPrintableValue(outcome.result), paint, saved);
}

/** Converts an error to a failure. The built server has its own copy of the client, so errors are recognized by name. */
function toFailure(error: unknown, target: Target, lists: ServerLists): unknown {
  const source = error instanceof Failure ? error.cause : error;
  if (!(source instanceof Error)) return error;
  if (source.name === "DeclinedError")
    return new Failure("The call ended because you declined to answer.", { cause: source });
  const { code, data } = source as Error & { code?: unknown; data?: unknown };
  if (typeof code !== "number") return error;
  if (target.kind === "resource" && code !== MISSING_CAPABILITY && code !== INTERNAL_ERROR)
    return createUnknownResourceFailure(target.uri, lists, source);
  const name = target.kind === "resource" ? target.uri : target.name;
  const { requiredCapabilities } = (data ?? {}) as { requiredCapabilities?: { extensions?: object } };
  const hints: Record<number, string | undefined> = {
    [MISSING_CAPABILITY]:
      requiredCapabilities?.extensions === undefined
        ? `\`${name}\` requests input, but this terminal is not interactive, or the request needs an option such as --root. ` +
          'Answer it with --answer, or in a test with `connect(".", { answers })`.'
        : `\`${name}\` needs a client with this extension. A client of an earlier revision may do without: add --era legacy. ` +
          'In a test, use `connect(".", { capabilities })`.',
    [URL_ELICITATION_REQUIRED]: `Go to ${findPages(data).join(" and ")}, then call again.`,
  };
  const hint = hints[code];
  return new Failure(source.message, { cause: source, ...(hint !== undefined && { hint }) });
}

function findPages(data: unknown): string[] {
  const { elicitations = [] } = (data ?? {}) as { elicitations?: { url?: string }[] };
  return toPrintableValue(elicitations.flatMap(({ url }) => url ?? []));
}
