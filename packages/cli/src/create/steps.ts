import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { INSTALLABLE_CLIENTS } from "../install/client-config.js";
import { Failure } from "../terminal/failure.js";
import { SUGGESTED_CLIENT } from "../terminal/next-step.js";
import { wrap } from "../terminal/text-format.js";
import type { CreateContext } from "./context.js";
import { copyTemplate } from "./copy-template.js";
import { findFolderProblem, removeWrittenFiles } from "./empty-folder.js";
import { explainInstallFailure, getLastLines } from "./install-failure.js";
import { checkManagerVersion, createManagerSettings } from "./manager-settings.js";
import { findPackageNameProblem, toPackageName } from "./package-name.js";
import { toManagerCommand } from "./package-manager.js";
import { CancelledError } from "./cancelled-error.js";
import { quoteWord } from "../terminal/quote-word.js";
import { chooseRepository, createRepository } from "./repository.js";
import { findTemplate, getTemplateFolders } from "./templates.js";

const DEFAULT_FOLDER = "my-mcp-server";
/** The width of a wrapped hint. */
const HINT_COLUMNS = 76;
/** Asks for the folder, unless it was given, and checks that it is empty. */
export async function chooseFolder(
  context: Pick<CreateContext, "cwd" | "yes" | "prompts" | "progress" | "folder" | "name" | "shownFolder">,
): Promise<void> {
  const { cwd, prompts } = context;
  if (!context.folder && context.yes) context.progress.note(`No folder was given. Using ${DEFAULT_FOLDER}.`);
  const answer =
    context.folder ??
    (context.yes
      ? DEFAULT_FOLDER
      : await prompts.text({
          message: "Which folder?",
          placeholder: DEFAULT_FOLDER,
          validate: (value) => findFolderProblem(resolve(cwd, value.trim() || DEFAULT_FOLDER)),
        }));
  if (answer === undefined) throw new CancelledError();
  const folder = resolve(cwd, answer.trim() || DEFAULT_FOLDER);
  const problem = findFolderProblem(folder);
  if (problem) throw new Failure(problem, { hint: "Choose an empty or new folder." });
  context.folder = folder;
  const path = relative(cwd, folder);
  context.shownFolder = path.length < folder.length ? path || "." : folder;
}

/** Derives the name of the package from the folder, unless it was given. */
export async function choosePackageName(context: Pick<CreateContext, "folder" | "name">): Promise<void> {
  const name = context.name ?? toPackageName(basename(requireValue(context.folder)));
  const problem = findPackageNameProblem(name);
  if (problem)
    throw new Failure(`npm rejects the package name \`${name}\`: ${problem}.`, {
      hint: `Choose a name with --name, for example --name ${toPackageName(name)}.`,
      exitCode: 2,
    });
  context.name = name;
}

/** Asks for the template, unless it was given or there is only one. */
export async function chooseTemplate(
  context: Pick<CreateContext, "yes" | "prompts" | "templates" | "template">,
): Promise<void> {
  const { templates, prompts } = context;
  if (context.template) return;
  const [first] = templates;
  if (context.yes || templates.length === 1) {
    context.template = requireValue(first);
    return;
  }
  const name = await prompts.select({
    message: "Which template?",
    options: templates.map(({ name, description }) => ({ value: name, label: name, hint: description })),
  });
  if (name === undefined) throw new CancelledError();
  context.template = findTemplate(templates, name);
}

/**
 * Asks whether to install, build, and call a tool, unless an option decides it.
 *
 * @throws Failure if the package manager is too old to install
 */
export async function chooseInstall(
  context: Pick<CreateContext, "yes" | "prompts" | "packageManager" | "install">,
): Promise<void> {
  const answer =
    context.install ??
    (context.yes ||
      (await context.prompts.confirm({
        message: `Install with ${context.packageManager}, build, and call a tool?`,
      })));
  if (answer === undefined) throw new CancelledError();
  if (answer) checkManagerVersion(context.packageManager);
  context.install = answer;
}

/** Writes the project. If that fails, removes everything it wrote. */
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
  const folder = requireValue(context.folder);
  const template = requireValue(context.template);
  await progress.task(
    `Writing ${requireValue(context.shownFolder)} from the template ${template.name}`,
    async () => {
      const firstCreated = mkdirSync(folder, { recursive: true });
      try {
        const registry = { "@tenon/runtime": `^${tenon.version}`, "@tenon/cli": `^${tenon.version}` };
        const packed = await tenon.provide?.(folder, signal);
        signal.throwIfAborted();
        const settings = createManagerSettings(packageManager, packed ?? {});
        copyTemplate(getTemplateFolders(template), folder, {
          name: requireValue(context.name),
          tenon: packed ?? registry,
          manager: packageManager,
          settings,
        });
        context.written = true;
      } catch (error) {
        removeWrittenFiles(folder, firstCreated);
        throw error;
      }
    },
    () => `Wrote ${requireValue(context.shownFolder)} from the template ${template.name}`,
  );
}

