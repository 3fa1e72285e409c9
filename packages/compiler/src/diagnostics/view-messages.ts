import { error, warning } from "./catalog-entry.js";

/** The messages about views, the user interfaces of tools. */
export const viewMessages = {
  "view-not-found": error(
    (p: { file: string; path: string; exists: boolean }) =>
      p.exists
        ? `\`${p.file}\` cannot be a view: it is not a module or an HTML file of this project.`
        : `The view \`${p.file}\` does not exist: there is no file \`${p.path}\`.`,
    (p) =>
      p.exists
        ? `Name a file that ends in .tsx, .ts, .jsx, .js, or .html.`
        : `Write the path relative to this file, or run \`npx tenon add view\` to create it.`,
  ),
  "view-not-compiled": error(
    (p: { path: string; isJavaScript: boolean }) => `tsconfig.json does not include the view \`${p.path}\`.`,
    (p) =>
      p.isJavaScript
        ? `Set \`"allowJs": true\` in tsconfig.json, or rename the file to .tsx.`
        : `Add the file to \`include\` in tsconfig.json.`,
  ),
  "view-export-invalid": error(
    (p: { path: string; problem: "missing" | "async" | "not a function" }) =>
      p.problem === "missing"
        ? `The view \`${p.path}\` has no default export.`
        : p.problem === "async"
          ? `The component of the view \`${p.path}\` returns a promise, which cannot be displayed.`
          : `The default export of the view \`${p.path}\` must be one function.`,
    (p) =>
      p.problem === "async"
        ? `Remove \`async\`, and wait for data in an effect.`
        : `Write \`export default function …\`: a component, or \`mount(root, app)\` for plain DOM.`,
  ),
  "view-props-mismatch": error(
    (p: { tool: string; expected: string; shown?: readonly string[] }) =>
      p.shown
        ? `The view shows the tool \`${p.tool}\`, but its types are those of ${p.shown.map((each) => `\`${each}\``).join(" and ")}.`
        : `The view shows the tool \`${p.tool}\`, but its types are not derived from the tool, so changes to the tool would break it silently.`,
    (p) => `Declare the parameter as \`${p.expected}\`, with the type from \`@tenon/runtime/view\`.`,
  ),
  "view-framework-unknown": error(
    (p: { path: string; framework: string }) =>
      `The view \`${p.path}\` is written for \`${p.framework}\`, but only components of Preact and React are rendered.`,
    () =>
      `Set \`jsxImportSource\` to \`preact\` or \`react\`; or build the view yourself and name the HTML file: \`view: "./dist/view.html"\`.`,
  ),
  "view-name-taken": error(
    (p: { view: string; first: string; second: string }) =>
      `\`${p.first}\` and \`${p.second}\` are both served as the view \`${p.view}\`.`,
    () => `Rename one of the files.`,
  ),
  "view-options-differ": error(
    (p: { path: string; tool: string }) =>
      `The options of the view \`${p.path}\` differ from those of the tool \`${p.tool}\`, which shows it, too.`,
    () => `Write the options in one constant, and use it for both tools.`,
  ),
  "view-metadata-taken": error(
    (p: { tool: string }) => `\`meta.ui\` of the tool \`${p.tool}\` would be replaced: \`view\` sets it.`,
    () => `Remove \`ui\` from \`meta\`.`,
  ),
  "view-imports-server": error(
    (p: { module: string; isServer: boolean }) =>
      p.isServer
        ? `The view imports \`${p.module}\`, which is server code. Every user could read it.`
        : `The view imports \`${p.module}\`, which browsers do not have.`,
    (p) =>
      p.isServer
        ? `If it needs only types, write \`import type\`. Move other code that both need to a separate file.`
        : `Do this work in a tool, and call the tool with \`app.call\`.`,
  ),
  "view-uses-node": error(
    (p: { name: string }) =>
      p.name === "import.meta"
        ? `The view uses \`import.meta\`, but the script of a view is not a module.`
        : `The view uses \`${p.name}\`, which browsers do not have.`,
    () => `Return the value from the tool, or call a tool with \`app.call\`.`,
  ),
  "view-evaluates-code": error(
    () => `The view compiles code while it runs, which the security policy of every client blocks.`,
    () => `Use a function instead.`,
  ),
  "view-not-self-contained": error(
    (p: { path: string; url: string; isModule: boolean }) =>
      `The view \`${p.path}\` loads \`${p.url}\`, but clients receive the HTML alone.`,
    (p) =>
      p.isModule
        ? `Import the file, which makes it part of the view, or request the data in a tool.`
        : `Let your build write everything into the HTML file, for example with vite-plugin-singlefile.`,
  ),
  "view-origin-missing": warning(
    (p: { origin: string; list: string }) =>
      `Clients block the view's access to \`${p.origin}\`, which \`csp.${p.list}\` does not contain.`,
    (p) =>
      `Write \`view: { file: …, csp: { ${p.list}: ["${p.origin}"] } }\`, or request the data in a tool, which needs no permission.`,
  ),
  "view-large": warning(
    (p: { path: string; kilobytes: number }) =>
      `The view \`${p.path}\` is ${p.kilobytes} KB in size. Clients load it each time that they show it.`,
    () => `Import fewer packages, or only parts of them. Clients reject views above 1,024 KB.`,
  ),
  "view-too-large": error(
    (p: { path: string; kilobytes: number }) =>
      `The view \`${p.path}\` is ${p.kilobytes.toLocaleString("en-US")} KB in size. Clients reject views above 1,024 KB.`,
    () => `Import fewer packages, or load images and data from an origin in \`csp\`.`,
  ),
};
