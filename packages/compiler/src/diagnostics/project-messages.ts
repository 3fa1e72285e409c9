import { error, warning } from "./catalogue-entry.js";

/** What can be wrong with the project as a whole. */
export const projectMessages = {
  "config-not-a-project": error(
    (p: { folder: string; missing: "folder" | "package.json" | "src" }) =>
      p.missing === "folder"
        ? `${p.folder} is not a folder.`
        : `${p.folder} is no Tenon project: it has no ${p.missing}${p.missing === "src" ? " folder" : ""}.`,
    (p) =>
      p.missing === "src"
        ? `Put your classes under src/.`
        : `Start one with \`npm create mcp-server\`, or name the folder of an existing one.`,
  ),
  "config-unreadable": error((p: { file: string; problem: string }) => `${p.file}: ${p.problem}`),
  "config-not-define-server": error(
    (p: { file: string }) =>
      `${p.file} exports something by default that did not come from \`defineServer\`.`,
    () => `Write \`export default defineServer({ … })\` with \`defineServer\` from "@tenon/runtime".`,
  ),
  "config-profile-invalid": error(
    (p: { profiles: readonly string[] }) =>
      `\`profile\` decides what is built, so it must be one of ${p.profiles.map((each) => `\`"${each}"\``).join(", ")}, written as a string.`,
    () => `For a profile that depends on the build, run \`tenon build --profile <name>\`.`,
  ),
  "config-decorator-metadata": warning(
    () =>
      `\`emitDecoratorMetadata\` is on in tsconfig.json, but the built server carries no such metadata: \`Reflect.getMetadata("design:type", …)\` will find nothing.`,
    () =>
      `Turn it off; Tenon itself asks the type checker. Libraries that rely on it need a build of their own.`,
  ),
  "runtime-not-installed": error(
    () => `"@tenon/runtime" is not installed in this project, so no decorator can be recognised.`,
    () => `Run \`npm install @tenon/runtime\`.`,
  ),
  "server-empty": warning(
    () =>
      `Nothing under src/ is decorated with @Tool, @Prompt or @Resource, so the server would offer nothing.`,
    () => `Decorate a method of an exported class.`,
  ),
};
