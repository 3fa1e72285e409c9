import type { VNode } from "preact";
import type { Playground } from "../state/playground.js";

/** A button that subscribes to a resource, and the number of updates since then. */
export function SubscribeButton({ playground, uri }: { playground: Playground; uri: string }): VNode | null {
  const { subscriptions, status } = playground;
  if (!status.value.server?.capabilities.resources?.subscribe) return null;
  const own = subscriptions.all.value.find((each) => each.uri === uri);
  return (
    <>
      <button type="button" class="quiet" aria-pressed={!!own} onClick={() => subscriptions.toggle(uri)}>
        {own ? "Unsubscribe" : "Subscribe"}
      </button>
      <p class={own?.state === "rejected" ? "problem" : "hint"} role="status">
        {own &&
          { pending: "Subscribing…", open: formatUpdates(own.updates), rejected: own.problem }[own.state]}
      </p>
    </>
  );
}

export function formatUpdates(updates: number): string {
  return updates === 0 ? "No updates yet." : `Updated ${updates === 1 ? "once" : `${updates} times`}.`;
}
