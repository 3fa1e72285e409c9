/** The names of the APIs, for `--api`. They are in their own module, so that the command's help loads nothing else. */
export const API_NAMES = ["openai", "anthropic"] as const;

export type ApiName = (typeof API_NAMES)[number];
