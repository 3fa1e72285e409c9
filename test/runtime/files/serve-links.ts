/**
 * Serves links over HTTP, and sends its parent process the address and, for each message, the maximum number of bytes
 * that buffers have held. Resident memory would also count garbage, of which each version of Node leaves a different
 * amount.
 */
import { fileLinks } from "@tenon/runtime/files";
import { listen } from "@tenon/runtime/node";
import { createServer } from "@tenon/runtime/server";
import { createFileServer } from "./application.js";

const [, , folder = ""] = process.argv;
const links = fileLinks({ url: "https://mcp.example.com/files", folder });
const { url } = await listen(createServer(createFileServer({ files: { links } })), { port: 0 });
process.send?.(url);
let peak = 0;
setInterval(() => {
  // Another thread frees what the first collection has found. The second one waits for it.
  global.gc?.();
  global.gc?.();
  peak = Math.max(peak, process.memoryUsage().arrayBuffers);
}, 250);
process.on("message", () => process.send?.(peak));
