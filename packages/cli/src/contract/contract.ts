import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeFileTree } from "@tenon/compiler/report";
import { getEntryLimits } from "../compare/bigint-limits.js";
import type { EntryDescription, ServerDescription } from "../compare/server-description.js";
import { readJsonFile } from "../files/json-file.js";
import { Failure } from "../terminal/failure.js";

/** The version of the format, raised when older contracts could be misread. */
export const CONTRACT_VERSION = 1;

export const CONTRACT_FILE = "tenon.contract.json";

/** Reads the contract of a project, or returns undefined if there is none. */
export function readContract(root: string): ServerDescription | undefined {
  const file = join(root, CONTRACT_FILE);
  if (!existsSync(file)) return undefined;
  let value: { contractVersion?: unknown };
  try {
    value = readJsonFile(file) as typeof value;
  } catch (cause) {
    const { message } = cause as Error;
    if (MERGE_CONFLICT.test(readFileSync(file, "utf8")))
      throw new Failure(`${CONTRACT_FILE} contains an unresolved merge conflict.`, {
        hint: "Keep either side, and run `tenon check` to see what changes. Then accept it with `tenon check --update`.",
        cause,
      });
    throw new Failure(`${CONTRACT_FILE} cannot be read: ${message}.`, { hint: HINT, cause });
  }
  if (value.contractVersion !== CONTRACT_VERSION) {
    throw new Failure(`${CONTRACT_FILE} is from another version of Tenon.`, { hint: HINT });
  }
  return value as unknown as ServerDescription;
}

/** Matches the line with which version control marks the beginning of a conflict. */
const MERGE_CONFLICT = /^<{7} /m;

const HINT = "Restore it from version control, or replace it with `tenon check --update`.";

/** Writes the contract into the project folder. */
export function writeContract(root: string, contract: ServerDescription): void {
  writeFileTree(new Map([[CONTRACT_FILE, serializeContract(contract)]]), root);
}

/** Serializes a contract without the version of the server, which changes with each release. The same contract always produces the same bytes. */
function serializeContract(contract: ServerDescription): string {
  const {
    auth,
    rateLimit,
    instructions,
    resourceUpdates,
    toolSearch,
    tools,
    prompts,
    resources,
    resourceTemplates,
    views,
    skills,
    questions,
  } = contract;
  const toVisible = (entry: EntryDescription<unknown>): EntryDescription<unknown> => {
    const bigintLimits = entry.bigintLimits ?? getEntryLimits(entry);
    return {
      definition: entry.definition,
      ...(entry.scopes && { scopes: entry.scopes }),
      ...(entry.guards && { guards: entry.guards }),
      ...(entry.rateLimit && { rateLimit: entry.rateLimit }),
      ...(entry.task && { task: entry.task }),
      ...(entry.view !== undefined && { view: entry.view }),
      ...(entry.visibility && { visibility: entry.visibility }),
      ...(entry.input?.schema && { input: { schema: entry.input.schema } }),
      ...(entry.unknownArguments && { unknownArguments: entry.unknownArguments }),
      ...(entry.lists && { lists: entry.lists }),
      ...(entry.completes && { completes: entry.completes }),
      ...(bigintLimits && { bigintLimits }),
    };
  };
  const written = {
    contractVersion: CONTRACT_VERSION,
    auth,
    rateLimit,
    instructions,
    resourceUpdates,
    toolSearch,
    tools: tools.map(toVisible),
    prompts: prompts.map(toVisible),
    resources: resources.map(toVisible),
    resourceTemplates: resourceTemplates.map(toVisible),
    views,
    skills,
    questions,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}
