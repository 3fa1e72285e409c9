import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** What the server has said of fields, by their ids. */
export type Refusals = ReadonlyMap<string, string>;

/** A form has it from the last call, for as long as nothing has been changed since. */
export const RefusalsContext = createContext<Refusals>(new Map());

export function useRefusal(id: string): string | undefined {
  return useContext(RefusalsContext).get(id);
}

/**
 * Which fields of a form the server's refusal names, each with what is said of it.
 *
 * @param text of the refused call
 * @param form the id of the form
 * @example
 * refusalsIn('Invalid arguments for tool "plan": `how.bags` must be at most 3 (got 9).', "tool-plan")
 * // Map { "tool-plan-how-bags" → "`how.bags` must be at most 3 (got 9)." }
 */
export function refusalsIn(text: string, form: string): Refusals {
  const [, issues] = /^Invalid arguments for (?:tool|prompt) "[^"]*":\s*(.*)$/s.exec(text) ?? [];
  const found = (issues ?? "").split(/\n- |; |^- /).flatMap((issue) => {
    const [, path] = /`([^`]+)`/.exec(issue) ?? [];
    if (path === undefined || issue.startsWith("unknown")) return [];
    return [[`${form}-${path.replaceAll(/[.[]/g, "-").replaceAll("]", "")}`, issue] as const];
  });
  return new Map(found);
}
