/** The public lists of servers whose rules Tenon knows, with the names that sentences use. */
export const DIRECTORIES = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  registry: "The MCP registry",
  glama: "Glama",
} as const;

export type DirectoryName = keyof typeof DIRECTORIES;

/** The directories in display order. */
export const DIRECTORY_NAMES = Object.keys(DIRECTORIES) as DirectoryName[];