/** Installs the packages of the project. */
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
        cwd: requireValue(context.folder),
        signal,
      });
      signal.throwIfAborted();
      if (exitCode === 0) {
        context.installed = true;
        return;
      }
      throw explainInstallFailure(packageManager, output);
    },
    () => `Installed with ${packageManager}`,
  );
}

/** Builds the project with its installed packages. */
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

/** Calls a tool of the project and shows the result. */
export async function makeFirstCall(
  context: Pick<
    CreateContext,
    "folder" | "install" | "template" | "packageManager" | "progress" | "run" | "signal"
  >,
): Promise<void> {
  if (!context.install) return;
  const { tool, arguments: pairs } = requireValue(context.template).firstCall;
  const output = await context.progress.task(
    `Calling ${tool}`,
    () => runTenon(context, ["call", tool, ...pairs]),
    () => `Called ${tool}`,
  );
  const command = toManagerCommand(context.packageManager, "execute-local", [
    "tenon",
    "call",
    tool,
    ...pairs.map((each) => quoteWord(each)),
  ]);
  context.progress.block("A first call", [`$ ${command}`, ...output.trimEnd().split("\n")]);
}

/** Shows what to do next. */
export async function showNextSteps(
  context: Pick<
    CreateContext,
    "folder" | "shownFolder" | "name" | "template" | "install" | "packageManager" | "progress"
  >,
): Promise<void> {
  const { packageManager, progress } = context;
  const { start = "serves it over stdio", install = [], installNote } = requireValue(context.template);
  const run = (name: string): string => toManagerCommand(packageManager, "run", [name]);
  const formatScript = (name: string, purpose: string): string => `${run(name).padEnd(18)}${purpose}`;
  const folder = requireValue(context.shownFolder);
  progress.block("Commands", [
    formatScript("dev", "serve at http://127.0.0.1:3000/mcp, and reload on changes"),
    formatScript("inspect", "list what clients see"),
    formatScript("test", "run the tests"),
    formatScript("build", `compile to dist/; \`${run("start")}\` ${start}`),
  ]);
  const options = install.map((word) => quoteWord(word.replaceAll("FOLDER", requireValue(context.folder))));
  const command = ["tenon", "install", SUGGESTED_CLIENT, ...options];
  const others = INSTALLABLE_CLIENTS.map(({ name }) => name).filter((name) => name !== SUGGESTED_CLIENT);
  progress.block("Connect a client", [
    toManagerCommand(packageManager, "execute-local", command),
    ...(installNote === undefined ? [] : [installNote]),
    ...wrap(
      `Other clients: ${others.join(", ")}. README.md explains how to configure a client by hand, and how to set environment variables.`,
      HINT_COLUMNS,
    ),
  ]);
  const next = context.install ? run("dev") : `${packageManager} install`;
  const commands = folder === "." ? `\`${next}\`` : `\`cd ${quoteWord(folder)}\`, then \`${next}\``;
  progress.outro(`${requireValue(context.name)} is ready. Next: ${commands}`);
}

/** All steps, in order. */
export const STEPS = [
  chooseFolder,
  choosePackageName,
  chooseTemplate,
  chooseInstall,
  chooseRepository,
  copyProject,
  createRepository,
  installPackages,
  buildServer,
  makeFirstCall,
  showNextSteps,
] as const;

async function runTenon(
  { folder, run, signal }: Pick<CreateContext, "folder" | "run" | "signal">,
  args: string[],
): Promise<string> {
  const cwd = requireValue(folder);
  const program = findInstalledTenon(cwd);
  const { exitCode, output } = await run(process.execPath, [program, ...args], { cwd, signal });
  signal.throwIfAborted();
  if (exitCode === 0) return output;
  if (existsSync(join(cwd, ".pnp.cjs")))
    throw new Failure("Tenon reads types from node_modules, which Yarn Plug'n'Play does not create.", {
      hint: "Set `nodeLinker: node-modules` in .yarnrc.yml, or YARN_NODE_LINKER=node-modules.",
    });
  throw new Failure(`\`tenon ${args.join(" ")}\` failed in the new project:\n\n${getLastLines(output)}`);
}

/** Returns the path of the project's installed `tenon`, which may be in a surrounding workspace. */
function findInstalledTenon(folder: string): string {
  try {
    const found = createRequire(join(folder, "package.json")).resolve("@tenon/cli/package.json");
    return join(dirname(found), "bin/tenon.js");
  } catch {
    return join(folder, "node_modules/@tenon/cli/bin/tenon.js");
  }
}

/**
 * Returns a value that an earlier step provides.
 *
 * @throws TypeError if it is missing, because the steps are in the wrong order
 */
function requireValue<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("A step of create ran out of order.");
  return value;
}
