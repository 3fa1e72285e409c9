import type { AgentName } from "package-manager-detector";

/** What a project says to its package manager, besides what every one reads. */
export interface ManagerSettings {
  /** Files by path in the project. */
  files: Record<string, string>;
  /** Lines of .gitignore. */
  ignored: string[];
  /** Members of package.json. */
  fields: Record<string, unknown>;
}

/**
 * What makes a project of Tenon's work with a package manager.
 *
 * @param packed specifiers of packages that come from files, by name: packages that need each other must find those, too
 * @param userAgent what the one says of itself that has started this program
 */
export function managerSettings(
  manager: AgentName,
  packed: Record<string, string>,
  userAgent = process.env["npm_config_user_agent"] ?? "",
): ManagerSettings {
  const settings: ManagerSettings = { files: {}, ignored: [], fields: {} };
  const some = Object.keys(packed).length > 0;
  if (manager === "npm") settings.fields["allowScripts"] = NPM_SCRIPTS;
  if (manager === "pnpm") settings.files["pnpm-workspace.yaml"] = PNPM + (some ? pnpmOverrides(packed) : "");
  if (manager === "yarn") {
    settings.files[".yarnrc.yml"] = YARN;
    // Without it, Yarn 2 and later take the folder for a part of any project that it lies in, and refuse.
    settings.files["yarn.lock"] = "";
    settings.ignored.push(".yarn/", ".pnp.*");
    if (some) settings.fields["resolutions"] = packed;
    // CI and containers, which have Yarn 1, take this one then.
    const [, version] = /^yarn\/(\d+\.\d+\.\d+)/.exec(userAgent) ?? [];
    if (version !== undefined && !version.startsWith("1."))
      settings.fields["packageManager"] = `yarn@${version}`;
  }
  if (manager === "bun" && some) settings.fields["overrides"] = packed;
  return settings;
}

/**
 * Both work without their install scripts, which npm 11 asks about at each installation and npm 12 does not run.
 *
 * @see https://docs.npmjs.com/cli/v11/commands/npm-install-scripts
 */
const NPM_SCRIPTS = { esbuild: false, fsevents: false };

/** Before pnpm 10.26 under another name. */
const PNPM = `# esbuild works without its install script, which would only make it start a little faster.
allowBuilds:
  esbuild: false
ignoredBuiltDependencies:
  - esbuild
`;

/** Read by Yarn 2 and later. */
const YARN = `# Types are read from node_modules, which Plug'n'Play does without.
nodeLinker: node-modules
`;

function pnpmOverrides(packed: Record<string, string>): string {
  const lines = Object.entries(packed).map(([name, specifier]) => `  "${name}": "${specifier}"\n`);
  return `overrides:\n${lines.join("")}`;
}
