import type { ViewOptions } from "@tenon/runtime";

/** Returns the origin of a URL if the view does not declare it, so that clients block it. */
export function findUndeclaredOrigin(
  url: string,
  list: keyof NonNullable<ViewOptions["csp"]>,
  { csp = {} }: ViewOptions,
): string | undefined {
  if (!/^(?:https?|wss?):\/\//.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  const origin = `${protocol}//${host}`;
  return (csp[list] ?? []).some((each) => includesOrigin(each, origin)) ? undefined : origin;
}

/** Returns whether an entry of `csp`, which may have a wildcard, includes an origin. */
function includesOrigin(entry: string, origin: string): boolean {
  const [before = "", after] = entry.toLowerCase().replace(/\/$/, "").split("*");
  return after === undefined ? before === origin : origin.startsWith(before) && origin.endsWith(after);
}
