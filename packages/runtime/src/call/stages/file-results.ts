import { ToolError } from "../../api/errors.js";
import { getFileName, toFileBlock, toFileContents } from "../../data/files/file-content.js";
import { formatByteCount, formatExcess } from "../../data/problems/format-byte-count.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { Content } from "../../protocol/specification.js";
import type { ServableLinks } from "../../transports/http/files/servable-links.js";
import type { Call } from "../connection/call.js";
import { isThenable, type Stage } from "./stage.js";

/** Function that returns what the client receives in place of a file. */
type SendFile = (file: Blob, call: Call) => Promise<unknown>;

/** Creates the stage that turns files in the value of a handler into content, or into the contents of a resource. */
export const createFileResults: Stage = (next, target, { settings }) => {
  const { maxEmbeddedFileBytes } = settings.limits;
  // Only `fileLinks()` creates `FileLinks`.
  const links = settings.files.links as ServableLinks | undefined;
  const send: SendFile =
    target.member === "contents"
      ? (file, call) => toFileContents(file, String(call.params.uri))
      : (file, call) => sendFile(file, maxEmbeddedFileBytes, links, settings.info.name, call);
  return function sendFiles(call) {
    const value = next(call);
    if (isThenable(value)) return Promise.resolve(value).then((each) => sendAll(each, send, call));
    return sendAll(value, send, call);
  };
};

/** Returns a value with the files in lists and messages replaced. Returns a value without files unchanged. */
function sendAll(value: unknown, send: SendFile, call: Call): unknown {
  if (value instanceof Blob) return send(value, call);
  if (Array.isArray(value) && value.some(containsFile))
    return Promise.all(value.map((each) => sendAll(each, send, call)));
  if (!isObject(value)) return value;
  const { content, messages } = value;
  if (content instanceof Blob) return send(content, call).then((block) => ({ ...value, content: block }));
  if (!Array.isArray(messages) || !messages.some(containsFile)) return value;
  return Promise.all(messages.map((each) => sendAll(each, send, call))).then((sent) => ({
    ...value,
    messages: sent,
  }));
}

/** Returns whether a value is a file, or a prompt message that contains one. */
function containsFile(value: unknown): boolean {
  return value instanceof Blob || (isObject(value) && value.content instanceof Blob);
}

/**
 * Returns a file as content if it is small enough, and otherwise a link to it. It is async even for a file that is too
 * large: a synchronous error would abandon the other files of a list, and a later error of one of them would end the
 * process.
 */
async function sendFile(
  file: Blob,
  maxBytes: number,
  links: ServableLinks | undefined,
  serverName: string,
  call: Call,
): Promise<Content> {
  if (file.size <= maxBytes) return toFileBlock(file);
  // Only HTTP has headers, and only HTTP serves the links.
  if (links !== undefined && call.peer.header !== undefined) return linkFile(file, links, serverName, call);
  throw new ToolError(
    `The file "${getFileName(file)}" is ${formatExcess(file.size, maxBytes)} in size, but a result may contain files of at most ` +
      `${formatByteCount(maxBytes)}.`,
  );
}

async function linkFile(
  file: Blob,
  links: ServableLinks,
  serverName: string,
  { signal }: Call,
): Promise<Content> {
  const name = getFileName(file);
  const { url, expiresAt } = await links.store(file, name, serverName, signal);
  return {
    type: "resource_link",
    uri: url,
    name,
    description: `Can be downloaded until ${expiresAt.toISOString()}.`,
    ...(file.type !== "" && { mimeType: file.type }),
    size: file.size,
  };
}
