import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import type { Report, SourceRange } from "../diagnostics/diagnostic.js";
import { SKILL_NAME, type SkillEntry } from "@tenon/runtime/manifest";
import { countCharacters } from "../json-schema/count-characters.js";
import { ts } from "../typescript/typescript.js";
import type { SkillText } from "./skill.js";

type Frontmatter = SkillEntry["definition"]["frontmatter"];

/** Limits of the Agent Skills specification. */
export const MAX_DESCRIPTION_CHARACTERS = 1024;
const MAX_COMPATIBILITY_CHARACTERS = 500;

/** The members that the Agent Skills specification defines in addition to the name. */
const MEMBERS: Readonly<Record<string, { expected: string; accepts: (value: unknown) => boolean }>> = {
  description: {
    expected: `a string of 1 to ${MAX_DESCRIPTION_CHARACTERS} characters that says what the skill does and when to use it`,
    accepts: (value) => isText(value, MAX_DESCRIPTION_CHARACTERS),
  },
  license: { expected: "a string", accepts: (value) => isText(value) },
  compatibility: {
    expected: `a string of 1 to ${MAX_COMPATIBILITY_CHARACTERS} characters`,
    accepts: (value) => isText(value, MAX_COMPATIBILITY_CHARACTERS),
  },
  metadata: {
    expected: "a map from names to strings",
    accepts: (value) =>
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((each) => typeof each === "string"),
  },
  "allowed-tools": { expected: "a string with names separated by spaces", accepts: (value) => isText(value) },
};

/** Matches numbers that are text for strict parsers of YAML 1.1, such as Python's, but not for the one that reads it here. */
const LOOSE_NUMBER = /^[-+]?(?:\d+e[-+]?\d+|\d*\.\d*e\d+|0\d*[89]\d*)$/i;

/** Keys of `metadata` that are reserved for extensions of the protocol. */
const RESERVED_KEY = /^io\.modelcontextprotocol\//;

/**
 * Reads and checks the frontmatter of a SKILL.md.
 *
 * @param name the name of the skill's folder
 * @returns the frontmatter as JSON, with every member as the author wrote it; undefined if it is not valid, which is reported
 * @see https://agentskills.io/specification
 */
