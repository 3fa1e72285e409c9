/** The methods whose results list what the sources declare, so that they may change with each edit. */
export const LIST_METHODS: ReadonlySet<unknown> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
]);
