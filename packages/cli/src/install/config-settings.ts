import { isDeepStrictEqual } from "node:util";
import type { Prompt } from "./prompts.js";

/** An object of settings by name. */
export type Settings = Record<string, unknown>;

/** A change to the list of servers of a configuration: an entry to set, or undefined to remove it. */
export interface ConfigChange {
  /** The key of the list of servers. */
  readonly key: string;
  readonly server: string;
  readonly entry: object | undefined;
  /** In clients that prompt for secrets: the key of the list of prompts, and the prompts that the entry uses. */
  readonly prompts?: { readonly key: string; readonly added: readonly Prompt[] } | undefined;
}

/** A replacement of a part of a file. */
export interface TextEdit {
  readonly offset: number;
  /** The number of characters to replace. */
  readonly length: number;
  readonly content: string;
}

/** Thrown when the structure of a file prevents a change, as when the list of servers is an alias. */
export class UnchangeableTextError extends Error {}

/** Returns whether a value is an object of settings. */
export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Converts a section to settings. An empty or `null` section has none.
 *
 * @throws Error for another value
 */
export function toSettings(value: unknown): Settings {
  if (value === undefined || value === null) return {};
  if (isSettings(value)) return value;
  throw new Error("it is not an object of settings");
}

/** Finds the smallest changes that turn one value into another, so that comments in unchanged parts stay. */
export function findDifferences(
  before: unknown,
  after: unknown,
  path: readonly string[],
): { path: string[]; value: unknown }[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isSettings(before) || !isSettings(after)) return [{ path: [...path], value: after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    findDifferences(getOwn(before, name), getOwn(after, name), [...path, name]),
  );
}

/** Returns an own member, never an inherited one, since `constructor` is a valid name of a server. */
export function getOwn(settings: Settings, name: string): unknown {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  // Edits at the same offset keep their order.
  return edits
    .toSorted((a, b) => a.offset - b.offset)
    .reduceRight(
      (changed, { offset, length, content }) =>
        changed.slice(0, offset) + content + changed.slice(offset + length),
      text,
    );
}

/** Returns the line break of a string. */
export function getLineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
