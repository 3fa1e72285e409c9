import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { JsonView } from "../result/json-view.js";
import type { TimedMessage, Timeline } from "../state/timeline.js";
import { timeText } from "../call/call-view.js";

/** So many are shown at first, and more at a time. */
const ROWS = 100;

/** Every message between the page and the server, the newest first. */
export function TimelinePanel({ timeline }: { timeline: Timeline }): VNode {
  const [filter, setFilter] = useState("");
  const [opened, setOpened] = useState<number>();
  const [most, setMost] = useState(ROWS);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = timeline.messages.value.filter(({ method, kind, stream, text }) => {
    if (words.length === 0) return true;
    const said = `${method} ${kind} ${stream === undefined ? "" : `stream ${stream}`} ${text}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
  return (
    <aside class="timeline" aria-label="Messages">
      <header>
        <h2>
          Messages <span class="count">{shown.length}</span>
        </h2>
        <button type="button" class="quiet" onClick={() => timeline.clear()}>
          Clear
        </button>
        <input
          type="search"
          aria-label="Filter messages"
          placeholder="Filter by method or content"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </header>
      <ol reversed>
        {shown
          .slice(-most)
          .toReversed()
          .map((each) => (
            <Message
              key={each.number}
              timed={each}
              isOpen={opened === each.number}
              onToggle={() => setOpened(opened === each.number ? undefined : each.number)}
            />
          ))}
      </ol>
      {shown.length > most && (
        <button type="button" class="quiet older" onClick={() => setMost(most + ROWS)}>
          Show older ones
        </button>
      )}
      {shown.length === 0 && (
        <p class="hint empty">{words.length > 0 ? "No message matches." : "No messages yet."}</p>
      )}
    </aside>
  );
}

function Message({
  timed: { number, at, direction, kind, method, ms, stream, text },
  isOpen,
  onToggle,
}: {
  timed: TimedMessage;
  isOpen: boolean;
  onToggle(): void;
}): VNode {
  return (
    <li>
      <button
        type="button"
        class={`message-row ${direction} ${kind}`}
        aria-expanded={isOpen}
        aria-controls={`message-${number}`}
        onClick={onToggle}
      >
        <span class="arrow" aria-hidden="true">
          {direction === "sent" ? "→" : "←"}
        </span>
        <span class="unseen">{direction} </span>
        <span class="method">{method}</span>
        {kind === "error" && <span class="badge bad">error</span>}
        {kind === "notification" && <span class="badge">note</span>}
        {stream !== undefined && <span class="badge accent">stream {stream}</span>}
        <span class="time">{ms === undefined ? `${(at / 1000).toFixed(2)} s` : timeText(ms)}</span>
      </button>
      <div id={`message-${number}`}>
        {isOpen && <JsonView value={JSON.parse(text)} label={`Message ${number}`} />}
      </div>
    </li>
  );
}
