/** What a server's command line takes. */
export const USAGE = `Usage: node server.js [options]

Speaks MCP over stdin and stdout, or over Streamable HTTP at /mcp.

Options:
  --http                  serve Streamable HTTP instead of stdio
  --port <number>         port to listen on (default: PORT of the environment, or 3000; 0 picks a free one)
  --host <address>        address to listen on (default: HOST of the environment if it is one, or 127.0.0.1)
  --allow-host <host>     accept this Host header too (may be repeated)
  --allow-origin <origin> accept this Origin header too (may be repeated)
  --trust-proxy <address> believe X-Forwarded-For of this proxy: an address, a range such as
                          10.0.0.0/8, "loopback" or "private" (may be repeated)
  --sse                   serve old clients too: HTTP+SSE at /sse
  --workers <number>      share the port among so many processes, or "auto": one for each processor
  --tasks-only            serve no client: work on the tasks that are queued
  -v, --version           show the version
  -h, --help              show this text
`;
