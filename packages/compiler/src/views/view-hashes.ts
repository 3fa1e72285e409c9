import { createHash } from "node:crypto";
import type { Manifest, ViewEntry } from "@tenon/runtime/manifest";

/** The HTML of views, by name. */
export type BuiltViews = ReadonlyMap<string, string>;

/**
 * Returns a manifest in which the URIs of views contain hashes of their HTML, so that clients do not keep an outdated view.
 *
 * @throws Error for a view that was not built
 */
export function addViewHashes(manifest: Manifest, built: BuiltViews): Manifest {
  if (manifest.views === undefined) return manifest;
  const uris = new Map<string, string>();
  const views = Object.entries(manifest.views).map(([name, { definition }]): [string, ViewEntry] => {
    const html = built.get(name);
    if (html === undefined) throw new Error(`The view "${name}" was not built.`);
    const hash = createHash("sha256").update(html).digest("hex").slice(0, 8);
    const uri = definition.uri.replace(/\.html$/, `.${hash}.html`);
    uris.set(definition.uri, uri);
    return [name, { definition: { ...definition, uri }, hash }];
  });
  const tools = manifest.tools.map((entry) => {
    const { _meta: meta, ...definition } = entry.definition;
    if (entry.view === undefined || meta === undefined) return entry;
    return { ...entry, definition: { ...definition, _meta: replaceUris(meta, uris) } };
  });
  return { ...manifest, tools, views: Object.fromEntries(views) };
}

/** Replaces the URIs of views in metadata, in members with any name. */
function replaceUris<Value extends object>(meta: Value, uris: ReadonlyMap<string, string>): Value {
  const members = Object.entries(meta).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string"
      ? (uris.get(value) ?? value)
      : isRecord(value)
        ? replaceUris(value, uris)
        : value,
  ]);
  return Object.fromEntries(members) as Value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
