/** Help text of a server's command line. */
export const USAGE = `Usage: node server.js [options]

Serves MCP over stdin and stdout, or over Streamable HTTP at /mcp.

Options:
  --http                  serve Streamable HTTP instead of stdio
  --port <number>         port to listen on (default: $PORT, or 3000; 0 picks a free one)
  --host <address>        address to listen on (default: $HOST if it is an address, or 127.0.0.1)
  --allow-host <host>     also accept this Host header; repeatable
  --allow-origin <origin> also accept this Origin header; repeatable
  --trust-proxy <address> trust X-Forwarded-For from this proxy: an address, a range such as
                          10.0.0.0/8, "loopback", or "private"; repeatable
  --allow-anonymous       let anyone call a server without \`auth\` at an address that other machines
                          can reach (default: true if TENON_ALLOW_ANONYMOUS is "true")
  --sse                   also serve older clients, with HTTP+SSE at /sse
  --workers <number>      share the port among this many processes, or "auto" for one per processor
  --tasks-only            serve no clients, only run queued tasks
  -v, --version           show the version
  -h, --help              show this text
`;
