import type { VNode } from "preact";
import { useState } from "preact/hooks";

/** Browsers lay out this much at once. */
const MOST_CHARACTERS = 50_000;

/** A text as it is; of a long one its beginning, and the rest where that is wished for. */
export function PlainText({ text }: { text: string }): VNode {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= MOST_CHARACTERS) return <div class="plain">{text}</div>;
  return (
    <div class="plain">
      {text.slice(0, MOST_CHARACTERS)}…
      <p>
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show {text.length - MOST_CHARACTERS} characters more
        </button>
      </p>
    </div>
  );
}
