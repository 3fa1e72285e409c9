import type { Resource, ResourceResult, Skill, SkillResource } from "../protocol/specification.js";

/** The requests with which files are read. */
interface SkillReader {
  readResource(uri: string): Promise<ResourceResult>;
  /** Returns all files and folders in a directory. */
  readDirectory(uri: string): Promise<Resource[]>;
}

/**
 * Reads the files of a skill, and checks them as clients do. The files of a generated skill have no digests.
 *
 * @returns the files by their paths in the folder of the skill: as text, or as bytes if they are not UTF-8
 * @throws Error for a file whose size or digest does not match the skill's entry
 */
export async function readSkillFiles(
  { uri: skillUri, resources }: Skill,
  client: SkillReader,
): Promise<Record<string, string | Uint8Array>> {
  const folder = skillUri.slice(0, skillUri.lastIndexOf("/") + 1);
  const files: Record<string, string | Uint8Array> = {};
  const listed: readonly (SkillResource | Pick<Resource, "uri">)[] =
    resources === "dynamic" ? await listFiles(folder.slice(0, -1), client) : resources;
  for (const listedFile of listed) {
    const { uri } = listedFile;
    const { contents } = await client.readResource(uri);
    const [content] = contents;
    if (content === undefined || contents.length > 1)
      throw new Error(`${uri} must have exactly one content item (got ${contents.length}).`);
    const bytes = "blob" in content ? Buffer.from(content.blob, "base64") : Buffer.from(content.text);
    if ("digest" in listedFile) await verify(bytes, listedFile);
    files[decodeURIComponent(uri.slice(folder.length))] = decode(bytes);
  }
  return files;
}

/** Returns the files in a directory and all directories inside it. */
async function listFiles(uri: string, client: SkillReader): Promise<Pick<Resource, "uri">[]> {
  const children = await client.readDirectory(uri);
  const files = children.map(async (each) =>
    each.mimeType === "inode/directory" ? listFiles(each.uri, client) : [each],
  );
  return (await Promise.all(files)).flat();
}

async function verify(bytes: Uint8Array<ArrayBuffer>, { uri, digest, size }: SkillResource): Promise<void> {
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
  if (bytes.length !== size) throw new Error(`${uri} must have ${size} bytes (got ${bytes.length}).`);
  if (digest !== `sha256:${hash}`)
    throw new Error(`${uri} must have the digest ${digest} (got sha256:${hash}).`);
}

function decode(bytes: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}
