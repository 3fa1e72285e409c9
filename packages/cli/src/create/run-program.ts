import spawn, { SubprocessError } from "nano-spawn";
import type { RunProgram } from "./context.js";

/** Nothing is read from the terminal: a program that asks a question gets no answer rather than hang. */
export const runProgram: RunProgram = async (program, args, { cwd, signal }) => {
  try {
    const env = callerIndependent(process.env);
    const { output } = await spawn(program, args, { cwd, stdin: "ignore", env, ...(signal && { signal }) });
    return { exitCode: 0, output };
  } catch (error) {
    if (!(error instanceof SubprocessError)) throw error;
    return { exitCode: error.exitCode ?? 1, output: error.output || reasonOf(error) };
  }
};

/**
 * Changes to the environment that take away what `npm create`, `npx` and `yarn create` set for the programs they start:
 * it names the folder of the caller, and would send the new project's installation there, or its imports.
 */
function callerIndependent(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const inherited =
    /^(?:npm_(?:package|lifecycle|command|config_local_prefix|config_prefix|config_yes)|INIT_CWD$)/;
  const names = Object.keys(env).filter((name) => inherited.test(name));
  const nodeOptions = env["NODE_OPTIONS"]?.replace(PLUG_AND_PLAY, "").trim();
  return {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions || undefined }),
  };
}

/** The options by which Yarn 2 and later make Node find packages without `node_modules`. */
const PLUG_AND_PLAY =
  /(?:--require|--import|--experimental-loader|--loader)[ =](?:"[^"]*\.pnp\.(?:cjs|loader\.mjs)"|\S*\.pnp\.(?:cjs|loader\.mjs))/g;

/** Why a program could not be started. */
function reasonOf({ message, cause }: SubprocessError): string {
  return cause instanceof Error ? cause.message : message;
}
