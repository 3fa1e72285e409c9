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
