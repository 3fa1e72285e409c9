import { posix } from "node:path";
import { findNearestName } from "@tenon/runtime/nearest-name";
import { SKILL_SCHEME, type Manifest } from "@tenon/runtime/manifest";
import type { DiagnosticCode, DiagnosticParameters } from "../diagnostics/catalog.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import { ts } from "../typescript/typescript.js";
import { findMentions, type Mention } from "./find-mentions.js";
import { listAllowedTools } from "./frontmatter.js";
import { type InlineCode, type LinkTarget, scanMarkdown } from "./markdown.js";
import { decodeText } from "./read-skills.js";
import { addSkillEntries } from "./skill-entries.js";
import { collectNames, findKind, findIntendedName, normalize, type ServerNames } from "./server-names.js";
import { type Skill, SKILLS_FOLDER } from "./skill.js";

/** The project whose skills are checked. */
export interface MentionContext {
  /** The absolute path of the project folder. */
  root: string;
  declarations: readonly Declaration[];
  collector: DiagnosticCollector;
}

/**
 * Adds to a manifest the skills that mention only what the server has. A skill with an error has a diagnostic, and is not
 * served.
 */
export function addCheckedSkills(
  skills: readonly Skill[],
  manifest: Manifest,
  context: MentionContext,
): ReturnType<typeof addSkillEntries> {
  // Skills may mention each other.
  checkMentions(skills, addSkillEntries(manifest, skills).manifest, context);
  const { diagnostics } = context.collector;
  const rejected = new Set(
    diagnostics.flatMap(({ severity, skill }) => (severity === "error" ? (skill ?? []) : [])),
  );
  return addSkillEntries(
    manifest,
    skills.filter(({ path }) => !rejected.has(path)),
  );
}

/** Checks that the tools, prompts, and resources that skills mention exist, as well as the files to which skills refer. */
function checkMentions(
  skills: readonly Skill[],
  manifest: Manifest,
  { root, declarations, collector }: MentionContext,
): void {
  if (skills.length === 0) return;
  const names = collectNames(manifest, declarations);
  for (const skill of skills) {
    // A file of a skill inside another one is checked only with that skill.
    const inner = skills.filter(({ path }) => path.startsWith(`${skill.path}/`));
    const own = skill.files.filter(({ path }) => !inner.some((each) => path.startsWith(`${each.path}/`)));
    const report = collector.createReport(undefined, skill.path);
    for (const { path, bytes } of own) {
      const text = /\.(?:md|markdown)$/i.test(path) ? decodeText(bytes) : undefined;
      if (text === undefined) continue;
      const source = ts.createSourceMapSource(`${root}/${SKILLS_FOLDER}/${path}`, text);
      const found = scanMarkdown(text, findBodyStart(text));
      const { mentions, others } = findMentions(found);
      const allowed = new Set(listAllowedTools(skill.frontmatter));
      const reportAt =
        ({ start, end }: { start: number; end: number }): ReportHere =>
        (code, parameters) =>
          report(code, { file: source, start, end }, parameters);
      for (const each of mentions) checkMention(each, names, allowed, reportAt(each));
      for (const each of others) {
        if (isQualified(each.text, names)) checkQualified(each.text, names, allowed, reportAt(each));
        else checkSimilar(each, names, allowed, skill, reportAt(each));
      }
      for (const each of found) checkPath(each, path, skill, reportAt(each));
    }
  }
}

/** A function that reports a diagnostic at the text that is checked. */
type ReportHere = <Code extends DiagnosticCode>(code: Code, parameters: DiagnosticParameters<Code>) => void;

function findBodyStart(text: string): number {
  return /^\uFEFF?---[ \t]*\r?\n[^]*?^---[ \t]*\r?$/m.exec(text)?.[0].length ?? 0;
}

function checkMention(
  { kind, name: written, isExplicit = false }: Pick<Mention, "kind" | "name" | "isExplicit">,
  names: ServerNames,
  allowed: ReadonlySet<string>,
  report: ReportHere,
): void {
  if (kind === "resource") return checkUri(written, isExplicit, names, report);
  const name = toOwnName(written, names);
  if (name === undefined || allowed.has(written) || allowed.has(name)) return;
  const actual = findKind(name, names);
  if (actual === kind) return;
  const known = kind === "tool" ? names.tools : names.prompts;
  const renamed = names.methods.get(name);
  const nearest = renamed !== undefined && known.has(renamed) ? renamed : findIntendedName(name, known);
  report("skill-mention-unknown", { kind, name, ...(actual && { actual }), nearest });
}

