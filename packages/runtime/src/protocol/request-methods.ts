/** Methods of the requests that clients send, in any revision. Clients can send others. */
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

/**
 * Returns the name under which a method is counted: its own if known, otherwise `other`. Clients can send any number
 * of unknown methods.
 */
export function getMethodLabel(method: string, other: string): string {
  return REQUEST_METHODS.has(method) ? method : other;
}
