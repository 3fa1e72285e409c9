import spawn, { SubprocessError } from "nano-spawn";
import type { RunProgram } from "./context.js";

/** Runs a program without standard input, so that a prompt fails instead of blocking. */
export const runProgram: RunProgram = async (program, args, { cwd, signal }) => {
  try {
    const env = removeCallerVariables(process.env);
    const { output } = await spawn(program, args, { cwd, stdin: "ignore", env, ...(signal && { signal }) });
    return { exitCode: 0, output };
  } catch (error) {
    if (!(error instanceof SubprocessError)) throw error;
    return { exitCode: error.exitCode ?? 1, output: error.output || getReason(error) };
  }
};

/**
 * Returns changes to the environment that remove the variables of `npm create`, `npx`, and `yarn create`. These name the
 * folder of the caller, where the new project would otherwise be installed.
 */
function removeCallerVariables(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const inherited =
    /^(?:npm_(?:package|lifecycle|command|config_local_prefix|config_prefix|config_yes)|INIT_CWD$)/;
  const names = Object.keys(env).filter((name) => inherited.test(name));
  const nodeOptions = env["NODE_OPTIONS"]?.replace(PLUG_AND_PLAY, "").trim();
  return {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions || undefined }),
  };
}

/** The options with which Yarn 2 and later make Node find packages without `node_modules`. */
const PLUG_AND_PLAY =
  /(?:--require|--import|--experimental-loader|--loader)[ =](?:"[^"]*\.pnp\.(?:cjs|loader\.mjs)"|\S*\.pnp\.(?:cjs|loader\.mjs))/g;

/** Returns why a program could not be started. */
function getReason({ message, cause }: SubprocessError): string {
  return cause instanceof Error ? cause.message : message;
}
