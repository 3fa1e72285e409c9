import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { writeFileTree } from "@tenon/compiler";
import { terminalPrompts } from "../create/terminal-prompts.js";
import { foreignFiles, writeBuild } from "../project/built-files.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import type { FormName, MadeForm } from "./forms/package-form.js";

export interface Places {
  readonly root: string;
  readonly outDir: string;
  /** Replaces what is in the way. */
  readonly force: boolean;
}

/** What became of the author's files. */
export interface WrittenForm {
  /** Seen from the current folder. */
  readonly files: readonly string[];
  /** Files that were there already, and stay as they are. */
  readonly left: readonly string[];
}

/**
 * Makes sure that nothing in the output folder is somebody else's, before anything is written.
 *
 * @throws Failure that names what is
 */
export function checkPlaces(
  made: ReadonlyMap<FormName, MadeForm>,
  outDir: string,
  cwd: string,
  force: boolean,
): void {
  const inTheWay = [...made].flatMap(([name, { files }]) =>
    foreignFiles(files, join(outDir, name)).map((path) => relative(cwd, join(outDir, name, path))),
  );
  if (inTheWay.length === 0 || force) return;
  const more = inTheWay.length > 3 ? ` and ${inTheWay.length - 3} more` : "";
  throw new Failure(
    `${inTheWay.slice(0, 3).join(", ")}${more} would be replaced, and is not of \`tenon package\`.`,
    {
      hint: "Choose another folder by --out, or replace it by --force.",
    },
  );
}

/** Writes what was made. A person is asked about each file of theirs that differs; without one, it stays. */
export async function writeForms(
  terminal: Terminal,
  made: ReadonlyMap<FormName, MadeForm>,
  { root, outDir, force }: Places,
): Promise<Map<FormName, WrittenForm>> {
  const written = new Map<FormName, WrittenForm>();
  for (const [
    name,
    { files, kept = new Map<string, string>(), updated = new Map<string, string>() },
  ] of made) {
    const folder = join(outDir, name);
    if (files.size > 0) {
      ignoreFolder(outDir);
      writeBuild(files, folder);
    }
    const left: string[] = [];
    const own: string[] = [];
    for (const [path, content] of updated) {
      writeFileTree(new Map([[path, content]]), root);
      own.push(relative(terminal.cwd, join(root, path)));
    }
    for (const [path, content] of kept) {
      const target = join(root, path);
      const isThere = existsSync(target);
      if (isThere && !readFileSync(target).equals(Buffer.from(content)) && !force) {
        const isReplaced = terminal.interactive && (await mayReplace(relative(terminal.cwd, target)));
        if (!isReplaced) {
          left.push(relative(terminal.cwd, target));
          continue;
        }
      }
      writeFileTree(new Map([[path, content]]), root);
      own.push(relative(terminal.cwd, target));
    }
    const shown = [...files.keys()].map((path) => relative(terminal.cwd, join(folder, path)));
    written.set(name, { files: [...shown, ...own], left });
  }
  return written;
}

async function mayReplace(path: string): Promise<boolean> {
  const answer = await terminalPrompts.confirm({
    message: `Replace ${path}, which differs from what is made now?`,
  });
  return answer === true;
}

/** What can be made again belongs into no repository. */
function ignoreFolder(outDir: string): void {
  if (existsSync(join(outDir, ".gitignore"))) return;
  writeFileTree(new Map([[".gitignore", "*\n"]]), outDir);
}
