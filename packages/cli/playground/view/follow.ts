import { parseTemplate } from "url-template";
import type { Drafts } from "../state/drafts.js";
import type { Entry } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import type { Selection } from "../state/selection.js";

/** Reads the resource that a link names, on the page of the resource or template that it belongs to. */
export function followIn(
  playground: Playground,
  drafts: Drafts,
  selection: Selection,
): (uri: string) => void {
  return (uri) => {
    const go = (entry: Entry, args: Record<string, string>): void => {
      drafts.of(entry).value = args;
      selection.select(entry);
      playground.call(entry, args);
    };
    for (const entry of playground.entries.value) {
      const args = argumentsFor(entry, uri);
      if (!args) continue;
      go(entry, args);
      return;
    }
    // It is in no list, but the server may know it all the same.
    go(playground.visit(uri), {});
  };
}

/** Undefined where the entry is not what the URI names. */
function argumentsFor({ kind, key }: Entry, uri: string): Record<string, string> | undefined {
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
  // What does not lead back is another template's.
  return parseTemplate(key).expand(args) === uri ? args : undefined;
}
