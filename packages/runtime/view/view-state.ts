import type { Json } from "./host-connection.js";
import type { AnyViewProps } from "./view-client.js";

/** The call that a state belongs to. */
export type StateOwner = Pick<AnyViewProps, "tool" | "input" | "result">;

/** OpenAI's functions for the state of a view. */
interface OpenAi {
  readonly widgetState?: unknown;
  setWidgetState?(state: Json): unknown;
}

/** The prefix of keys in the storage of the browser. */
const PREFIX = "tenon-view:";

/**
 * Returns the state that a view has saved for a call, when the client displays the call again, for example after a reload.
 *
 * @param props the props of the view, with its result
 * @returns undefined if nothing was saved, or the client has no storage
 * @example
 * const { done } = loadState<{ done: string[] }>(props) ?? { done: [] };
 */
export function loadState<State>(props: StateOwner): State | undefined {
  try {
    const { openai } = window as { openai?: OpenAi };
    if (openai?.setWidgetState) return (openai.widgetState ?? undefined) as State | undefined;
    return JSON.parse(localStorage.getItem(getKey(props)) ?? "") as State;
  } catch {
    return undefined;
  }
}

/**
 * Saves the state of a view for a call, in the user's browser. Other servers may be able to read it, so it must not contain
 * secrets.
 *
 * @param props the props of the view, with its result
 * @param state a JSON object
 * @returns whether the client has saved it. Some clients have no storage.
 * @example
 * saveState(props, { done });
 */
export function saveState(props: StateOwner, state: object): boolean {
  try {
    const { openai } = window as { openai?: OpenAi };
    if (openai?.setWidgetState) {
      openai.setWidgetState(state as Json);
      return true;
    }
    const text = JSON.stringify(state);
    try {
      localStorage.setItem(getKey(props), text);
    } catch {
      // The storage may be full of the states of older calls.
      for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
      localStorage.setItem(getKey(props), text);
    }
    return true;
  } catch {
    return false;
  }
}

/** Returns a key for a call, which clients identify to views neither reliably nor permanently: a hash of its content. */
function getKey({ tool, input, result }: StateOwner): string {
  let [low, high] = [0, 0];
  for (const unit of JSON.stringify([tool, input, result])) {
    low = Math.imul(low ^ (unit.codePointAt(0) ?? 0), 0x9e37_79b1);
    high = Math.imul(high ^ low ^ (low >>> 15), 0x85eb_ca77);
  }
  return `${PREFIX}${tool}:${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}`;
}
