import { compile } from "@tenon/compiler";
import type { ServerConfig } from "@tenon/runtime";
import { allFeatures } from "@tenon/runtime/features";
import type { Manifest } from "@tenon/runtime/manifest";
import type { Application } from "@tenon/runtime/server";
import { projectFolder } from "./project-folder.js";

/** Returns the text of a SKILL.md. */
export function skillText(name: string, body = "Follow the steps.", more = ""): string {
  return `---\nname: ${name}\ndescription: The skill ${name}.\n${more}---\n\n${body}\n`;
}

/** A compiled server that has only skills. */
export interface SkillServer {
  manifest: Manifest;
  /** The folder of the project, which is removed with `remove`. */
  root: string;
  createApplication(config?: ServerConfig): Application;
  remove(): void;
}

/**
 * Compiles a project with these skills.
 *
 * @param files texts by their paths in `skills/`
 * @param prepare changes the folder before it is compiled
 */
export async function compileSkills(
  files: Record<string, string>,
  prepare: (root: string) => void = () => {},
): Promise<SkillServer> {
  const { root, remove } = projectFolder({
    "src/server.ts": 'import { defineServer } from "@tenon/runtime";\n\nexport default defineServer({});\n',
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${path}`, text])),
  });
  prepare(root);
  const { manifest, diagnostics, emit } = compile({ root });
  const modules = await emit?.();
  if (!manifest || !modules) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const skillFiles = (manifest.skillFiles ?? []).map(({ definition, hash }) => {
    const code = String(modules.get(`skill-${hash.slice(0, 16)}.js`));
    const load = (): Promise<{ text: string } | { blob: string }> =>
      import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`) as never;
    return [definition.uri, { load }] as const;
  });
  return {
    manifest,
    root,
    createApplication: (config) => ({
      manifest,
      validators: { tools: {}, prompts: {}, resourceTemplates: {} },
      classes: {},
      skillFiles: Object.fromEntries(skillFiles),
      features: allFeatures,
      ...(config && { config }),
    }),
    remove,
  };
}