/** Returns whether the name of this server is before a name, which then mentions a tool or prompt of this server. */
function isQualified(written: string, names: ServerNames): boolean {
  const name = toOwnName(written, names);
  return name !== undefined && name !== written;
}

function checkQualified(
  written: string,
  names: ServerNames,
  allowed: ReadonlySet<string>,
  report: ReportHere,
): void {
  const kind = findKind(toOwnName(written, names) ?? written, names) ?? "tool";
  checkMention({ kind, name: written }, names, allowed, report);
}

/**
 * Returns the name without the name of this server before it, as in `weather:forecast` and `mcp__weather__forecast`.
 * Undefined if it is a name of another server.
 */
function toOwnName(written: string, { server }: ServerNames): string | undefined {
  const [, prefix, name] = /^mcp__(.+?)__(.+)$/.exec(written) ?? /^([^:]+):(.+)$/.exec(written) ?? [];
  if (prefix === undefined || name === undefined) return written;
  return server.includes(normalize(prefix)) ? name : undefined;
}

function checkUri(uri: string, isExplicit: boolean, { resources }: ServerNames, report: ReportHere): void {
  const scheme = getScheme(uri);
  const uris = [...resources.keys()];
  const schemes = new Set([...uris.map(getScheme), getScheme(SKILL_SCHEME)]);
  // Web pages and files are usually not resources of the server.
  const isOther = /^(?:https?|file|ftp|ssh|git|wss?):$/.test(scheme);
  const isOwn = !isOther && (schemes.has(scheme) || findNearestName(scheme, schemes) !== undefined);
  if (!isOwn && !isExplicit) return;
  const isServed =
    resources.has(uri) ||
    [...resources.values()].some((pattern) => pattern.test(uri)) ||
    uris.some((each) => each.startsWith(`${uri.replace(/\/$/, "")}/`) && uri.startsWith(SKILL_SCHEME));
  if (!isServed)
    report("skill-mention-unknown", { kind: "resource", name: uri, nearest: findNearestName(uri, uris) });
}

function getScheme(uri: string): string {
  return /^[a-z][a-z\d+.-]*:/i.exec(uri)?.[0].toLowerCase() ?? "";
}

/** Names of fewer characters resemble too many words. */
const MIN_SIMILAR_LENGTH = 5;

/** Reports code that resembles a name of the server, such as a misspelled or former one. */
function checkSimilar(
  { text }: InlineCode,
  names: ServerNames,
  allowed: ReadonlySet<string>,
  { files, frontmatter }: Skill,
  report: ReportHere,
): void {
  const name = toOwnName(text, names);
  if (name === undefined || findKind(name, names) || allowed.has(name) || names.words.has(name)) return;
  if (name === frontmatter.name || files.some(({ path }) => path.includes(name))) return;
  const candidates = [...names.tools, ...names.prompts];
  const nearest =
    names.methods.get(name) ??
    (name.length < MIN_SIMILAR_LENGTH ? undefined : findNearestName(name, candidates));
  const kind = nearest === undefined ? undefined : findKind(nearest, names);
  if (nearest !== undefined && kind) report("skill-mention-similar", { name, nearest, kind });
}

/** Reports a reference to a file that the skill does not contain. */
function checkPath(found: InlineCode | LinkTarget, path: string, skill: Skill, report: ReportHere): void {
  const target = found.text.replace(/[?#].*$/, "");
  if (target === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(target)) return;
  const inSkill = skill.files.map((each) => each.path.slice(skill.path.length + 1));
  const folders = new Set(inSkill.flatMap((each) => (each.includes("/") ? [each.split("/")[0]] : [])));
  // Code is a path only if it begins with a folder of the skill and ends with an extension.
  if (
    found.kind === "code" &&
    !(folders.has(target.split("/")[0]) && /^[\w./-]+\/[\w.-]+\.\w+$/.test(target))
  )
    return;
  const decoded = decodePath(target);
  const fromFile = posix.normalize(posix.join(posix.dirname(path.slice(skill.path.length + 1)), decoded));
  const isAbsolute = decoded.startsWith("/");
  const candidates = isAbsolute
    ? []
    : [posix.normalize(decoded), fromFile].map((each) => each.replace(/\/$/, ""));
  const exists = candidates.some(
    (each) => each === "." || inSkill.includes(each) || inSkill.some((file) => file.startsWith(`${each}/`)),
  );
  if (!exists)
    report("skill-link-broken", { target: found.text, nearest: findNearestName(decoded, inSkill) });
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
