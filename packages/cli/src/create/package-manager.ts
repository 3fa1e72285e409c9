import { resolveCommand, type AgentName } from "package-manager-detector";

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
  const resolved = resolveCommand(manager, kind, [...args]);
  if (!resolved) throw new TypeError(`${manager} has no command for ${kind}.`);
  return [resolved.command, ...resolved.args].join(" ");
}
