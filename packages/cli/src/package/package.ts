import { join } from "node:path";
import { compile, type FileTree } from "@tenon/compiler";
import { createBundler } from "../bundle/bundle.js";
import { projectRoot } from "../project/project-root.js";
import { writeServerTypes } from "../project/server-types.js";
import { Failure } from "../terminal/failure.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { isOfMachine } from "./settings/environment-options.js";
import {
  type BuiltServer,
  FORM_NAMES,
  type FormName,
  type MadeForm,
  type MakeForm,
  type ServerParts,
} from "./forms/package-form.js";
import { readServerJson } from "./forms/server-json.js";
import { checkSettings } from "./check-settings.js";
import { readPackageSettings } from "./settings/package-settings.js";
import { registryName } from "./settings/registry-name.js";
import { reportForms } from "./report-forms.js";
import { checkPlaces, writeForms } from "./write-forms.js";

export type PackageOptions = { readonly [Name in FormName]?: boolean } & {
  /** Where to write instead of `package`, relative to the current folder. */
  readonly out?: string;
  readonly url?: string;
  /** Replaces files that are in the way. */
  readonly force?: boolean;
};

/** The exit code after Ctrl-C. */
const CANCELLED = 130;

/** Each is loaded when it is asked for. */
const MAKERS: Record<FormName, () => Promise<MakeForm>> = {
  single: async () => (await import("./forms/single.js")).makeSingle,
  docker: async () => (await import("./forms/docker.js")).makeDocker,
  mcpb: async () => (await import("./forms/mcpb.js")).makeMcpb,
  registry: async () => (await import("./forms/registry.js")).makeRegistry,
  worker: async () => (await import("./forms/worker.js")).makeWorker,
  npx: async () => (await import("./forms/npx.js")).makeNpx,
};

/** `tenon package [dir]`: from sources to what others run. Nothing is written unless all of it can be made. */
export async function packageServer(
  terminal: Terminal,
  folder = ".",
  options: PackageOptions = {},
): Promise<number> {
  const started = performance.now();
  const named = FORM_NAMES.filter((name) => options[name] === true);
  const names = named.length === 0 && terminal.interactive ? await chosenForms() : named;
  if (names === undefined) {
    terminal.out.write("Cancelled. Nothing was written.\n");
    return CANCELLED;
  }
  if (names.length === 0) {
    throw new Failure(`Choose what to make: ${FORM_NAMES.map((name) => `--${name}`).join(", ")}.`, {
      hint: "`tenon package --help` describes each.",
      exitCode: 2,
    });
  }
  const root = projectRoot(folder, terminal.cwd);
  const outDir = projectRoot(options.out ?? join(root, "package"), terminal.cwd);
  const parts = await compileParts(terminal, root, outDir, names, options);
  if (parts === undefined) return 1;
  const made = new Map<FormName, MadeForm>();
  const withMade: ServerParts = { ...parts, made: (name) => made.get(name) };
  for (const name of names) {
    const make = await MAKERS[name]();
    made.set(name, await make(withMade));
  }
  const force = options.force ?? false;
  checkPlaces(made, outDir, terminal.cwd, force);
  const written = await writeForms(terminal, made, { root, outDir, force });
  reportForms(terminal, made, {
    written,
    manifest: parts.manifest,
    seconds: (performance.now() - started) / 1000,
  });
  return 0;
}

async function chosenForms(): Promise<FormName[] | undefined> {
  const { askForms } = await import("./ask-forms.js");
  return askForms();
}

/** Compiles the project; nothing where it has errors, which are printed. */
async function compileParts(
  terminal: Terminal,
  root: string,
  outDir: string,
  names: readonly FormName[],
  { url }: PackageOptions,
): Promise<Omit<ServerParts, "made"> | undefined> {
  const { color } = terminal.err;
  const compiled = compile({ root });
  printDiagnostics(terminal.err, compiled.diagnostics);
  const { manifest, emit, sourceEdits, environment } = compiled;
  if (hasErrors(compiled.diagnostics) || !manifest || !emit || !sourceEdits || !environment) return undefined;
  const settings = readPackageSettings(root);
  const forms = new Set(names);
  checkSettings(settings, forms, forms.has("registry") ? readServerJson(root)?.description : undefined);
  writeServerTypes(manifest, root);
  const modules = await emit();
  let built: Promise<BuiltServer> | undefined;
  return {
    root,
    cwd: terminal.cwd,
    outDir,
    settings,
    registryName: forms.has("registry") ? registryName(settings) : settings.mcpName,
    manifest,
    modules,
    edits: sourceEdits,
    environment: environment().filter(({ name }) => !isOfMachine(name)),
    forms,
    url,
    color,
    built: () => (built ??= buildRelease(root, modules, sourceEdits, color)),
  };
}

async function buildRelease(
  root: string,
  modules: FileTree,
  edits: NonNullable<ReturnType<typeof compile>["sourceEdits"]>,
  color: boolean,
): Promise<BuiltServer> {
  const outDir = join(root, "dist");
  const bundler = await createBundler({ root, outDir, bundlePackages: true, sourcesContent: false, color });
  try {
    const { files, needed, leftBehind, ownFiles } = await bundler.bundle(modules, edits);
    // What tests import, and what the package's own package.json says.
    const isPassedOn = (path: string): boolean => !path.endsWith(".d.ts") && path !== "package.json";
    return { files: new Map([...files].filter(([path]) => isPassedOn(path))), needed, leftBehind, ownFiles };
  } finally {
    await bundler.dispose();
  }
}
