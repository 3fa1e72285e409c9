/**
 * The questions that handlers can ask, as requests of the specification.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client
 * @module
 */
import type { InputRequestOptions, ElicitResult, ElicitOptions } from "../../api/context.js";
import type { LogSink } from "../../api/log.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { ClientCapabilities, Root } from "../../protocol/specification.js";
import { type InputClient, createMissingCapabilityError } from "./capabilities.js";
import { findForm, projectForm, readContent } from "./forms.js";
import type { Forms, ServedForm } from "./served-form.js";
import { AnswerError, type Question } from "./question.js";
import { checkWebUrl } from "./web-url.js";

const ACTIONS = ["accept", "decline", "cancel"] as const;
type Action = (typeof ACTIONS)[number];

/**
 * Creates the question of `ctx.elicit()`.
 *
 * @param id the ID of the compiled form
 * @throws TypeError without a form, and an error for a client that lacks the capability
 */
export function createFormQuestion<T extends object>(
  client: InputClient,
  forms: Forms,
  message: string,
  options: ElicitOptions,
  id: string | undefined,
): Question<ElicitResult<T>> {
  const needs: ClientCapabilities = { elicitation: { form: {} } };
  // The revision decides, whatever the client declares.
  if (client.revision.clientRequests.form === "none") throw createMissingCapabilityError(client, needs);
  const form = findForm(forms, id, options.schema);
  return {
    method: "elicitation/create",
    params: { message, requestedSchema: projectForm(form.requestedSchema, client.revision) },
    kind: "elicit",
    key: options.key,
    form: options.schema === undefined ? id : undefined,
    needs,
    read: (answer) => readFormAnswer<T>(form, answer),
  };
}

/**
 * Creates the question of `ctx.elicitUrl()`.
 *
 * @param elicitationId only for the one revision that has these IDs
 * @throws TypeError for a URL that a browser cannot open, and an error for a client that lacks the capability
 */
export function createUrlQuestion(
  client: InputClient & { readonly server: { readonly log: LogSink } },
  message: string,
  url: string,
  elicitationId: string | undefined,
  options: InputRequestOptions,
): Question<Action> {
  const needs: ClientCapabilities = { elicitation: { url: {} } };
  checkWebUrl(url, client.server.log);
  if (client.revision.clientRequests.url === "none") throw createMissingCapabilityError(client, needs);
  return {
    method: "elicitation/create",
    params: { mode: "url", message, url, ...(elicitationId === undefined ? {} : { elicitationId }) },
    kind: "url",
    key: options.key,
    needs,
    read: readAction,
  };
}

/** Creates the question of `ctx.roots()`. */
export function createRootsQuestion(options: InputRequestOptions): Question<Root[]> {
  return {
    method: "roots/list",
    params: {},
    kind: "roots",
    key: options.key,
    needs: { roots: {} },
    read: readRoots,
  };
}

/**
 * Reads the answer to a form.
 *
 * @throws AnswerError for an answer that does not fit the form
 */
export function readFormAnswer<T extends object>(form: ServedForm, answer: unknown): ElicitResult<T> {
  const action = readAction(answer);
  if (action !== "accept") return { action };
  return { action, content: readContent(form, (answer as { content?: unknown }).content) as T };
}

/**
 * Reads the action in a client's answer.
 *
 * @throws AnswerError for an unknown action
 */
export function readAction(answer: unknown): Action {
  const value = isObject(answer) ? answer.action : undefined;
  const action = ACTIONS.find((each) => each === value);
  if (action === undefined) throw new AnswerError('`action` must be "accept", "decline", or "cancel".');
  return action;
}

/**
 * Reads the roots in a client's answer.
 *
 * @throws AnswerError for invalid roots
 */
export function readRoots(answer: unknown): Root[] {
  const roots = isObject(answer) ? answer.roots : undefined;
  if (!Array.isArray(roots)) throw new AnswerError("`roots` must be an array.");
  for (const root of roots as unknown[]) {
    const { uri, name } = isObject(root) ? root : {};
    if (typeof uri !== "string") throw new AnswerError("the `uri` of a root must be a string.");
    if (name !== undefined && typeof name !== "string") {
      throw new AnswerError("the `name` of a root must be a string.");
    }
  }
  return roots as Root[];
}
