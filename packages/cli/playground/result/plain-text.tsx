import type { VNode } from "preact";
import { useState } from "preact/hooks";

/** Maximum number of characters shown at first, which browsers can lay out quickly. */
const MAX_CHARACTERS = 50_000;

/** An unformatted text. If it is long, a button shows the rest. */
export function PlainText({ text }: { text: string }): VNode {
  const [isExpanded, setExpanded] = useState(false);
  if (isExpanded || text.length <= MAX_CHARACTERS) return <div class="plain">{text}</div>;
  return (
    <div class="plain">
      {text.slice(0, MAX_CHARACTERS)}…
      <p>
        <button type="button" class="quiet" onClick={() => setExpanded(true)}>
          Show {text.length - MAX_CHARACTERS} more characters
        </button>
      </p>
    </div>
  );
}
