import type { VNode } from "preact";
import { Markdown } from "../result/markdown.js";
import { hashOf } from "../state/entries.js";
import type { Playground } from "../state/playground.js";

/** What is seen before anything is chosen. */
export function Overview({
  playground,
  notFound,
}: {
  playground: Playground;
  /** What the address names, and is not there. */
  notFound: string | undefined;
}): VNode {
  const { server, state, problem } = playground.status.value;
  const [first] = playground.entries.value;
  const { saved } = playground.notes.value;
  if (!server) {
    return (
      <div class="overview">
        <h2>{problem === undefined ? "The server is starting." : "The server is not running."}</h2>
        <p class="hint">
          {problem === undefined
            ? "What it has is listed here in a moment."
            : "It starts as soon as the error above is corrected; this page follows by itself."}
        </p>
      </div>
    );
  }
  return (
    <div class="overview">
      <h2>
        {
          {
            away: "tenon dev has stopped.",
            connecting: "The server is not running.",
            serving: "Choose what to call.",
          }[state]
        }
      </h2>
      {notFound !== undefined && state === "serving" && (
        <p class="problem" role="alert">
          Not found: <code>{notFound}</code>. It went with an edit, or is hidden from who calls.
        </p>
      )}
      <p class="hint">
        {state === "away"
          ? "Start it again with --open: the new page has another address."
          : "The list follows every edit of the sources."}
      </p>
      {first && (
        <p>
          <a href={hashOf(first)}>Begin with {first.name}</a>
        </p>
      )}
      {server.instructions !== undefined && (
        <section>
          <h3>Instructions to the model</h3>
          <Markdown text={server.instructions} />
        </section>
      )}
      {saved.length > 0 && (
        <p class="hint">
          {saved.length} saved {saved.length === 1 ? "call is" : "calls are"} with the entries they call.
        </p>
      )}
      <section>
        <h3>Keys</h3>
        <dl class="keys">
          <div>
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>to the filter</dd>
          </div>
          <div>
            <dt>
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </dt>
            <dd>calls, from any field of a form</dd>
          </div>
          <div>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>cancels a question of the server</dd>
          </div>
        </dl>
      </section>
    </div>
  );
}
