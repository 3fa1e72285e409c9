/**
 * What handlers ask, in the specification's own terms.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client
 * @module
 */
import type { Call } from "../../connection/call.js";
import type { AskOptions, ElicitAnswer, ElicitOptions } from "../../api/context.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { projectContent } from "../../protocol/projection.js";
import type {
  AudioContent,
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  ImageContent,
  Root,
  SamplingContent,
  SamplingMessage,
  TextContent,
} from "../../protocol/specification.js";
import type { Revision } from "../../protocol/revisions.js";
import { missingCapability } from "./capabilities.js";
import { findForm, projectForm, readContent } from "./forms.js";
import type { Forms, ServedForm } from "./served-form.js";
import { AnswerError, type Question } from "./question.js";
import { checkWebUrl } from "./web-url.js";

const ACTIONS = ["accept", "decline", "cancel"] as const;
type Action = (typeof ACTIONS)[number];

export function formQuestion<T extends object>(
  call: Call,
  forms: Forms,
  message: string,
  options: ElicitOptions,
  id: string | undefined,
): Question<ElicitAnswer<T>> {
  const needs: ClientCapabilities = { elicitation: { form: {} } };
  // Whatever a client declares, it is asked only what its revision knows.
  if (call.revision.asks.form === "none") throw missingCapability(call, needs);
  const form = findForm(forms, id, options.schema);
  return {
    method: "elicitation/create",
    params: { message, requestedSchema: projectForm(form.requestedSchema, call.revision) },
    kind: "elicit",
    key: options.key,
    form: options.schema === undefined ? id : undefined,
    needs,
    read: (answer) => readFormAnswer<T>(form, answer),
  };
}

/**
 * `elicitationId` is for the one revision that has such ids.
 *
 * @throws TypeError when `url` is none that a browser can open
 */
export function urlQuestion(
  call: Call,
  message: string,
  url: string,
  elicitationId: string | undefined,
  options: AskOptions,
): Question<Action> {
  const needs: ClientCapabilities = { elicitation: { url: {} } };
  checkWebUrl(url, call.session.log);
  if (call.revision.asks.url === "none") throw missingCapability(call, needs);
  return {
    method: "elicitation/create",
    params: { mode: "url", message, url, ...(elicitationId === undefined ? {} : { elicitationId }) },
    kind: "url",
    key: options.key,
    needs,
    read: readAction,
  };
}

export function sampleQuestion(
  call: Call,
  params: CreateMessageParams,
  options: AskOptions,
): Question<CreateMessageResult> {
  const usesTools = params.tools !== undefined || params.toolChoice !== undefined;
  const needs: ClientCapabilities = { sampling: usesTools ? { tools: {} } : {} };
  const messages = params.messages.flatMap((message) => projectMessage(message, call.revision));
  return {
    method: "sampling/createMessage",
    params: { ...params, messages },
    kind: "sample",
    key: options.key,
    needs,
    read: readMessage,
  };
}

export function rootsQuestion(options: AskOptions): Question<Root[]> {
  return {
    method: "roots/list",
    params: {},
    kind: "roots",
    key: options.key,
    needs: { roots: {} },
    read: readRoots,
  };
}

/** @throws AnswerError when it does not fit the form */
export function readFormAnswer<T extends object>(form: ServedForm, answer: unknown): ElicitAnswer<T> {
  const action = readAction(answer);
  if (action !== "accept") return { action };
  return { action, content: readContent(form, (answer as { content?: unknown }).content) as T };
}

export function readAction(answer: unknown): Action {
  const given = isObject(answer) ? answer.action : undefined;
  const action = ACTIONS.find((each) => each === given);
  if (action === undefined) throw new AnswerError('`action` must be "accept", "decline" or "cancel".');
  return action;
}

export function readMessage(answer: unknown): CreateMessageResult {
  if (!isObject(answer)) throw new AnswerError("a message must be an object.");
  const { role, content, model } = answer;
  if (role !== "user" && role !== "assistant") throw new AnswerError('`role` must be "user" or "assistant".');
  if (typeof model !== "string") throw new AnswerError("`model` must be a string.");
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every(isSamplingContent)) throw new AnswerError("`content` must be content, or a list of it.");
  return answer as unknown as CreateMessageResult;
}

/** What makes a block one of its kind; a kind that has no row here does not compile. */
const SAMPLING_KINDS: Record<SamplingContent["type"], (block: Record<string, unknown>) => boolean> = {
  text: ({ text }) => typeof text === "string",
  image: ({ data, mimeType }) => typeof data === "string" && typeof mimeType === "string",
  audio: ({ data, mimeType }) => typeof data === "string" && typeof mimeType === "string",
  tool_use: ({ id, name, input }) => typeof id === "string" && typeof name === "string" && isObject(input),
  tool_result: ({ toolUseId, content }) => typeof toolUseId === "string" && Array.isArray(content),
};

function isSamplingContent(block: unknown): block is SamplingContent {
  if (!isObject(block) || typeof block.type !== "string") return false;
  return (
    Object.hasOwn(SAMPLING_KINDS, block.type) && SAMPLING_KINDS[block.type as SamplingContent["type"]](block)
  );
}

export function readRoots(answer: unknown): Root[] {
  const roots = isObject(answer) ? answer.roots : undefined;
  if (!Array.isArray(roots)) throw new AnswerError("`roots` must be a list.");
  for (const root of roots as unknown[]) {
    const { uri, name } = isObject(root) ? root : {};
    if (typeof uri !== "string") throw new AnswerError("the `uri` of a root must be a string.");
    if (name !== undefined && typeof name !== "string") {
      throw new AnswerError("the `name` of a root must be a string.");
    }
  }
  return roots as Root[];
}

/** Revisions without sampling tools have one block of content per message, and not every kind of it. */
function projectMessage(message: SamplingMessage, revision: Revision): SamplingMessage[] {
  if (revision.asks.contentLists) return [message];
  const blocks = [message.content].flat();
  return blocks.map((block) => ({ ...message, content: projectBlock(block, revision) }));
}

function projectBlock(block: SamplingContent, revision: Revision): SamplingContent {
  if (block.type === "tool_use" || block.type === "tool_result") return block;
  return projectContent(block, revision) as TextContent | ImageContent | AudioContent;
}
