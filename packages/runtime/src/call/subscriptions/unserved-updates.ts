import type { LogSink } from "../../api/log.js";
import { findNearestName } from "../../data/problems/nearest-name.js";
import { shorten } from "../../data/problems/shorten.js";
import type { Entries } from "../assembly/entries.js";

/**
 * Creates a function that warns about the first update of a URI that the server does not serve. No client can subscribe to
 * it, so no client is notified.
 */
export function createUpdateCheck({ resources, templates }: Entries, log: LogSink): (uri: string) => void {
  let hasWarned = false;
  return function checkUpdate(uri) {
    if (hasWarned || resources.has(uri)) return;
    if ([...templates.values()].some(({ template }) => template.match(uri) !== undefined)) return;
    hasWarned = true;
    const nearest = findNearestName(uri, [...resources.keys(), ...templates.keys()]);
    const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    const msg = `resourceUpdated(${shorten(uri)}) has no effect, because the server has no such resource.${hint}`;
    log({ level: "warn", event: "warning", msg });
  };
}
