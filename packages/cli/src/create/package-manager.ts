import { resolveCommand, type AgentName } from "package-manager-detector";

/** The supported package managers. The end-to-end tests install with each. */
export const PACKAGE_MANAGERS = ["npm", "pnpm", "yarn", "bun"] as const satisfies readonly AgentName[];

/**
 * Formats a command of a package manager.
 *
 * @param kind `run` for a script of package.json, `execute-local` for an installed program
 * @example
 * toManagerCommand("pnpm", "execute-local", ["tenon", "build"]) // "pnpm exec tenon build"
 */
export function toManagerCommand(
  manager: AgentName,
  kind: "run" | "execute-local",
  args: readonly string[],
): string {
  // `yarn exec` parses arguments differently in Yarn 1 and later versions; `yarn` alone is the same in all.
  if (manager === "yarn") return ["yarn", ...(kind === "run" ? ["run"] : []), ...args].join(" ");
  const resolved = resolveCommand(manager, kind, [...args]);
  if (!resolved) throw new TypeError(`${manager} has no command for ${kind}.`);
  return [resolved.command, ...resolved.args].join(" ");
}

/** Commands that install exactly the locked packages on a machine that has only Node and npm. */
const CLEAN_INSTALL: Partial<Record<AgentName, string>> = {
  pnpm: "npm install --global pnpm && pnpm install --frozen-lockfile",
  // Corepack uses the version in package.json, or else Yarn 1.
  yarn: "corepack enable && yarn install",
  bun: "npm install --global bun && bun install --frozen-lockfile",
};

/**
 * Replaces the commands of npm in a string with those of another package manager.
 *
 * @example
 * replaceCommands("Run `npm test`, then `npx tenon build`.", "pnpm") // "Run `pnpm run test`, then `pnpm exec tenon build`."
 */
export function replaceCommands(text: string, manager: AgentName): string {
  if (manager === "npm") return text;
  return text
    .replaceAll(/\bnpm (?:run )?(ci|\w+)\b/g, (whole: string, name: string) => {
      if (name === "ci") return CLEAN_INSTALL[manager] ?? whole;
      const isScript = whole.startsWith("npm run ") || name === "test" || name === "start";
      return isScript ? toManagerCommand(manager, "run", [name]) : whole;
    })
    .replaceAll("npx tenon", toManagerCommand(manager, "execute-local", ["tenon"]));
}
