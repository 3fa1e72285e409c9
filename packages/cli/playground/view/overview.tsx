import type { VNode } from "preact";
import { Markdown } from "../result/markdown.js";
import { toHash } from "../state/entries.js";
import type { Playground } from "../state/playground.js";

/** The view before an entry is selected. */
export function Overview({
  playground,
  notFound,
}: {
  playground: Playground;
  /** The unknown name in the address. */
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
            ? "Its tools, prompts, and resources will appear here."
            : "Fix the error above. The server then starts, and this page updates."}
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
            serving: "Select a tool, prompt, or resource.",
          }[state]
        }
      </h2>
      {notFound !== undefined && state === "serving" && (
        <p class="problem" role="alert">
          Not found: <code>{notFound}</code>. It was removed, or is hidden from this caller.
        </p>
      )}
      <p class="hint">
        {state === "away"
          ? "Start it again with --open. The new page has a different address."
          : "The list updates after each edit."}
      </p>
      {first && (
        <p>
          <a href={toHash(first)}>Start with {first.name}</a>
        </p>
      )}
      {server.instructions !== undefined && (
        <section>
          <h3>Instructions for the model</h3>
          <Markdown text={server.instructions} />
        </section>
      )}
      {saved.length > 0 && (
        <p class="hint">
          {saved.length} saved {saved.length === 1 ? "call" : "calls"}, listed on the pages of their tools,
          prompts, and resources.
        </p>
      )}
      <section>
        <h3>Keyboard shortcuts</h3>
        <dl class="keys">
          <div>
            <dt>
              <kbd>/</kbd>
            </dt>
            <dd>Focus the filter</dd>
          </div>
          <div>
            <dt>
              <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </dt>
            <dd>Submit the form from any field</dd>
          </div>
          <div>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>Cancel an input request</dd>
          </div>
        </dl>
      </section>
    </div>
  );
}
