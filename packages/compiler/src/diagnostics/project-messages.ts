import { findNearestName } from "@tenon/runtime/nearest-name";
import { error, warning } from "./catalog-entry.js";
import { formatNames } from "./format-list.js";

/** The messages about the project as a whole. */
export const projectMessages = {
  "config-not-a-project": error(
    (p: { folder: string; missing: "folder" | "package.json" | "src" }) =>
      p.missing === "folder"
        ? `${p.folder} is not a folder.`
        : `${p.folder} is not a Tenon project: it has no ${p.missing}${p.missing === "src" ? " folder" : ""}.`,
    (p) =>
      p.missing === "src"
        ? `Put your classes under src/. In a workspace, pass the folder of the package with the server.`
        : `Create a project with \`npm create mcp-server\`, or pass the folder of an existing one.`,
  ),
  "config-unreadable": error((p: { file: string; problem: string }) => `${p.file}: ${p.problem}`),
  "config-no-typescript": error(
    (p: { count: number; first?: string }) =>
      p.first === undefined
        ? `src/ contains no TypeScript files, or tsconfig.json excludes them.`
        : `src/ has ${p.count === 1 ? "a JavaScript file" : `${p.count} JavaScript files`} but no TypeScript file. Tenon derives schemas from TypeScript's types, which JavaScript does not have.`,
    (p) =>
      p.first === undefined
        ? `Write a class in a file such as src/tools.ts.`
        : `Rename src/${p.first} to src/${p.first.replace(/js(x?)$/, "ts$1")}, and add types to the parameters.`,
  ),
  "config-not-define-server": error(
    (p: { file: string }) => `The default export of ${p.file} is not a call to \`defineServer\`.`,
    () => `Write \`export default defineServer({ … })\`, with \`defineServer\` from "@tenon/runtime".`,
  ),
  "config-ignored": error(
    (p: { reason: "elsewhere" | "not-exported" | "second" }) =>
      p.reason === "second"
        ? `Only the default export of src/server.ts configures the server, and it comes from a different call to \`defineServer\`. This one has no effect.`
        : `Only the default export of src/server.ts configures the server. This call to \`defineServer\` has no effect.`,
    (p) =>
      p.reason === "second"
        ? `Put everything into one \`defineServer({ … })\`.`
        : p.reason === "elsewhere"
          ? `Move it to src/server.ts: \`export default defineServer({ … })\`.`
          : `Write \`export default defineServer({ … })\`.`,
  ),
  "config-profile-invalid": error(
    (p: { profiles: readonly string[] }) =>
      `\`profile\` must be one of ${p.profiles.map((each) => `\`"${each}"\``).join(", ")}, written as a string literal: it is read when the project is built.`,
    () => `Write one of these. To choose a profile for one build, run \`tenon build --profile <name>\`.`,
  ),
  "config-instructions-unreadable": error(
    (p: { file: string; path: string; problem: "missing" | "outside" | "empty" | "not-text" }) =>
      p.problem === "missing"
        ? `The instructions \`${p.file}\` do not exist: there is no file \`${p.path}\`.`
        : p.problem === "empty"
          ? `The file of the instructions is empty: \`${p.path}\`.`
          : p.problem === "not-text"
            ? `The file of the instructions is not text in UTF-8: \`${p.path}\`.`
            : `The instructions \`${p.file}\` are outside \`src/\`. \`tenon dev\` notices changes only inside that folder.`,
    (p) =>
      p.problem === "empty"
        ? "Write when to use which tool, in at most 2,048 characters, or remove `instructions`."
        : p.problem === "not-text"
          ? "Save the file as UTF-8."
          : "Write a path relative to this file, such as `./instructions.md`.",
  ),
  "tool-search-name-taken": error(
    (p: { name: string }) =>
      `The server has a tool \`${p.name}\`, which \`toolSearch\` replaces with its own.`,
    () => "Rename the tool.",
  ),
  "tool-search-unknown": error(
    (p: { name: string; names: readonly string[] }) =>
      `\`toolSearch.always\` names \`${p.name}\`, but the server has no such tool.`,
    (p) => {
      const nearest = findNearestName(p.name, p.names);
      return nearest === undefined ? "Use names of this server's tools." : `Did you mean \`${nearest}\`?`;
    },
  ),
  "config-dialects-invalid": error(
    (p: { dialects: readonly string[] }) =>
      `\`dialects\` must be a literal list of known dialects (${p.dialects.map((each) => `\`"${each}"\``).join(", ")}), because it is read when the project is built.`,
    (p) => `Write \`dialects: ["${p.dialects[0]}"]\`, or remove it.`,
  ),
  "dialect-auth-unsupported": warning(
    () =>
      `ChatGPT logs in only with OAuth, but \`auth\` is not the result of \`oauth\`. The tools are listed without \`securitySchemes\`.`,
    () => `Use \`oauth\` from \`@tenon/runtime/auth\` for the server that ChatGPT connects to.`,
  ),
  "dialect-file-nested": warning(
    (p: { tool: string; names: readonly string[] }) =>
      `ChatGPT sends files only as arguments or in lists of files, but ${formatNames(p.names)} of tool \`${p.tool}\` ${p.names.length === 1 ? "contains" : "contain"} nested files. The model would have to write their content as base64.`,
    () => `Accept the file as an argument of type \`File\` or \`File[]\`.`,
  ),
  "config-module-resolution": error(
    (p: { found: string; edit: string }) =>
      `\`"moduleResolution": "${p.found}"\` in tsconfig.json ignores \`exports\` in package.json, so TypeScript cannot find "@tenon/runtime" and many other packages.`,
    (p) =>
      p.edit.includes("nodenext")
        ? `Write \`${p.edit}\` and remove \`moduleResolution\`. Without \`"type": "module"\` in package.json, that is still CommonJS, and your imports do not change.`
        : `Write \`${p.edit}\`. Your imports do not change.`,
  ),
  "runtime-not-installed": error<{ edit: string }>(
    () => `"@tenon/runtime" is not installed in this project, so its decorators cannot be recognized.`,
    (p) => p.edit,
  ),
  "import-not-found": error(
    (p: { module: string; edit: string }) => `${JSON.stringify(p.module)} cannot be found.`,
    (p) => p.edit,
  ),
  "import-not-exported": error(
    (p: { module: string; name: string; nearest?: string }) =>
      `${JSON.stringify(p.module)} has no export \`${p.name}\`.`,
    (p) => (p.nearest === undefined ? undefined : `Did you mean \`${p.nearest}\`?`),
  ),
  "notifier-not-configured": warning(
    () => `The server does not use this notifier, so no client receives its notifications.`,
    () => `Pass it to \`defineServer\` in src/server.ts: \`defineServer({ notifier, … })\`.`,
  ),
  "server-empty": warning(
    () =>
      `Nothing under src/ is decorated with @Tool, @Prompt, or @Resource, so the server has nothing to offer.`,
    () => `Decorate a method of an exported class.`,
  ),
};
