import type { ResourceResult, Skill } from "../protocol/specification.js";

/**
 * Reads the files of a skill, and checks them as clients do.
 *
 * @returns the files by their paths in the folder of the skill: text, or bytes that are not UTF-8
 * @throws Error for a file whose size or digest is not that of the skill's entry
 */
export async function readSkillFiles(
  { uri: skillUri, resources }: Skill,
  read: (uri: string) => Promise<ResourceResult>,
): Promise<Record<string, string | Uint8Array>> {
  const folder = skillUri.slice(0, skillUri.lastIndexOf("/") + 1);
  const files: Record<string, string | Uint8Array> = {};
  for (const { uri, digest, size } of resources) {
    const { contents } = await read(uri);
    const [content] = contents;
    if (content === undefined || contents.length > 1)
      throw new Error(`${uri} must be one content (got ${contents.length}).`);
    const bytes = "blob" in content ? Buffer.from(content.blob, "base64") : Buffer.from(content.text);
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
    if (bytes.length !== size) throw new Error(`${uri} must have ${size} bytes (got ${bytes.length}).`);
    if (digest !== `sha256:${hash}`)
      throw new Error(`${uri} must have the digest ${digest} (got sha256:${hash}).`);
    files[decodeURIComponent(uri.slice(folder.length))] = decode(bytes);
  }
  return files;
}

function decode(bytes: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}
