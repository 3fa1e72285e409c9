import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BuiltViews, ViewSource } from "@tenon/compiler";
import { build, type OutputFile, type Plugin } from "esbuild";
import { toBundlingFailure } from "./bundling-failure.js";
import { selectVariables } from "./theme-variables.js";

/** The options of `bundleViews`. */
export interface ViewBundlingOptions {
  /** Whether error messages have colors. Default: false. */
  color?: boolean;
  /** Whether to minify the HTML. Default: true. */
  minify?: boolean;
  /** Additional esbuild plugins, which run before the others. */
  plugins?: readonly Plugin[];
}

/**
 * Builds views. Each becomes one HTML file that contains everything that it needs.
 *
 * @param root the project folder, absolute
 * @returns the HTML of each view, by its name
 * @throws Failure with every error if a view cannot be bundled
 */
export async function bundleViews(
  root: string,
  views: readonly ViewSource[],
  { color = false, minify = true, plugins = [] }: ViewBundlingOptions = {},
): Promise<BuiltViews> {
  const built = await Promise.all(
    views.map(async (view): Promise<[string, string]> => {
      const path = join(root, view.path);
      if (view.kind === "html") return [view.name, readFileSync(path, "utf8")];
      return [view.name, await bundleView(view, path, { root, color, minify, plugins })];
    }),
  );
  return new Map(built);
}

interface BundleViewOptions extends Required<ViewBundlingOptions> {
  root: string;
}

async function bundleView(
  view: ViewSource,
  path: string,
  { root, color, minify, plugins }: BundleViewOptions,
): Promise<string> {
  try {
    const { outputFiles, warnings } = await build({
      stdin: { contents: writeEntry(view, path), resolveDir: root, sourcefile: "view-entry.js" },
      absWorkingDir: root,
      // Determines only the names of the output files, because nothing is written.
      outdir: root,
      write: false,
      bundle: true,
      minify,
      format: "iife",
      platform: "browser",
      target: ["es2022", "chrome120", "firefox120", "safari17"],
      define: { "process.env.NODE_ENV": minify ? '"production"' : '"development"' },
      jsx: "automatic",
      ...(view.framework && { jsxImportSource: view.framework }),
      loader: INLINED,
      legalComments: "none",
      logLevel: "silent",
      plugins: [...plugins, viewModules],
    });
    const errors = warnings.filter(
      ({ id, location }) => STYLE_PROBLEMS.has(id) && !/(?:^|\/)node_modules\//.test(location?.file ?? ""),
    );
    if (errors.length > 0) throw Object.assign(new Error("The view has invalid styles."), { errors });
    return writePage(view, getText(outputFiles, ".js"), getText(outputFiles, ".css"));
  } catch (error) {
    throw await toBundlingFailure(error, color, `The view ${view.path} cannot be bundled.`);
  }
}

/** The warnings of esbuild about rules that browsers ignore. */
const STYLE_PROBLEMS: ReadonlySet<string> = new Set([
  "css-syntax-error",
  "js-comment-in-css",
  "invalid-@import",
]);

/** Files that are inlined into the view. Fonts are excluded, because clients block inlined fonts. */
const INLINED = {
  ".svg": "dataurl",
  ".png": "dataurl",
  ".jpg": "dataurl",
  ".jpeg": "dataurl",
  ".gif": "dataurl",
  ".webp": "dataurl",
  ".avif": "dataurl",
} as const;

/** Resolves from this package. The thread of Node's module hooks, where tests build views, has no `import.meta.resolve`. */
const require = createRequire(import.meta.url);

/**
 * Resolves the client of views to the runtime of this package, so that projects do not have to install it. Modules of
 * other servers are errors, because the script of a view is not a module and cannot import them.
 */
const viewModules: Plugin = {
  name: "tenon-view-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^@tenon\/runtime\/view(?:\.css)?$/ }, ({ path }) => ({
      path: require.resolve(path),
    }));
    onResolve({ filter: /^(?:https?:)?\/\// }, ({ path, kind }) =>
      kind === "import-statement" || kind === "require-call"
        ? {
            errors: [
              { text: `A view cannot import a module from a URL: "${path}". Install its package instead.` },
            ],
          }
        : undefined,
    );
  },
};

/** Returns the module that starts a view. */
function writeEntry(view: ViewSource, path: string): string {
  const { name, server, shown, readOnly, readers, displayModes, autoSize, kind, framework } = view;
  const functions = [...new Set(Object.values(readers))];
  const tools = Object.entries(readers).map(([tool, reader]) => `${JSON.stringify(tool)}: ${reader}`);
  const info = `{
  name: ${JSON.stringify(`${server.name}/${name}`)},
  version: ${JSON.stringify(server.version)},
  shown: ${JSON.stringify(shown)},
  readOnly: ${JSON.stringify(readOnly)},
  tools: { ${tools.join(", ")} },
  displayModes: ${JSON.stringify(displayModes)},
  autoSize: ${autoSize},
}`;
  const start = kind === "mount" ? "mountView" : "startView";
  const [imports, render] = kind === "mount" ? MOUNT : RENDER[framework ?? "preact"];
  return `import { ${[start, ...functions].join(", ")} } from "@tenon/runtime/view";
${imports}
import View from ${JSON.stringify(path)};
const root = document.getElementById("root");
${start}(${info}, ${render});
`;
}

const MOUNT = ["", "(app) => View(root, app)"] as const;

/** The imports and the rendering function, by framework. */
const RENDER = {
  preact: ['import { h, render } from "preact";', "(props) => render(props ? h(View, props) : null, root)"],
  react: [
    'import { createElement } from "react";\nimport { createRoot } from "react-dom/client";\nconst page = createRoot(document.getElementById("root"));',
    "(props) => (props ? page.render(createElement(View, props)) : page.unmount())",
  ],
} as const;

function getText(files: readonly OutputFile[], extension: string): string {
  return files.find(({ path }) => path.endsWith(extension))?.text ?? "";
}

/** Returns the HTML of a view. esbuild has already escaped closing tags in the script and the style. */
function writePage({ title, autoSize }: ViewSource, script: string, style: string): string {
  // Separate elements, because browsers ignore an `@import` after other rules.
  const styles = [selectVariables(`${script}${style}`), style]
    .filter((each) => each.trim() !== "")
    .map((each) => `<style>${each.trim()}</style>`);
  const text = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const size = autoSize ? "" : ' data-auto-size="false"';
  return `<!doctype html><html lang="en"${size}><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title>${styles.join("")}<div id="root"></div><script>${script.trim()}</script></html>
`;
}
