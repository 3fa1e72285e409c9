import { packageNameProblem, toPackageName } from "../create/package-name.js";
import { Failure } from "../terminal/failure.js";
import type { FormName } from "./forms/package-form.js";
import {
  authorOf,
  type PackageSettings,
  type SettingProblem,
  versionProblem,
} from "./settings/package-settings.js";
import { registryNameProblem } from "./settings/registry-name.js";
import { repositoryOf } from "./settings/repository.js";

const LONGEST_DESCRIPTION = 100;

/** What is asked of a package.json. */
interface Asked {
  readonly settings: PackageSettings;
  readonly forms: ReadonlySet<FormName>;
  /** What a server.json that is there says in place of package.json. */
  readonly description: string | undefined;
}

/** In the order in which package.json commonly has them; of two about one member, the first is told. */
const CHECKS: readonly ((asked: Asked) => SettingProblem | undefined)[] = [
  nameProblem,
  ({ settings, forms }) => (isNumbered(forms) ? versionProblem(settings) : undefined),
  descriptionProblem,
  authorProblem,
  ({ settings, forms }) =>
    forms.has("registry") ? (registryNameProblem(settings) ?? releaseProblem(settings, forms)) : undefined,
];

/**
 * Makes sure that package.json says all that the forms have to pass on.
 *
 * @param description what server.json says of the server, where there is one
 * @throws Failure that names everything that is missing
 */
export function checkSettings(
  settings: PackageSettings,
  forms: ReadonlySet<FormName>,
  description?: string,
): void {
  const problems = CHECKS.flatMap((check) => check({ settings, forms, description }) ?? []);
  const [first] = problems;
  if (first === undefined) return;
  if (problems.length === 1) throw new Failure(first.message, { hint: first.hint });
  const told = problems.map(({ message, hint }) => `  - ${message}\n    ${hint}`);
  throw new Failure(`package.json does not say all that others have to know:\n${told.join("\n")}`);
}

function isNumbered(forms: ReadonlySet<FormName>): boolean {
  return forms.has("npx") || forms.has("mcpb") || forms.has("registry");
}

function nameProblem({ settings: { name }, forms }: Asked): SettingProblem | undefined {
  const problem = forms.has("npx") ? packageNameProblem(name) : undefined;
  if (problem === undefined) return undefined;
  return {
    message: `npm does not accept the package name \`${name}\`: ${problem}.`,
    hint: `Change "name" in package.json, for example to "${toPackageName(name)}".`,
  };
}

function descriptionProblem({ settings, forms, description }: Asked): SettingProblem | undefined {
  const hint = 'Say in a sentence what the server does: "description": "…".';
  if (forms.has("mcpb") && !settings.description)
    return {
      message: "package.json has no description, which people read before they install a bundle.",
      hint,
    };
  const shown = description ?? settings.description ?? "";
  if (!forms.has("registry") || (shown !== "" && shown.length <= LONGEST_DESCRIPTION)) return undefined;
  if (shown === "")
    return { message: "package.json has no description, which the MCP registry shows.", hint };
  return {
    message: `The description has ${shown.length} characters, and the MCP registry takes ${LONGEST_DESCRIPTION}.`,
    hint: "Say it shorter in package.json, or in server.json alone, where there is one.",
  };
}

function authorProblem({ settings, forms }: Asked): SettingProblem | undefined {
  if (!forms.has("mcpb") || authorOf(settings) !== undefined) return undefined;
  return {
    message: "package.json has no author, whom a bundle has to name.",
    hint: 'Add "author": "Your Name <you@example.com>".',
  };
}

/** The registry takes bundles from where releases are found by the repository. */
function releaseProblem(settings: PackageSettings, forms: ReadonlySet<FormName>): SettingProblem | undefined {
  const source = repositoryOf(settings)?.source;
  if (!forms.has("mcpb") || source === "github" || source === "gitlab") return undefined;
  const name = settings.name.replace(/^@[^/]*\//, "");
  return {
    message: "The MCP registry takes bundles from releases on GitHub and GitLab alone.",
    hint: `Name the repository in package.json, such as "repository": "github:you/${name}", or leave out --mcpb.`,
  };
}
