import type { VNode } from "preact";
import type { Playground } from "../state/playground.js";
import { formatUpdates } from "./subscribe-button.js";

/** The subscribed resources, each with a link that reads it again. */
export function SubscriptionList({
  playground,
  onRead,
}: {
  playground: Playground;
  onRead(uri: string): void;
}): VNode | null {
  const all = playground.subscriptions.all.value;
  if (all.length === 0) return null;
  return (
    <section aria-labelledby="list-subscriptions">
      <h2 id="list-subscriptions">
        Subscriptions <span class="count">{all.length}</span>
      </h2>
      <ul>
        {all.map(({ uri, state, updates }) => (
          <li class="subscription" key={uri}>
            <button type="button" class="link" onClick={() => onRead(uri)}>
              {uri}
            </button>
            <span class={state === "rejected" ? "badge bad" : updates > 0 ? "badge accent" : "badge"}>
              {state === "rejected" ? "rejected" : formatUpdates(updates)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
