import { createHash } from "node:crypto";
import { posix } from "node:path";
import { SKILL_SCHEME, type Manifest, type SkillEntry, type SkillFileEntry } from "@tenon/runtime/manifest";
import { decodeText } from "./read-skills.js";
import { type Skill, SKILL_FILE, type SkillContents, type SkillFile } from "./skill.js";

/**
 * Adds skills to a manifest: an entry for each skill, and one for each file.
 *
 * @returns the manifest, and the contents of the files by hash
 */
export function addSkillEntries(
  manifest: Manifest,
  skills: readonly Skill[],
): { manifest: Manifest; contents: SkillContents } {
  if (skills.length === 0) return { manifest, contents: new Map() };
  const files = new Map(skills.flatMap((skill) => skill.files.map((each) => [each.path, each] as const)));
  const hashes = new Map([...files].map(([path, { bytes }]) => [path, hash(bytes)]));
  const getHash = (path: string): string => hashes.get(path) ?? "";
  const skillByFile = new Map(skills.map((skill) => [`${skill.path}/${SKILL_FILE}`, skill]));
  const entries = skills.map((skill): SkillEntry => ({
    path: skill.path,
    definition: {
      uri: createSkillUri(`${skill.path}/${SKILL_FILE}`),
      frontmatter: skill.frontmatter,
      resources: skill.files.map(({ path, bytes }) => ({
        uri: createSkillUri(path),
        digest: `sha256:${getHash(path)}`,
        size: bytes.length,
      })),
    },
  }));
  const fileEntries = [...files.values()].map((file): SkillFileEntry => ({
    definition: describeFile(file, skillByFile.get(file.path)),
    hash: getHash(file.path),
  }));
  return {
    manifest: {
      ...manifest,
      skills: entries.sort((a, b) => (a.definition.uri < b.definition.uri ? -1 : 1)),
      skillFiles: fileEntries.sort((a, b) => (a.definition.uri < b.definition.uri ? -1 : 1)),
    },
    contents: new Map([...files.values()].map(({ path, bytes }) => [getHash(path), bytes])),
  };
}

function hash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Returns the URI of a file.
 *
 * @param path relative to the folder of skills
 */
export function createSkillUri(path: string): string {
  return `${SKILL_SCHEME}${path.split("/").map(encodeURIComponent).join("/")}`;
}

function describeFile({ path, bytes }: SkillFile, skill: Skill | undefined): SkillFileEntry["definition"] {
  const head = { uri: createSkillUri(path), name: skill?.frontmatter.name ?? posix.basename(path) };
  return {
    ...head,
    ...(skill && { description: skill.frontmatter.description }),
    mimeType: findMimeType(path, bytes),
    size: bytes.length,
  };
}

/** The MIME types of the files that skills usually contain, by extension. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  gif: "image/gif",
  htm: "text/html",
  html: "text/html",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  markdown: "text/markdown",
  md: "text/markdown",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  py: "text/x-python",
  sh: "application/x-sh",
  sql: "application/sql",
  svg: "image/svg+xml",
  toml: "application/toml",
  ts: "text/x-typescript",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wasm: "application/wasm",
  wav: "audio/wav",
  webp: "image/webp",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

function findMimeType(path: string, bytes: Uint8Array): string {
  const extension = posix.extname(path).slice(1).toLowerCase();
  const known = Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined;
  return known ?? (decodeText(bytes) === undefined ? "application/octet-stream" : "text/plain");
}
