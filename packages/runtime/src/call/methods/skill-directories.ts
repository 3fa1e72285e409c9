import { SKILL_SCHEME } from "../../manifest.js";
import type { Resource } from "../../protocol/specification.js";
import type { Entries, ServedResource } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";

/** A file or folder in a directory. */
interface Child {
  readonly resource: Resource;
  /** Returns whether a caller sees it. */
  isEnabled(call: Call): boolean;
}

/** Returns the direct children of each directory that contains files of skills, by the URI of the directory. */
export function createDirectories({
  resources,
}: Pick<Entries, "resources">): ReadonlyMap<string, readonly Child[]> {
  const directories = new Map<string, Map<string, ServedResource[]>>();
  const files = [...resources].filter(([uri]) => uri.startsWith(SKILL_SCHEME));
  for (const [uri, served] of files) {
    // The name of its skill's folder always precedes the path of a file.
    for (let child = uri; child.includes("/", SKILL_SCHEME.length);) {
      const parent = child.slice(0, child.lastIndexOf("/"));
      const children = directories.get(parent) ?? new Map<string, ServedResource[]>();
      directories.set(parent, children);
      children.set(child, [...(children.get(child) ?? []), served]);
      child = parent;
    }
  }
  const toChild = ([uri, inside]: [string, ServedResource[]]): Child => ({
    resource: resources.get(uri)?.entry.definition ?? describeDirectory(uri),
    isEnabled: (call) => inside.some(({ handler }) => handler.isEnabled(call)),
  });
  return new Map([...directories].map(([uri, children]) => [uri, [...children].map(toChild)]));
}

/** Returns a directory as a resource. */
export function describeDirectory(uri: string): Resource {
  const name = decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
  return { uri, name, mimeType: "inode/directory" };
}
