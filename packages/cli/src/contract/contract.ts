import { existsSync } from "node:fs";
import { join } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import type {
  Entry,
  Manifest,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  ToolEntry,
} from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { readJsonFile } from "../files/json-file.js";
import type { DeclaredQuestions } from "../project/declared-questions.js";

/** Raised whenever this version could misread an older contract. */
export const CONTRACT_VERSION = 1;

export const CONTRACT_FILE = "tenon.lock.json";

/** What clients see of a tool, a prompt or a resource, who may use it how often, and whether it is a task. */
export type Promised<Definition> = Pick<Entry<Definition>, "definition" | "scopes" | "guards" | "rateLimit"> &
  Pick<Partial<ToolEntry>, "task">;

/** What clients see of a server and who may do what, and nothing of how it is made: a part of its manifest. */
export interface Contract extends Pick<Manifest, "auth" | "rateLimit"> {
  readonly tools: readonly Promised<Tool>[];
  readonly prompts: readonly Promised<Prompt>[];
  readonly resources: readonly Promised<Resource>[];
  readonly resourceTemplates: readonly Promised<ResourceTemplate>[];
  /** What each may ask of a client, by its kind and its name or URI. Absent where nobody knows, as in older contracts. */
  readonly questions?: DeclaredQuestions;
}

/** The contract of a project; undefined where none was written. */
export function readContract(root: string): Contract | undefined {
  const file = join(root, CONTRACT_FILE);
  if (!existsSync(file)) return undefined;
  let value: { contractVersion?: unknown };
  try {
    value = readJsonFile(file) as typeof value;
  } catch (cause) {
    throw new Failure(`${CONTRACT_FILE} cannot be read: it is not valid JSON.`, { hint: HINT, cause });
  }
  if (value.contractVersion !== CONTRACT_VERSION) {
    throw new Failure(`${CONTRACT_FILE} is not of this version of Tenon.`, { hint: HINT });
  }
  return value as unknown as Contract;
}

const HINT = "Take it from your version control again, or write it anew with `tenon check --write`.";

/** Writes what clients see now into the project's folder. */
export function writeContract(root: string, contract: Contract): void {
  writeFileTree(new Map([[CONTRACT_FILE, contractText(contract)]]), root);
}

/** The same bytes for the same contract. The version of the server is left out: it changes with each release. */
function contractText(contract: Contract): string {
  const { auth, rateLimit, tools, prompts, resources, resourceTemplates, questions } = contract;
  const visible = (entry: Promised<unknown>): Promised<unknown> => ({
    definition: entry.definition,
    ...(entry.scopes && { scopes: entry.scopes }),
    ...(entry.guards && { guards: entry.guards }),
    ...(entry.rateLimit && { rateLimit: entry.rateLimit }),
    ...(entry.task && { task: entry.task }),
  });
  const written = {
    contractVersion: CONTRACT_VERSION,
    auth,
    rateLimit,
    tools: tools.map(visible),
    prompts: prompts.map(visible),
    resources: resources.map(visible),
    resourceTemplates: resourceTemplates.map(visible),
    questions,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}
