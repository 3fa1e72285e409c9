import type { ServerConfig } from "../../api/define-server.js";

/**
 * Checks that a configuration sets no option whose value the build needed and could not see. Emitted servers call it if
 * `src/server.ts` computes its configuration.
 *
 * @param names the options that the source may set
 * @returns the configuration
 * @throws TypeError for an option that is set, since it would have no effect
 * @example
 * rejectBuildOptions({ profile: "gemini" }, ["profile", "dialects"]) // TypeError: `profile` has no effect: …
 */
export function rejectBuildOptions(
  config: ServerConfig,
  names: readonly ("profile" | "dialects")[],
): ServerConfig {
  const name = names.find((each) => config[each] !== undefined && config[each].length > 0);
  if (name === undefined) return config;
  throw new TypeError(
    `\`${name}\` has no effect: only the build reads it, and src/server.ts computes its value. ` +
      `Write it in the call: defineServer({ ${name}: ${JSON.stringify(config[name])}, … }).`,
  );
}
