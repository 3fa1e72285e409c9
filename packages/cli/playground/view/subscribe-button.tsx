import type { VNode } from "preact";
import type { Playground } from "../state/playground.js";

/** Subscribes to a resource; what the server has told of it since is said beside it. */
export function SubscribeButton({ playground, uri }: { playground: Playground; uri: string }): VNode | null {
  const { subscriptions, status } = playground;
  if (!status.value.server?.capabilities.resources?.subscribe) return null;
  const own = subscriptions.all.value.find((each) => each.uri === uri);
  return (
    <>
      <button type="button" class="quiet" aria-pressed={!!own} onClick={() => subscriptions.toggle(uri)}>
        {own ? "End the subscription" : "Subscribe"}
      </button>
      <p class={own?.state === "refused" ? "problem" : "hint"} role="status">
        {own && { asked: "Asking…", open: updatesText(own.updates), refused: own.problem }[own.state]}
      </p>
    </>
  );
}

export function updatesText(updates: number): string {
  return updates === 0 ? "No update yet." : `Updated ${updates === 1 ? "once" : `${updates} times`}.`;
}
