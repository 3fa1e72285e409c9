import type { PackageManager } from "./context.js";

const KNOWN: readonly PackageManager[] = ["npm", "pnpm", "yarn", "bun"];

/**
 * Which package manager started this program, going by what they all put into the environment.
 *
 * @param userAgent `npm_config_user_agent`, such as `"pnpm/9.1.0 npm/? node/v20.19.0 linux x64"`
 */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split("/")[0];
  return KNOWN.find((known) => known === name) ?? "npm";
}

/** The command of a script in package.json, as people type it. */
export function scriptCommand(manager: PackageManager, script: string): string {
  if (manager === "npm")
    return script === "test" || script === "start" ? `npm ${script}` : `npm run ${script}`;
  return manager === "bun" ? `bun run ${script}` : `${manager} ${script}`;
}

/** How people run a program the project has installed. */
export function execCommand(manager: PackageManager): string {
  return { npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" }[manager];
}
