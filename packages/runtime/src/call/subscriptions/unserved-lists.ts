import type { ChangeSource, ListName } from "../../api/notifier.js";
import type { LogSink } from "../../api/log.js";

/**
 * Warns about the first reported change of each list that never changes. No client is notified of it.
 *
 * @param lists the lists that can change
 * @returns a function that stops watching
 */
export function watchUnservedLists(
  changes: ChangeSource,
  lists: ReadonlySet<ListName>,
  log: LogSink,
): () => void {
  const expected = new Set<string>([...lists, "resource", "elicitation"]);
  return changes.onChange(({ kind }) => {
    if (expected.has(kind)) return;
    expected.add(kind);
    const option = `\`enabled\`${kind === "resources" ? " or `list`" : ""}`;
    const msg = `${kind}Changed() has no effect, because the list of ${kind} never changes: none has the option ${option}.`;
    log({ level: "warn", event: "warning", msg });
  });
}
