import { resolveCommand, type AgentName } from "package-manager-detector";

/** Those that the end-to-end tests install with. */
export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const satisfies readonly AgentName[];

/**
 * A command of a package manager, as people type it.
 *
 * @param kind `run` for a script of package.json, `execute-local` for a program that the project has installed
 * @example
 * packageManagerCommand("pnpm", "execute-local", ["tenon", "build"]) // "pnpm exec tenon build"
 */
export function packageManagerCommand(
  manager: AgentName,
  kind: "run" | "execute-local",
  args: readonly string[],
): string {
  // `yarn exec` of Yarn 1 and of later ones read what follows in different ways; `yarn` alone is one for all.
  if (manager === "yarn") return ["yarn", ...(kind === "run" ? ["run"] : []), ...args].join(" ");
  const resolved = resolveCommand(manager, kind, [...args]);
  if (!resolved) throw new TypeError(`${manager} has no command for ${kind}.`);
  return [resolved.command, ...resolved.args].join(" ");
}

/** Installs exactly what the lock file says, where there is npm and Node alone. */
const CLEAN_INSTALL: Partial<Record<AgentName, string>> = {
  pnpm: "npm install --global pnpm && pnpm install --frozen-lockfile",
  // It takes the version that package.json names, or else Yarn 1.
  yarn: "corepack enable && yarn install",
  bun: "npm install --global bun && bun install --frozen-lockfile",
};

/**
 * A text that names commands of npm, with those of another package manager in their place.
 *
 * @example
 * commandsOf("Run `npm test`, then `npx tenon build`.", "pnpm") // "Run `pnpm run test`, then `pnpm exec tenon build`."
 */
export function commandsOf(text: string, manager: AgentName): string {
  if (manager === "npm") return text;
  return text
    .replaceAll(/\bnpm (?:run )?(ci|\w+)\b/g, (whole: string, name: string) => {
      if (name === "ci") return CLEAN_INSTALL[manager] ?? whole;
      const isScript = whole.startsWith("npm run ") || name === "test" || name === "start";
      return isScript ? packageManagerCommand(manager, "run", [name]) : whole;
    })
    .replaceAll("npx tenon", packageManagerCommand(manager, "execute-local", ["tenon"]));
}
