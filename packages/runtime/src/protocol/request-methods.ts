/** The methods of requests that clients send, in any revision. A client can name others. */
const REQUEST_METHODS: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "subscriptions/listen",
  "tasks/cancel",
  "tasks/get",
  "tasks/update",
  "tools/call",
  "tools/list",
]);

/** A method as it may be counted under: of those that nobody knows there is no end. */
export function countedMethod(method: string, other: string): string {
  return REQUEST_METHODS.has(method) ? method : other;
}
