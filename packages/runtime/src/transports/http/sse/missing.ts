/** What whoever asks for HTTP+SSE is told when the server has no part that speaks it. */
export const SSE_MISSING =
  "This server was built without HTTP+SSE. To have it, write\n" +
  "`export default defineServer({ http: { sse: true } })` in src/server.ts and build it again.";
