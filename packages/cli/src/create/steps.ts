import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Failure } from "../terminal/failure.js";
import type { CreateContext } from "./context.js";
import { copyTemplate } from "./copy-template.js";
import { managerSettings } from "./manager-settings.js";
import { packageNameProblem, toPackageName } from "./package-name.js";
import { packageManagerCommand } from "./package-manager.js";
import { Cancelled } from "./cancelled.js";
import { quoteWord } from "./quote-word.js";
import { chooseRepository, makeRepository } from "./repository.js";
import { findTemplate, foldersOf } from "./templates.js";

const DEFAULT_FOLDER = "my-mcp-server";
/** What a folder may hold and still count as empty. */
const IGNORED_FILES = new Set([".git", ".DS_Store", "Thumbs.db", "desktop.ini"]);

/** Asks for the folder, unless it was named, and makes sure that nothing in it can be overwritten. */
export async function chooseFolder(
  context: Pick<CreateContext, "cwd" | "yes" | "prompts" | "progress" | "folder" | "name" | "shownFolder">,
): Promise<void> {
  const { cwd, prompts } = context;
  if (!context.folder && context.yes)
    context.progress.note(`No folder was given, so the project goes into ${DEFAULT_FOLDER}.`);
  const answer =
    context.folder ??
    (context.yes
      ? DEFAULT_FOLDER
      : await prompts.text({
          message: "Where should the server live?",
          placeholder: DEFAULT_FOLDER,
          validate: (value) => folderProblem(resolve(cwd, value.trim() || DEFAULT_FOLDER)),
        }));
  if (answer === undefined) throw new Cancelled();
  const folder = resolve(cwd, answer.trim() || DEFAULT_FOLDER);
  const problem = folderProblem(folder);
  if (problem) throw new Failure(problem, { hint: "Choose a folder that is empty or does not exist yet." });
  context.folder = folder;
  const path = relative(cwd, folder);
  context.shownFolder = path.length < folder.length ? path || "." : folder;
}

/** Takes the package's name from the folder, unless it was given. */
export async function choosePackageName(context: Pick<CreateContext, "folder" | "name">): Promise<void> {
  const name = context.name ?? toPackageName(basename(required(context.folder)));
  const problem = packageNameProblem(name);
  if (problem)
    throw new Failure(`npm does not accept the package name \`${name}\`: ${problem}.`, {
      hint: `Choose a name with --name, for example --name ${toPackageName(name)}.`,
      exitCode: 2,
    });
  context.name = name;
}

/** Asks for the template, unless it was named or there is no choice. */
export async function chooseTemplate(
  context: Pick<CreateContext, "yes" | "prompts" | "templates" | "template">,
): Promise<void> {
  const { templates, prompts } = context;
  if (context.template) return;
  const [first] = templates;
  if (context.yes || templates.length === 1) {
    context.template = required(first);
    return;
  }
  const name = await prompts.select({
    message: "Which template?",
    options: templates.map(({ name, description }) => ({ value: name, label: name, hint: description })),
  });
  if (name === undefined) throw new Cancelled();
  context.template = findTemplate(templates, name);
}

/** Asks whether to install, unless the command line has the answer. */
export async function chooseInstall(
  context: Pick<CreateContext, "yes" | "prompts" | "packageManager" | "install">,
): Promise<void> {
  if (context.install !== undefined) return;
  const answer =
    context.yes ||
    (await context.prompts.confirm({ message: `Install with ${context.packageManager}, build and try it?` }));
  if (answer === undefined) throw new Cancelled();
  context.install = answer;
}

/** Writes the project, all of it or nothing. */
export async function copyProject(
  context: Pick<
    CreateContext,
    | "folder"
    | "shownFolder"
    | "name"
    | "template"
    | "tenon"
    | "packageManager"
    | "progress"
    | "signal"
    | "written"
  >,
): Promise<void> {
  const { tenon, packageManager, progress, signal } = context;
  const folder = required(context.folder);
  const template = required(context.template);
  await progress.task(
    `Writing ${required(context.shownFolder)} from the template ${template.name}`,
    async () => {
      const made = mkdirSync(folder, { recursive: true });
      try {
        const registry = { "@tenon/runtime": `^${tenon.version}`, "@tenon/cli": `^${tenon.version}` };
        const packed = await tenon.provide?.(folder, signal);
        signal.throwIfAborted();
        const settings = managerSettings(packageManager, packed ?? {});
        copyTemplate(foldersOf(template), folder, {
          name: required(context.name),
          tenon: packed ?? registry,
          manager: packageManager,
          settings,
        });
        context.written = true;
      } catch (error) {
        removeWritten(folder, made);
        throw error;
      }
    },
    () => `Wrote ${required(context.shownFolder)} from the template ${template.name}`,
  );
}

/** Installs the project's packages. */
export async function installPackages(
  context: Pick<
    CreateContext,
    "folder" | "install" | "packageManager" | "progress" | "run" | "signal" | "installed"
  >,
): Promise<void> {
  if (!context.install) return;
  const { packageManager, run, progress, signal } = context;
  const quiet = packageManager === "npm" ? ["--no-audit", "--no-fund", "--loglevel=error"] : [];
  await progress.task(
    `Installing with ${packageManager}`,
    async () => {
      const { exitCode, output } = await run(packageManager, ["install", ...quiet], {
        cwd: required(context.folder),
        signal,
      });
      signal.throwIfAborted();
      if (exitCode === 0) {
        context.installed = true;
        return;
      }
      throw new Failure(`\`${packageManager} install\` failed:\n\n${lastLines(output)}`, {
        hint: `The files are written. Fix the cause and run \`${packageManager} install\` in it.`,
      });
    },
    () => `Installed with ${packageManager}`,
  );
}

