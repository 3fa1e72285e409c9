/**
 * The question with which a handler asks the client's model to write a message.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 * @module
 */
import type { InputRequestOptions } from "../../api/context.js";
import { stripBlock, stripMembers, type MemberNames } from "../../data/results/content-check.js";
import { shorten } from "../../data/problems/shorten.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { projectContent } from "../../protocol/projection.js";
import type { Revision } from "../../protocol/revisions.js";
import type {
  AudioContent,
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  ImageContent,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  TextContent,
  ToolResultContent,
  ToolUseContent,
} from "../../protocol/specification.js";
import type { InputClient } from "./capabilities.js";
import { AnswerError, type Question } from "./question.js";

const PARAMS: MemberNames<CreateMessageParams> = {
  messages: true,
  maxTokens: true,
  systemPrompt: true,
  modelPreferences: true,
  includeContext: true,
  temperature: true,
  stopSequences: true,
  metadata: true,
  tools: true,
  toolChoice: true,
};
const PREFERENCES: MemberNames<ModelPreferences> = {
  hints: true,
  costPriority: true,
  speedPriority: true,
  intelligencePriority: true,
};
const PRIORITIES = ["costPriority", "speedPriority", "intelligencePriority"] as const;
const MESSAGE: MemberNames<SamplingMessage> = { role: true, content: true, _meta: true };
const TOOL_USE: MemberNames<ToolUseContent> = { type: true, id: true, name: true, input: true, _meta: true };
const TOOL_RESULT: MemberNames<ToolResultContent> = {
  type: true,
  toolUseId: true,
  content: true,
  structuredContent: true,
  isError: true,
  _meta: true,
};

/**
 * Creates the question of `ctx.sample()`.
 *
 * @throws TypeError for parameters that clients reject
 */
export function createSampleQuestion(
  { revision }: InputClient,
  params: CreateMessageParams,
  options: InputRequestOptions,
): Question<CreateMessageResult> {
  checkParams(params);
  // Without `sampling.tools`, clients know neither of these parameters nor these blocks.
  const usesTools =
    params.tools !== undefined ||
    params.toolChoice !== undefined ||
    params.messages.some(({ content }) => [content].flat().some(({ type }) => type.startsWith("tool_")));
  const needs: ClientCapabilities = { sampling: usesTools ? { tools: {} } : {} };
  const messages = params.messages.flatMap((message) => projectMessage(stripMessage(message), revision));
  return {
    method: "sampling/createMessage",
    params: { ...stripParams(params), messages },
    kind: "sample",
    key: options.key,
    needs,
    read: readMessage,
  };
}

/** Rejects values that the types of parameters allow, or that an assertion hides, but the protocol does not. */
function checkParams({ messages, maxTokens, temperature, modelPreferences }: CreateMessageParams): void {
  const fail = (path: string, requirement: string, value: unknown): never => {
    throw new TypeError(`\`${path}\` of \`ctx.sample\` must be ${requirement} (got ${shorten(value)}).`);
  };
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) fail("maxTokens", "a positive integer", maxTokens);
  if (temperature !== undefined && !Number.isFinite(temperature))
    fail("temperature", "a finite number", temperature);
  for (const name of PRIORITIES) {
    const priority = modelPreferences?.[name] ?? 0;
    if (!(priority >= 0 && priority <= 1)) fail(`modelPreferences.${name}`, "a number from 0 to 1", priority);
  }
  if (!Array.isArray(messages)) fail("messages", "an array", messages);
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== "user" && role !== "assistant")
      fail(`messages[${index}].role`, '"user" or "assistant"', role);
    if (![content].flat().every(isSamplingContent))
      fail(`messages[${index}].content`, "a content block, or an array of them", content);
  }
}

/**
 * Reads the message in a client's answer to a sampling request.
 *
 * @throws AnswerError for an invalid message
 */
export function readMessage(answer: unknown): CreateMessageResult {
  if (!isObject(answer)) throw new AnswerError("the message must be an object.");
  const { role, content, model, stopReason } = answer;
  if (role !== "user" && role !== "assistant") throw new AnswerError('`role` must be "user" or "assistant".');
  if (typeof model !== "string") throw new AnswerError("`model` must be a string.");
  if (stopReason !== undefined && typeof stopReason !== "string")
    throw new AnswerError("`stopReason` must be a string.");
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  if (!blocks.every(isSamplingContent))
    throw new AnswerError("`content` must be a content block, or an array of them.");
  return answer as unknown as CreateMessageResult;
}

/** The checks of each type of block. A missing type is a compile error. */
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

/** Removes members that the specification does not have, so that additional members of an author's object are not sent. */
function stripParams(params: CreateMessageParams): CreateMessageParams {
  const { modelPreferences, ...kept } = stripMembers(params, PARAMS);
  return modelPreferences === undefined
    ? kept
    : { ...kept, modelPreferences: stripMembers(modelPreferences, PREFERENCES) };
}

function stripMessage(message: SamplingMessage): SamplingMessage {
  const kept = stripMembers(message, MESSAGE);
  const { content } = kept;
  return {
    ...kept,
    content: Array.isArray(content) ? content.map(stripSamplingBlock) : stripSamplingBlock(content),
  };
}

function stripSamplingBlock(block: SamplingContent): SamplingContent {
  if (block.type === "tool_use") return stripMembers(block, TOOL_USE);
  if (block.type !== "tool_result") return stripBlock(block);
  const kept = stripMembers(block, TOOL_RESULT);
  return { ...kept, content: kept.content.map(stripBlock) };
}

/** Splits a message for revisions that allow one block of content per message, and projects its types of content. */
function projectMessage(message: SamplingMessage, revision: Revision): SamplingMessage[] {
  if (revision.clientRequests.acceptsContentLists) return [message];
  const blocks = [message.content].flat();
  return blocks.map((block) => ({ ...message, content: projectBlock(block, revision) }));
}

function projectBlock(block: SamplingContent, revision: Revision): SamplingContent {
  if (block.type === "tool_use" || block.type === "tool_result") return block;
  return projectContent(block, revision) as TextContent | ImageContent | AudioContent;
}