export function readFrontmatter(
  { file, text }: SkillText,
  name: string,
  root: string,
  report: Report,
): Frontmatter | undefined {
  const source = ts.createSourceMapSource(`${root}/${file}`, text);
  const at = (start: number, end: number): SourceRange => ({ file: source, start, end });
  const firstLine = at(0, Math.max(text.search(/\r?\n|$/), 0));
  const block = findBlock(text);
  if ("problem" in block) {
    report("skill-frontmatter-missing", firstLine, { file, problem: block.problem });
    return undefined;
  }
  const { start, end } = block;
  // Loading the parser takes time, which projects without skills do not have to spend.
  const { parseDocument, isMap, isPair, isScalar, visit } = createRequire(import.meta.url)(
    "yaml",
  ) as typeof import("yaml");
  const yaml = text.slice(start, end);
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "silent" });
  const [problem] = [...document.errors, ...document.warnings];
  const reject = (range: SourceRange, parameters: { problem: string; edit: string }): undefined => {
    report("skill-frontmatter-invalid", range, parameters);
    return undefined;
  };
  if (problem) {
    const [from, to] = problem.pos;
    const isEmpty = from >= yaml.length;
    return reject(isEmpty ? firstLine : at(start + from, start + Math.max(to, from + 1)), {
      problem: `The frontmatter of the skill is not valid YAML: ${problem.message.replace(/\.?\s*$/, "")}.`,
      edit: "Correct the YAML. Put a value that contains a colon or a `#` in quotes.",
    });
  }
  const { contents } = document;
  if (!isMap(contents))
    return reject(firstLine, {
      problem: "The frontmatter of the skill must be a map.",
      edit: "Write `name: …` and `description: …` between the two `---` lines.",
    });
  const findRange = (key: string): SourceRange => {
    const pair = contents.items.find((each) => isScalar(each.key) && each.key.value === key);
    const range = (pair?.value as { range?: number[] } | null | undefined)?.range;
    const [from = 0, valueEnd = 0] = range ?? [];
    const to = from + yaml.slice(from, valueEnd).trimEnd().length;
    return pair && range ? at(start + from, start + Math.max(to, from + 1)) : firstLine;
  };
  let value: Record<string, unknown>;
  try {
    value = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
  } catch (error) {
    return reject(firstLine, {
      problem: `The frontmatter of the skill cannot be read: ${(error as Error).message}.`,
      edit: "Write the values without aliases.",
    });
  }
  const changed = Object.keys(value).find((key) => !isJson(value[key]));
  if (changed !== undefined)
    return reject(findRange(changed), {
      problem: `\`${changed}\` in the frontmatter contains a value that JSON cannot represent, so clients would read a different one.`,
      edit: "Put the value in quotes.",
    });
  const other = parseDocument(yaml, { version: "1.1", logLevel: "silent", prettyErrors: false });
  const older = readAsYaml11(other);
  const loose = new Set<string>();
  visit(document, {
    Scalar(_, { type, source = "" }, [, , member]) {
      if (type === "PLAIN" && LOOSE_NUMBER.test(source) && isPair(member)) loose.add(String(member.key));
    },
  });
  for (const key of Object.keys(value))
    if (loose.has(key) || !isDeepStrictEqual(toJson(value[key]), toJson(older[key])))
      report("skill-frontmatter-ambiguous", findRange(key), { member: key });
  if (typeof value.name !== "string" || !SKILL_NAME.test(value.name) || value.name !== name) {
    report("skill-name-invalid", findRange("name"), {
      name: value.name === undefined ? undefined : String(value.name),
      folder: name,
      isFolderValid: SKILL_NAME.test(name),
    });
    return undefined;
  }
  for (const [member, { expected, accepts }] of Object.entries(MEMBERS)) {
    if (value[member] === undefined && member !== "description") continue;
    if (accepts(value[member])) continue;
    return reject(findRange(member), {
      problem:
        value[member] === undefined
          ? `The skill lacks a \`${member}\`.`
          : `\`${member}\` of the skill must be ${expected}.`,
      edit:
        value[member] === undefined
          ? `Add \`${member}: …\` to the frontmatter: ${expected}.`
          : "Correct the value, or remove it if the skill does not need it.",
    });
  }
  const reserved = Object.keys((value.metadata as object | undefined) ?? {}).find((key) =>
    RESERVED_KEY.test(key),
  );
  if (reserved !== undefined)
    return reject(findRange("metadata"), {
      problem: `\`${reserved}\` in \`metadata\` is reserved for extensions of the protocol.`,
      edit: "Use another name, such as one that begins with your domain.",
    });
  return value as Frontmatter;
}

/** Finds the YAML between the first two lines that are `---`. */
function findBlock(
  text: string,
): { start: number; end: number } | { problem: "byte-order-mark" | "missing" | "unclosed" } {
  if (text.startsWith("\uFEFF")) return { problem: "byte-order-mark" };
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (opening === null) return { problem: "missing" };
  const [{ length: start }] = opening;
  const closing = /^---[ \t]*$/m.exec(text.slice(start).replaceAll("\r\n", " \n"));
  return closing === null ? { problem: "unclosed" } : { start, end: start + closing.index };
}

/** Reads a document as parsers of YAML 1.1 do, such as Python's. */
function readAsYaml11(document: { errors: readonly unknown[]; toJS(): unknown }): Record<string, unknown> {
  try {
    return (document.errors.length === 0 ? document.toJS() : {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isText(value: unknown, max = Infinity): boolean {
  return typeof value === "string" && value.trim() !== "" && countCharacters(value) <= max;
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** Returns whether JSON represents a value exactly. An alias in YAML can refer to a value that contains it. */
function isJson(value: unknown, parents: readonly unknown[] = []): boolean {
  if (typeof value === "number")
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== "object" || value === null) return typeof value !== "bigint" && value !== undefined;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false;
  return !parents.includes(value) && Object.values(value).every((each) => isJson(each, [...parents, value]));
}

/** Returns the names of tools in `allowed-tools`, without their patterns. */
export function listAllowedTools({ "allowed-tools": allowed }: Frontmatter): string[] {
  return typeof allowed === "string" ? (allowed.match(/[^\s(),]+(?=\(|[\s,]|$)/g) ?? []) : [];
}