/** Builds the project with its own installation, as its author will. */
export async function buildServer(
  context: Pick<CreateContext, "folder" | "install" | "progress" | "run" | "signal">,
): Promise<void> {
  if (!context.install) return;
  await context.progress.task(
    "Building",
    () => runTenon(context, ["build"]),
    () => "Built",
  );
}

/** Makes one real call and shows the answer: the proof that the project works. */
export async function makeFirstCall(
  context: Pick<
    CreateContext,
    "folder" | "install" | "template" | "packageManager" | "progress" | "run" | "signal"
  >,
): Promise<void> {
  if (!context.install) return;
  const { tool, arguments: pairs } = required(context.template).firstCall;
  const answer = await context.progress.task(
    `Calling ${tool}`,
    () => runTenon(context, ["call", tool, ...pairs]),
    () => `Called ${tool}`,
  );
  const typed = packageManagerCommand(context.packageManager, "execute-local", [
    "tenon",
    "call",
    tool,
    ...pairs.map((each) => quoteWord(each)),
  ]);
  context.progress.block("One real call", [`$ ${typed}`, ...answer.trimEnd().split("\n")]);
}

/** Shows what to do next. */
export async function showNextSteps(
  context: Pick<
    CreateContext,
    "folder" | "shownFolder" | "name" | "template" | "install" | "packageManager" | "progress"
  >,
): Promise<void> {
  const { packageManager, progress } = context;
  const { start = "serves it over stdio", install = [], installNote } = required(context.template);
  const run = (name: string): string => packageManagerCommand(packageManager, "run", [name]);
  const script = (name: string, purpose: string): string => `${run(name).padEnd(18)}${purpose}`;
  const folder = required(context.shownFolder);
  progress.block("Next", [
    ...(folder === "." ? [] : [`cd ${quoteWord(folder)}`]),
    ...(context.install ? [] : [`${packageManager} install`]),
    script("dev", "serve at http://127.0.0.1:3000/mcp and follow your edits"),
    script("inspect", "see what a client will see"),
    script("test", "run the tests"),
    script("build", `make dist/; \`${run("start")}\` ${start}`),
  ]);
  const words = install.map((word) => quoteWord(word.replaceAll("FOLDER", required(context.folder))));
  const command = ["tenon", "install", "claude-code", ...words];
  progress.block("Connect a client", [
    packageManagerCommand(packageManager, "execute-local", command),
    ...(installNote === undefined ? [] : [installNote]),
    "For others: cursor, vscode, windsurf, gemini, codex… README.md says where each",
    "keeps this, and how to give the server environment variables.",
  ]);
  progress.outro(`${required(context.name)} is ready. Begin in ${folder === "." ? "src" : `${folder}/src`}.`);
}

/** Every step, in order. */
export const steps = [
  chooseFolder,
  choosePackageName,
  chooseTemplate,
  chooseInstall,
  chooseRepository,
  copyProject,
  makeRepository,
  installPackages,
  buildServer,
  makeFirstCall,
  showNextSteps,
] as const;

function folderProblem(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  if (!statSync(folder).isDirectory()) return `${folder} is a file.`;
  const inTheWay = readdirSync(folder).filter((name) => !IGNORED_FILES.has(name));
  if (inTheWay.length === 0) return undefined;
  const shown = inTheWay.slice(0, 3).join(", ");
  const more = inTheWay.length > 3 ? ` and ${inTheWay.length - 3} more` : "";
  return `${folder} is not empty: it holds ${shown}${more}.`;
}

async function runTenon(
  { folder, run, signal }: Pick<CreateContext, "folder" | "run" | "signal">,
  args: string[],
): Promise<string> {
  const cwd = required(folder);
  const program = installedProgram(cwd);
  const { exitCode, output } = await run(process.execPath, [program, ...args], { cwd, signal });
  signal.throwIfAborted();
  if (exitCode === 0) return output;
  if (existsSync(join(cwd, ".pnp.cjs")))
    throw new Failure("Tenon reads types from node_modules, and there is none with Plug'n'Play.", {
      hint: "Set `nodeLinker: node-modules` where it is set to `pnp`: in .yarnrc.yml, or as YARN_NODE_LINKER.",
    });
  throw new Failure(`\`tenon ${args.join(" ")}\` failed in the new project:\n\n${lastLines(output)}`);
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-20).join("\n");
}

/** The project's own `tenon`, which a workspace around the project may keep for all that are in it. */
function installedProgram(folder: string): string {
  try {
    const found = createRequire(join(folder, "package.json")).resolve("@tenon/cli/package.json");
    return join(dirname(found), "bin/tenon.js");
  } catch {
    return join(folder, "node_modules/@tenon/cli/bin/tenon.js");
  }
}

/** Leaves the folder as it was. It held nothing that could be ours, so all there is was written by us. */
function removeWritten(folder: string, made: string | undefined): void {
  if (made !== undefined) rmSync(made, { recursive: true, force: true });
  else
    for (const name of readdirSync(folder).filter((each) => !IGNORED_FILES.has(each)))
      rmSync(join(folder, name), { recursive: true, force: true });
}

/** A step that runs before the one that provides its input is a mistake in the list of steps. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("A step of create ran out of order.");
  return value;
}
