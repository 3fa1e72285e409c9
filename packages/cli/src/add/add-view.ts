import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { addViewOption, createCompiler, writeFileTree } from "@tenon/compiler";
import type { ToolEntry } from "@tenon/runtime/manifest";
import { applyEdits, findNodeAtLocation, modify, parse, parseTree } from "jsonc-parser";
import { readJsonFile } from "../files/json-file.js";
import { assertPackage, findProjectRoot } from "../project/project-root.js";
import { VIEW_TYPES, writeServerTypes } from "../project/server-types.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { type AddOptions, createFileName } from "./add.js";

/**
 * Runs `tenon add view <tool>`: writes a component that shows the results of a tool, adds it to the tool's
 * decorator, and adds the settings that views need to tsconfig.json.
 *
 * @throws Failure if the tool does not exist, or already has a view
 */
export function addView(terminal: Terminal, name: string | undefined, options: AddOptions): number {
  const root = findProjectRoot(".", terminal.cwd);
  assertPackage(root);
  if (name === undefined)
    throw new Failure("The name of the tool is missing.", {
      hint: "Write it after the kind: `tenon add view TOOL`.",
      exitCode: 2,
    });
  if (options.class !== undefined)
    throw new Failure("--class has no effect: a view has its own file.", {
      hint: "Choose the file with --file.",
      exitCode: 2,
    });
  const compiler = createCompiler({ root, typeCheck: false });
  const { manifest } = compiler.compile();
  const tool = manifest?.tools.find(({ definition }) => definition.name === name);
  if (tool === undefined) {
    const names = (manifest?.tools ?? []).map((each) => each.definition.name);
    const hint =
      names.length === 0 ? "Create one: `tenon add tool NAME`." : `Choose one of: ${names.join(", ")}.`;
    throw new Failure(`There is no tool \`${name}\`.`, { hint, exitCode: 2 });
  }
  if (tool.view !== undefined)
    throw new Failure(`The tool \`${name}\` already has the view \`${tool.view}\`.`, {
      hint: "Edit its file.",
    });
  const { handler } = tool;
  const source = join(root, handler.module);
  const file = resolve(
    root,
    options.file ?? join(dirname(handler.module), `${createFileName(name)}.view.tsx`),
  );
  const path = relative(root, file).replaceAll("\\", "/");
  if (!/^src\/.+\.[jt]sx$/.test(path))
    throw new Failure(`${path} cannot be the file of a view.`, {
      hint: "Choose a file in src/ whose name ends in .tsx.",
      exitCode: 2,
    });
  if (existsSync(file))
    throw new Failure(`${path} already exists.`, { hint: "Choose another file with --file." });
  const option = toRelative(dirname(handler.module), path);
  const text = addViewOption(
    {
      file: source,
      exportName: handler.export,
      method: handler.method,
      isClassDecorated: handler.classForm === true,
    },
    option,
  );
  if (text === undefined)
    throw new Failure(`The options of the tool \`${name}\` are not written in its decorator.`, {
      hint: `Add \`view: "${option}"\` to them, and run \`tenon build\`.`,
    });
  const framework = findFramework(root);
  const files = new Map([
    [path, writeSample(tool, path)],
    [handler.module, text],
  ]);
  const settings = withViewSettings(root, framework);
  if (settings !== undefined) files.set("tsconfig.json", settings);
  const written = writeFileTree(files, root);
  compiler.refresh(written.map((each) => join(root, each)));
  const { manifest: changed } = compiler.compile();
  if (changed) writeServerTypes(changed, root);
  reportView(terminal, name, path, framework, root, settings !== undefined);
  return 0;
}

type Framework = "preact" | "react";

/** Returns the framework of the project; Preact if there is none. */
function findFramework(root: string): Framework {
  const { dependencies = {}, devDependencies = {} } = readJsonFile(join(root, "package.json")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string> | undefined
  >;
  const installed = { ...dependencies, ...devDependencies };
  return "react" in installed && !("preact" in installed) ? "react" : "preact";
}

function toRelative(folder: string, path: string): string {
  const relativePath = posix.relative(folder, path);
  return relativePath.startsWith(".") ? relativePath : `./${relativePath}`;
}

/** Returns a component that shows every result of a tool. */
function writeSample({ definition, handler, output }: ToolEntry, path: string): string {
  const module = toRelative(posix.dirname(path), handler.module).replace(/\.([cm]?)ts(x?)$/, ".$1js$2");
  const owner = handler.export === "default" ? "Owner" : handler.export;
  const imported = handler.export === "default" ? owner : `{ ${owner} }`;
  const type = `${handler.static === true ? `typeof ${owner}` : owner}, ${JSON.stringify(handler.method)}`;
  const shown = output.kind === "text" ? "<p>{result}</p>" : "<pre>{JSON.stringify(result, null, 2)}</pre>";
  const component = definition.name
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return `import type { ViewProps } from "@tenon/runtime/view";
import type ${imported} from ${JSON.stringify(module)};

export default function ${component}View({ state, result, error }: ViewProps<${type}>) {
  if (state === "waiting") return <p>Loading…</p>;
  if (error) return <p role="alert">{error.message}</p>;
  return ${shown};
}
`;
}

/** Returns tsconfig.json with the settings that views need, or undefined if none is missing. */
function withViewSettings(root: string, framework: Framework): string | undefined {
  const file = join(root, "tsconfig.json");
  if (!existsSync(file)) return undefined;
  const before = readFileSync(file, "utf8");
  // The file may contain comments.
  const { compilerOptions = {}, include } = parse(before, [], { allowTrailingComma: true }) as {
    compilerOptions?: { jsx?: string; jsxImportSource?: string; lib?: string[] };
    include?: string[];
  };
  const { jsx, jsxImportSource, lib } = compilerOptions;
  let text = before;
  const set = (path: string[], value: string): void => {
    const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? "  ";
    const formattingOptions = { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length };
    text = applyEdits(text, modify(text, path, value, { formattingOptions }));
  };
  /** Adds to a list on the line of its last element, where `modify` would give each element its own line. */
  const append = (path: string[], value: string): void => {
    const tree = parseTree(text);
    const last = tree && findNodeAtLocation(tree, path)?.children?.at(-1);
    const end = last && last.offset + last.length;
    if (end !== undefined) text = `${text.slice(0, end)}, ${JSON.stringify(value)}${text.slice(end)}`;
  };
  if (jsx === undefined) set(["compilerOptions", "jsx"], "react-jsx");
  if (jsxImportSource === undefined && framework !== "react")
    set(["compilerOptions", "jsxImportSource"], framework);
  if (lib && !lib.some((each) => each.toLowerCase() === "dom")) append(["compilerOptions", "lib"], "dom");
  if (include && !include.includes(VIEW_TYPES)) append(["include"], VIEW_TYPES);
  return text === before ? undefined : text;
}

function reportView(
  { out }: Terminal,
  tool: string,
  path: string,
  framework: Framework,
  root: string,
  hasChangedSettings: boolean,
): void {
  const { paint } = out;
  out.write(`${paint.green("✓")} view of the tool ${paint.bold(tool)} in ${path}\n`);
  if (hasChangedSettings) out.write(`${paint.green("✓")} settings for it in tsconfig.json\n`);
  const isInstalled = existsSync(join(root, "node_modules", framework));
  const install = framework === "react" ? "react react-dom @types/react" : framework;
  out.write("\nIt shows the results in clients that support MCP Apps. To build it:\n\n");
  if (!isInstalled) out.write(`  ${paint.bold(`npm install --save-dev ${install}`)}\n`);
  out.write(`  ${paint.bold("npx tenon build")}\n`);
}
