/**
 * The keyword of a file in arguments, with its accepted types and its size. Drafts of the specification define it for
 * clients with a file picker, which send data URIs.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2631
 */
export const FILE_KEYWORD = "x-mcp-file";

/**
 * The sentence about files for clients. Models write a file as base64 unless they learn that a data URI may carry its type
 * and its name.
 */
export const FILE_NOTE = "Content as base64, or as a data URI such as data:text/csv;name=a.csv;base64,…";
