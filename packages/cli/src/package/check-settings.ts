import { findPackageNameProblem, toPackageName } from "../create/package-name.js";
import { Failure } from "../terminal/failure.js";
import type { TargetName } from "./targets/package-target.js";
import {
  getAuthor,
  type PackageSettings,
  type SettingProblem,
  getUnscopedName,
} from "./settings/package-settings.js";
import { findRegistryNameProblem } from "./settings/registry-name.js";
import { getRepository } from "./settings/repository.js";

const MAX_DESCRIPTION_CHARACTERS = 100;

interface Context {
  readonly settings: PackageSettings;
  readonly targets: ReadonlySet<TargetName>;
  /** The description in server.json, if there is one. */
  readonly description: string | undefined;
}

type Check = (context: Context) => SettingProblem | undefined;

/** The checks, in the usual order of members in package.json. */
const CHECKS: readonly Check[] = [checkName, checkVersion, checkDescription, checkAuthor, checkRegistry];

/** Finds everything that the targets need and that package.json lacks. */
export function findSettingProblems(
  settings: PackageSettings,
  targets: ReadonlySet<TargetName>,
  description?: string,
): SettingProblem[] {
  return CHECKS.flatMap((check) => check({ settings, targets, description }) ?? []);
}

/**
 * Checks that package.json contains everything that the targets need.
 *
 * @param description the description in server.json, if there is one
 * @throws Failure that names everything that is missing
 */
export function checkSettings(
  settings: PackageSettings,
  targets: ReadonlySet<TargetName>,
  description?: string,
): void {
  const problems = findSettingProblems(settings, targets, description);
  const [first] = problems;
  if (first === undefined) return;
  if (problems.length === 1) throw new Failure(first.message, { hint: first.hint });
  const lines = problems.map(({ message, hint }) => `  - ${message}\n    ${hint}`);
  throw new Failure(`package.json lacks information that the targets require:\n${lines.join("\n")}`);
}

function checkName({ settings: { name }, targets }: Context): SettingProblem | undefined {
  if (name === "" && needsIdentity(targets))
    return { message: "package.json has no name.", hint: 'Add one, such as "name": "weather-mcp".' };
  const problem = targets.has("npx") ? findPackageNameProblem(name) : undefined;
  if (problem === undefined) return undefined;
  return {
    message: `npm rejects the package name \`${name}\`: ${problem}.`,
    hint: `Change "name" in package.json, for example to "${toPackageName(name)}".`,
  };
}

/** Returns whether a target publishes the server under a name and a version. */
function needsIdentity(targets: ReadonlySet<TargetName>): boolean {
  return (["npx", "mcpb", "registry", "docker"] as const).some((name) => targets.has(name));
}

function checkVersion({ settings: { version }, targets }: Context): SettingProblem | undefined {
  if (
    !needsIdentity(targets) ||
    (version !== undefined && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:[-+][\w.+-]+)?$/.test(version))
  )
    return undefined;
  return {
    message:
      version === undefined
        ? "package.json has no version."
        : `The version ${JSON.stringify(version)} in package.json is not valid for npm.`,
    hint: 'Use three numbers, such as "version": "1.0.0".',
  };
}

function checkDescription({ settings, targets, description }: Context): SettingProblem | undefined {
  const hint = 'Describe the server in one sentence: "description": "…".';
  if (targets.has("mcpb") && !settings.description)
    return {
      message: "package.json has no description, which users read before they install a bundle.",
      hint,
    };
  const shown = description ?? settings.description ?? "";
  // The registry counts an emoji as one character.
  const { length } = [...shown];
  if (!targets.has("registry") || (shown !== "" && length <= MAX_DESCRIPTION_CHARACTERS)) return undefined;
  if (shown === "")
    return { message: "package.json has no description, which the MCP registry shows.", hint };
  return {
    message: `The description has ${length} characters; the MCP registry accepts at most ${MAX_DESCRIPTION_CHARACTERS}.`,
    hint: "Shorten it in package.json, or only in server.json if that file exists.",
  };
}

function checkAuthor({ settings, targets }: Context): SettingProblem | undefined {
  if (!targets.has("mcpb") || getAuthor(settings) !== undefined) return undefined;
  return {
    message: "package.json has no author, which a bundle must name.",
    hint: 'Add "author": "Your Name <you@example.com>".',
  };
}

function checkRegistry({ settings, targets }: Context): SettingProblem | undefined {
  // Without a name, the hints would have no example.
  if (!targets.has("registry") || settings.name === "") return undefined;
  const problem = findRegistryNameProblem(settings);
  const source = getRepository(settings)?.source;
  // The registry accepts bundles from releases, which are found through the repository.
  if (problem || !targets.has("mcpb") || source === "github" || source === "gitlab") return problem;
  const name = getUnscopedName(settings);
  return {
    message: "The MCP registry accepts bundles only from releases on GitHub and GitLab.",
    hint: `Name the repository in package.json, such as "repository": "github:you/${name}", or omit --mcpb.`,
  };
}
