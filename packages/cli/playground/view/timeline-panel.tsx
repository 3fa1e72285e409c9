import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { JsonView } from "../result/json-view.js";
import type { TimedMessage, Timeline } from "../state/timeline.js";
import { formatDuration } from "../call/call-view.js";

/** Number of messages shown at first, and added at a time. */
const PAGE_ROWS = 100;

/** The messages between the page and the server, newest first. */
export function TimelinePanel({ timeline }: { timeline: Timeline }): VNode {
  const [filter, setFilter] = useState("");
  const [opened, setOpened] = useState<number>();
  const [maxRows, setMaxRows] = useState(PAGE_ROWS);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = timeline.messages.value.filter(({ method, kind, stream, text }) => {
    if (words.length === 0) return true;
    const searched =
      `${method} ${kind} ${stream === undefined ? "" : `stream ${stream}`} ${text}`.toLowerCase();
    return words.every((word) => searched.includes(word));
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
          .slice(-maxRows)
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
      {shown.length > maxRows && (
        <button type="button" class="quiet older" onClick={() => setMaxRows(maxRows + PAGE_ROWS)}>
          Show older messages
        </button>
      )}
      {shown.length === 0 && (
        <p class="hint empty">{words.length > 0 ? "No matches." : "No messages yet."}</p>
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
        <span class="time">{ms === undefined ? `${(at / 1000).toFixed(2)} s` : formatDuration(ms)}</span>
      </button>
      <div id={`message-${number}`}>
        {isOpen && <JsonView value={JSON.parse(text)} label={`Message ${number}`} />}
      </div>
    </li>
  );
}
