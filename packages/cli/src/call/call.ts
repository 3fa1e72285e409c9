import type { ServerLists } from "@tenon/compiler";
import type { JsonSchema, PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import { findTarget } from "../remote/find-target.js";
import { printableValue } from "../remote/printable.js";
import { refuseRemoteFlags, type RemoteFlags } from "../remote/remote-flags.js";
import { hintLines } from "../terminal/error-lines.js";
import { Failure } from "../terminal/failure.js";
import { takeInterruptions } from "../terminal/interruption.js";
import type { Terminal } from "../terminal/terminal.js";
import { type ArgumentFiles, readArgumentFiles } from "./argument-files.js";
import { callReport } from "./call-report.js";
import type { Callee, CallerOptions } from "./callee.js";
import { acceptedAnswers } from "./answer-text.js";
import { type GivenAnswers, givenAnswers } from "./given-answers.js";
import { parseArguments, parsePromptArguments } from "./parse-arguments.js";
import { personAnswers } from "./person-answers.js";
import { bytesOf, promptText, resourceText, resultText, type Saved } from "./result-text.js";
import { returnedBytes } from "./returned-bytes.js";
import { saveBytes } from "./save-bytes.js";
import { checkTarget, type Target, unknownResource } from "./target.js";

export interface CallOptions extends RemoteFlags {
  /** Read the resource of this URI instead. */
  resource?: string;
  /** Get the prompt of this name instead. */
  prompt?: string;
  /** Folders that are told to a server that asks for roots. */
  root?: readonly string[];
  /** What is answered to the server's questions, in their order. */
  answer?: readonly string[];
  /** Where to save what is no text. */
  output?: string;
  /** Print the result as it travels. */
  json?: boolean;
}

/** The JSON-RPC error of a tool that needs what its client cannot do. */
const MISSING_CAPABILITY = -32021;
const INTERNAL_ERROR = -32603;
/** The one of a request that waits for the user to go to a page, in 2025-11-25. */
const URL_NEEDED = -32042;

/**
 * `tenon call <tool> [key=value …]`: one call, to the project in the current folder, or to a server that runs somewhere
 * else. Ctrl-C cancels it.
 *
 * @param words what stands behind the command: a URL where one is meant, the tool and its arguments, or a prompt's
 * arguments
 * @param behindDashes how many of them, at the end, are the command that starts a server
 */
export async function call(
  terminal: Terminal,
  words: readonly string[],
  behindDashes: number,
  options: CallOptions = {},
): Promise<number> {
  const { target: server, words: own } = findTarget(words, behindDashes);
  const { target, args } = readCommand(own, options);
  if (!server) refuseRemoteFlags(options);
  const interruption = takeInterruptions();
  const report = callReport(terminal);
  const answers = await personAnswers(terminal, options.root ?? [], report.clear);
  const given = options.answer && givenAnswers(options.answer, answers);
  const caller: CallerOptions = {
    answers: given?.answers ?? answers,
    report,
    signal: interruption.signal,
    ...(options.era && { era: options.era }),
  };
  let callee: Callee | undefined;
  try {
    const files = await readArgumentFiles(args, terminal);
    if (server) {
      const { remoteCallee } = await import("./remote-callee.js");
      callee = await remoteCallee(terminal, server, options, caller);
    } else {
      const { projectCallee } = await import("./project-callee.js");
      callee = await projectCallee(terminal, caller);
    }
    if (callee === undefined) return 1;
    const answered = await request(callee, target, args, files);
    report.clear();
    print(terminal, answered, target, options);
    const isFailed = answered.kind === "tool" && answered.result.isError === true;
    const advice = given && answerAdvice(given, isFailed);
    if (advice !== undefined) printHint(terminal, advice);
    return isFailed ? 1 : 0;
  } catch (error) {
    report.clear();
    if (!interruption.signal.aborted) throw given ? withAnswers(error, given) : error;
    terminal.err.write("The call is cancelled.\n");
    return interruption.exitCode;
  } finally {
    await callee?.close();
    interruption.release();
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

type Answered =
  | { kind: "tool"; result: ToolResult; outputSchema?: JsonSchema | undefined }
  | { kind: "prompt"; result: PromptResult }
  | { kind: "resource"; result: ResourceResult };

/** Reads the arguments, so that what is wrong with them is known before anything runs. */
async function request(
  callee: Callee,
  target: Target,
  args: readonly string[],
  files: ArgumentFiles,
): Promise<Answered> {
  if (target.kind === "resource") {
    const result = await callee.readResource(target.uri).catch(async (error: unknown) => {
      throw explain(error, target, await callee.offered("resource"));
    });
    return { kind: "resource", result };
  }
  const lists = await callee.offered(target.kind);
  checkTarget(target, lists);
  const failed = (error: unknown): never => {
    throw explain(error, target, lists);
  };
  if (target.kind === "prompt") {
    const given = parsePromptArguments(args, files);
    return { kind: "prompt", result: await callee.getPrompt(target.name, given).catch(failed) };
  }
  const tool = lists.tools.find(({ name }) => name === target.name);
  const given = parseArguments(args, tool?.inputSchema ?? {}, files);
  const result = await callee.callTool(target.name, given).catch(failed);
  return { kind: "tool", result, outputSchema: tool?.outputSchema };
}

function print(terminal: Terminal, answered: Answered, target: Target, options: CallOptions): void {
  const { out, cwd } = terminal;
  const { output: path, json = false } = options;
  const blocks = bytesOf(answered.result);
  if (answered.kind === "tool")
    blocks.push(...returnedBytes(answered.result.structuredContent, answered.outputSchema));
  const name = target.kind === "resource" ? (target.uri.split("/").at(-1) ?? "") : target.name;
  const saved: Saved = path === undefined ? new Map() : saveBytes(blocks, { path, cwd, name });
  out.write(`${json ? JSON.stringify(answered.result, null, 2) : textOf(answered, saved, terminal)}\n`);
  if (path !== undefined && blocks.length === 0) printHint(terminal, "There is nothing but text to save.");
  if (path === undefined && blocks.length > 0 && !json && terminal.interactive)
    printHint(terminal, "--output <path> saves images and other bytes.");
}

function printHint({ err }: Terminal, text: string): void {
  err.write(hintLines(text, err));
}

/** What to tell about the answers that were given, after a result. */
function answerAdvice({ answered, unused }: GivenAnswers, isFailed: boolean): string | undefined {
  if (isFailed && answered.length > 0) return answered.map(acceptedAnswers).join(" ");
  return unused() > 0 ? `Nothing asked for ${unused()} of the answers.` : undefined;
}

/** Servers refuse answers by names of their own for the question. */
function withAnswers(error: unknown, { answered }: GivenAnswers): unknown {
  if (!(error instanceof Failure) || answered.length === 0) return error;
  const [, reason] = /^The input response "[^"]*" is not valid: (.*)$/s.exec(error.message) ?? [];
  if (reason === undefined) return error;
  const hint = answered.map(acceptedAnswers).join(" ");
  return new Failure(`The answer is not valid: ${reason}`, { cause: error, hint });
}

function textOf(answered: Answered, saved: Saved, { out: { paint } }: Terminal): string {
  if (answered.kind === "tool") return resultText(printableValue(answered.result), paint, saved);
  if (answered.kind === "prompt") return promptText(printableValue(answered.result), paint, saved);
  return resourceText(printableValue(answered.result), paint, saved);
}

/** The built server brings its own copy of the client, so its errors are recognized by name. */
function explain(error: unknown, target: Target, lists: ServerLists): unknown {
  const source = error instanceof Failure ? error.cause : error;
  if (!(source instanceof Error)) return error;
  if (source.name === "Declined")
    return new Failure("You gave no answer, so the call has ended.", { cause: source });
  const { code, data } = source as Error & { code?: unknown; data?: unknown };
  if (typeof code !== "number") return error;
  if (target.kind === "resource" && code !== MISSING_CAPABILITY && code !== INTERNAL_ERROR)
    return unknownResource(target.uri, lists, source);
  const name = target.kind === "resource" ? target.uri : target.name;
  const hints: Record<number, string | undefined> = {
    [MISSING_CAPABILITY]:
      `\`${name}\` asks its client, and there is nobody at a terminal who could answer, or it asks for what ` +
      "`tenon call` does not have, such as roots without --root. Answer it by --answer, or in a test by " +
      "`connect(server, { answers })`.",
    [URL_NEEDED]: `Go to ${pagesIn(data).join(" and ")}, then call again.`,
  };
  const hint = hints[code];
  return new Failure(source.message, { cause: source, ...(hint !== undefined && { hint }) });
}

function pagesIn(data: unknown): string[] {
  const { elicitations = [] } = (data ?? {}) as { elicitations?: { url?: string }[] };
  return printableValue(elicitations.flatMap(({ url }) => url ?? []));
}
