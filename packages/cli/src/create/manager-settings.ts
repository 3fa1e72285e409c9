import type { AgentName } from "package-manager-detector";
import { Failure } from "../terminal/failure.js";

/** The settings of a project for one package manager. */
export interface ManagerSettings {
  /** The files, by path in the project. */
  files: Record<string, string>;
  /** The lines for .gitignore. */
  ignored: string[];
  /** The members for package.json. */
  fields: Record<string, unknown>;
}

/**
 * Creates the settings that a package manager needs to install a Tenon project.
 *
 * @param packed the specifiers of packages that are installed from files, by name; they also apply to dependencies between
 *   these packages
 * @param userAgent the user agent of the package manager that started this program
 */
export function createManagerSettings(
  manager: AgentName,
  packed: Record<string, string>,
  userAgent = process.env["npm_config_user_agent"] ?? "",
): ManagerSettings {
  const settings: ManagerSettings = { files: {}, ignored: [], fields: {} };
  const hasPacked = Object.keys(packed).length > 0;
  if (manager === "npm") settings.fields["allowScripts"] = NPM_SCRIPTS;
  if (manager === "pnpm")
    settings.files["pnpm-workspace.yaml"] = PNPM + (hasPacked ? writePnpmOverrides(packed) : "");
  if (manager === "yarn") {
    settings.files[".yarnrc.yml"] = YARN;
    // Without this file, Yarn 2 and later treat the folder as part of a surrounding project and fail.
    settings.files["yarn.lock"] = "";
    settings.ignored.push(".yarn/", ".pnp.*");
    if (hasPacked) settings.fields["resolutions"] = packed;
    // CI and containers have Yarn 1. This member makes Corepack run the version that created the project.
    const [, version] = /^yarn\/(\d+\.\d+\.\d+)/.exec(userAgent) ?? [];
    if (version !== undefined && !version.startsWith("1."))
      settings.fields["packageManager"] = `yarn@${version}`;
  }
  if (manager === "bun" && hasPacked) settings.fields["overrides"] = packed;
  return settings;
}

/** The oldest version of npm that can unpack packages with the versions of Node that Tenon supports. */
const MIN_NPM = 8;

/**
 * Checks that a package manager can install packages, as far as its user agent shows.
 *
 * @param userAgent the user agent of the package manager that started this program
 * @throws Failure for npm 7 and older
 */
export function checkManagerVersion(
  manager: AgentName,
  userAgent = process.env["npm_config_user_agent"] ?? "",
): void {
  const [, version, major] = /^npm\/((\d+)\.[\w.-]+)/.exec(userAgent) ?? [];
  if (manager !== "npm" || version === undefined || Number(major) >= MIN_NPM) return;
  throw new Failure(`npm ${version} cannot unpack packages with Node ${process.versions.node}.`, {
    hint: `Use npm ${MIN_NPM} or newer, such as the one that Node includes, or another package manager with --package-manager.`,
  });
}

/**
 * Disables install scripts, which these packages do not need. npm 11 prompts for them at each installation, and npm 12 does not run them.
 *
 * @see https://docs.npmjs.com/cli/v11/commands/npm-install-scripts
 */
const NPM_SCRIPTS = { esbuild: false, fsevents: false };

/** Disables the same install scripts, which pnpm before 10.26 knows as `ignoredBuiltDependencies`. */
const PNPM = `# esbuild works without its install script, which would only make it start a little faster.
allowBuilds:
  esbuild: false
ignoredBuiltDependencies:
  - esbuild
`;

/** The settings for Yarn 2 and later. */
const YARN = `# Tenon reads types from node_modules, which Plug'n'Play does not create.
nodeLinker: node-modules
`;

function writePnpmOverrides(packed: Record<string, string>): string {
  const lines = Object.entries(packed).map(([name, specifier]) => `  "${name}": "${specifier}"\n`);
  return `overrides:\n${lines.join("")}`;
}
