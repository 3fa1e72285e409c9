import { join } from "node:path";
import { compile } from "@tenon/compiler";

const workspace = join(import.meta.dirname, "../..");

/**
 * Begins the specifier of a module that the compiler emits for a project of the tests. The folder of the project, relative to
 * the workspace, and the name of the module follow: `emitted:test/runtime/fixture/application.js`.
 */
export const EMITTED = "emitted:";

/** Emitted modules by project folder: each is compiled once. @type {Map<string, Promise<Map<string, string>>>} */
const emitted = new Map();

/**
 * Splits what follows `emitted:`.
 *
 * @param {string} path
 * @returns {{ folder: string, name: string }} `folder` is absolute
 */
function parse(path) {
  const [, folder = "", name = ""] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  return { folder: join(workspace, folder), name };
}

/** @param {string} root */
async function compileProject(root) {
  const { emit, diagnostics } = compile({ root });
  if (emit === undefined || diagnostics.length > 0)
    throw new Error(`${root}: ${diagnostics.map(({ message }) => message).join("\n")}`);
  const texts = [...(await emit())].map(
    ([name, content]) => /** @type {const} */ ([name, Buffer.from(content).toString("utf8")]),
  );
  return new Map(texts);
}

/**
 * Returns the text of an emitted module or JSON file. The project is compiled when its first module is read.
 *
 * @param {string} path what follows `emitted:`
 * @throws {Error} if the project has any diagnostic
 */
export async function readEmitted(path) {
  const { folder, name } = parse(path);
  let modules = emitted.get(folder);
  if (modules === undefined) emitted.set(folder, (modules = compileProject(folder)));
  const text = (await modules).get(name);
  if (text === undefined) throw new Error(`No module ${name} is emitted for ${folder}.`);
  return text;
}

/**
 * Resolves what an emitted module imports.
 *
 * @param {string} specifier
 * @param {string} importer what follows `emitted:`
 * @returns {{ emitted: string } | { file: string } | { bare: string, from: string }}
 */
export function resolveFromEmitted(specifier, importer) {
  const { folder } = parse(importer);
  if (specifier.startsWith("./")) return { emitted: importer.replace(/[^/]*$/, specifier.slice(2)) };
  if (specifier.startsWith("../")) return { file: join(folder, "dist", specifier) };
  return { bare: specifier, from: join(folder, "package.json") };
}

/** Discards the emitted modules of the project to which a file belongs. @param {string} file absolute */
export function forgetEmitted(file) {
  for (const folder of emitted.keys()) if (file.startsWith(`${folder}/`)) emitted.delete(folder);
}
