import { isVisibleTo, type Manifest } from "@tenon/runtime/manifest";
import {
  createCollector,
  type DeclarationName,
  type Diagnostic,
  type DiagnosticCollector,
  type SourceSpan,
} from "../diagnostics/diagnostic.js";
import { countCharacters } from "../json-schema/count-characters.js";
import { sortBySource } from "../diagnostics/in-source-order.js";
import { DIRECTORIES, type DirectoryName, type DirectoryCode } from "./directory.js";
import { findSkillProblems } from "./skill-limits.js";
import { TOOL_RULES } from "./tool-rules.js";

/** The facts about a server that its manifest does not contain. */
export interface PublishedServer {
  /** The directories to check. */
  directories: readonly DirectoryName[];
  /** Whether the server requires OAuth. */
  hasOAuth: boolean;
  hasOpenAiDialect: boolean;
  /** Whether the server responds to OpenAI's challenge, or may do so. */
  hasOpenAiChallenge: boolean;
  /** Missing settings of the package, for the MCP registry. */
  problems?: readonly SettingProblem[] | undefined;
  /** Returns where a tool is declared. */
  locate(kind: DeclarationName["kind"], name: string): SourceSpan | undefined;
  /** The absolute path of the project folder. */
  root: string;
}

/** A setting that is missing or invalid, and what to do. */
export interface SettingProblem {
  message: string;
  hint: string;
}

interface Context extends PublishedServer {
  collector: DiagnosticCollector;
}

/**
 * Reports the parts of a server that public directories reject, as far as a build can detect them.
 *
 * @see https://developers.openai.com/plugins/plugin-guidelines
 * @see https://claude.com/docs/connectors/building
 */
export function checkDirectories(manifest: Manifest, server: PublishedServer): Diagnostic[] {
  const collector = createCollector(server.root);
  const context = { ...server, collector };
  checkTools(manifest, context);
  checkViews(manifest, context);
  checkSkills(manifest, context);
  checkListing(manifest, context);
  checkOpenAi(manifest, context);
  checkSettings(context);
  return sortBySource(collector.diagnostics);
}

function checkTools({ tools }: Manifest, { directories, locate, collector }: Context): void {
  for (const entry of tools.filter((each) => isVisibleTo(each, "model"))) {
    const declaration = { kind: "tool", name: entry.definition.name } as const;
    for (const rule of TOOL_RULES) {
      const names = rule.directories.filter((each) => directories.includes(each));
      const found = names.length > 0 ? rule.find(entry) : undefined;
      if (found === undefined) continue;
      const parameters = {
        ...found,
        tool: declaration.name,
        directories: names.map((each) => DIRECTORIES[each]),
      };
      // The code determines the parameters, which TypeScript cannot relate in a list of rules.
      collector.createReport(declaration)(rule.code, locate("tool", declaration.name), parameters as never);
    }
  }
}

/** Reports views that OpenAI rejects, each at the first tool that shows it. */
function checkViews({ tools, views = {} }: Manifest, { directories, locate, collector }: Context): void {
  if (!directories.includes("openai")) return;
  for (const [view, { definition }] of Object.entries(views)) {
    const tool = tools.find((each) => each.view === view)?.definition.name ?? "";
    const meta = definition._meta ?? {};
    const { csp } = (meta["ui"] ?? {}) as { csp?: { frameDomains?: readonly string[] } };
    const report = (code: DirectoryCode): void =>
      collector.createReport({ kind: "tool", name: tool })(code, locate("tool", tool), {
        view,
        directories: [DIRECTORIES.openai],
      } as never);
    if (csp === undefined) report("directory-view-policy-missing");
    if (meta["openai/widgetDomain"] === undefined) report("directory-view-domain-missing");
    if ((csp?.frameDomains?.length ?? 0) > 0) report("directory-view-frames");
  }
}

/** Reports skills that a directory does not import. */
function checkSkills(manifest: Manifest, { directories, collector }: Context): void {
  if (!directories.includes("openai")) return;
  for (const problem of findSkillProblems(manifest))
    collector.createReport(undefined, problem.skill)("directory-skill-limit", undefined, {
      ...problem,
      directories: [DIRECTORIES.openai],
    });
}

/** The maximum lengths of names and descriptions in listings. */
const LISTING_LIMITS: Partial<Record<DirectoryName, { title: number; description: number }>> = {
  openai: { title: 30, description: 4000 },
  anthropic: { title: 100, description: 2000 },
};

function checkListing({ server }: Manifest, { directories, collector }: Context): void {
  for (const name of directories)
    for (const [option, limit] of Object.entries(LISTING_LIMITS[name] ?? {})) {
      const length = countCharacters(server[option as "title" | "description"] ?? "");
      if (length > limit)
        collector.createReport()("directory-listing-long", undefined, {
          option,
          length,
          limit,
          directories: [DIRECTORIES[name]],
        });
    }
}

function checkOpenAi(
  { views = {}, toolSearch }: Manifest,
  { directories, hasOAuth, hasOpenAiDialect, hasOpenAiChallenge, collector }: Context,
): void {
  if (!directories.includes("openai")) return;
  const report = collector.createReport();
  const hidden = [
    ...(hasOAuth ? ["which scopes each tool needs (`securitySchemes`)"] : []),
    ...(Object.keys(views).length > 0 ? ["the settings of views"] : []),
  ];
  if (!hasOpenAiDialect && hidden.length > 0)
    report("directory-dialect-missing", undefined, {
      what: hidden.join(" and "),
      directories: [DIRECTORIES.openai],
    });
  if (toolSearch !== undefined)
    report("directory-tool-search", undefined, { directories: [DIRECTORIES.openai] });
  if (!hasOpenAiChallenge)
    report("directory-domain-unverified", undefined, { directories: [DIRECTORIES.openai] });
}

function checkSettings({ directories, problems = [], collector }: Context): void {
  if (!directories.includes("registry")) return;
  for (const { message, hint } of problems)
    collector.createReport()("directory-settings-incomplete", undefined, {
      problem: message,
      hint,
      directories: [DIRECTORIES.registry],
    });
}
