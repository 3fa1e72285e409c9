/**
 * The keyword of a file in arguments, with its accepted types and its size. Drafts of the specification define it for
 * clients with a file picker, which send data URIs.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2631
 */
export const FILE_KEYWORD = "x-mcp-file";
