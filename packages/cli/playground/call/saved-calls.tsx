import type { VNode } from "preact";
import type { Entry } from "../state/entries.js";
import type { SavedCall } from "../state/notes.js";
import type { Playground } from "../state/playground.js";

/** The saved calls of an entry. Choosing one fills in the form. */
export function SavedCalls({
  playground,
  entry,
  onChoose,
}: {
  playground: Playground;
  entry: Entry;
  onChoose(args: Record<string, unknown>): void;
}): VNode | null {
  const { saved } = playground.notes.value;
  const own = saved.filter(({ kind, key }) => kind === entry.kind && key === entry.key);
  if (own.length === 0) return null;
  const remove = (call: SavedCall): void => playground.setSaved(saved.filter((each) => each !== call));
  return (
    <section class="saved" aria-label="Saved calls">
      {own.map((call) => (
        <span class="chip" key={call.name}>
          <button type="button" onClick={() => onChoose(call.args)}>
            {call.name}
          </button>
          <button type="button" aria-label={`Delete ${call.name}`} onClick={() => remove(call)}>
            ×
          </button>
        </span>
      ))}
    </section>
  );
}
