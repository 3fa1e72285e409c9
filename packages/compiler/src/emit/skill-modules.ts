import type { Manifest } from "@tenon/runtime/manifest";
import { decodeText } from "../skills/read-skills.js";
import type { SkillContents } from "../skills/skill.js";
import type { FileTree } from "./file-tree.js";

/** The length of the hash in the name of a module. */
const HASH_LENGTH = 16;

/**
 * Returns the module of a file of a skill, relative to the output folder. A server imports it when a client reads the file.
 * Files with the same content share a module.
 *
 * @param hash the digest of the content
 * @example
 * getSkillModule("a1b2c3d4e5f60718…") // "skill-a1b2c3d4e5f60718.js"
 */
export function getSkillModule(hash: string): string {
  return `skill-${hash.slice(0, HASH_LENGTH)}.js`;
}

/** Returns the modules that contain the files of skills: as text, or as base64 if the bytes are not text. */
export function createSkillModules({ skillFiles = [] }: Manifest, contents: SkillContents): FileTree {
  return new Map(
    skillFiles.map(({ hash }) => {
      const bytes = contents.get(hash) ?? new Uint8Array();
      const text = decodeText(bytes);
      const [name, value] =
        text === undefined ? ["blob", Buffer.from(bytes).toString("base64")] : ["text", text];
      return [getSkillModule(hash), `export const ${name} = ${JSON.stringify(value)};\n`];
    }),
  );
}
