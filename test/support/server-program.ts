/**
 * Bundles a server as a self-contained program, once in a run of the tests.
 *
 * @param entry the absolute path of a module that serves, or otherwise uses a server, when it is run
 * @returns the path of the program
 */
export async function serverProgram(entry: string): Promise<string> {
  const { default: path } = (await import(/* @vite-ignore */ `program:${entry}`)) as { default: string };
  return path;
}
