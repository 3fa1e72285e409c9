import { parseTemplate } from "url-template";
import type { Drafts } from "../state/drafts.js";
import type { Entry } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import type { Selection } from "../state/selection.js";

/** Returns a function that reads a linked resource on the page of its entry or template. */
export function createFollow(
  playground: Playground,
  drafts: Drafts,
  selection: Selection,
): (uri: string) => void {
  return (uri) => {
    const openAndCall = (entry: Entry, args: Record<string, string>): void => {
      drafts.get(entry).value = args;
      selection.select(entry);
      playground.call(entry, args);
    };
    for (const entry of playground.entries.value) {
      const args = matchUri(entry, uri);
      if (!args) continue;
      openAndCall(entry, args);
      return;
    }
    // The server may have the resource even though it does not list it.
    openAndCall(playground.visit(uri), {});
  };
}

/** Returns the arguments with which an entry has this URI, or undefined if it cannot have it. */
function matchUri({ kind, key }: Entry, uri: string): Record<string, string> | undefined {
  if (kind === "resource") return key === uri ? {} : undefined;
  if (kind !== "template") return undefined;
  const names: string[] = [];
  const pattern = key.split(/(\{[^}]+\})/).map((part) => {
    const variables = /^\{([+#./;?&]?)([^}]+)\}$/.exec(part);
    if (!variables) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    names.push(variables[2] ?? "");
    return variables[1] === "+" ? "(.+)" : "([^/]+)";
  });
  const found = new RegExp(`^${pattern.join("")}$`).exec(uri);
  if (!found) return undefined;
  const args = Object.fromEntries(
    names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? "")]),
  );
  // If the arguments do not produce the same URI, it belongs to another template.
  return parseTemplate(key).expand(args) === uri ? args : undefined;
}
