import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { SITE } from "./build-site.js";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** The built site at an address of this machine. */
export interface ServedSite extends AsyncDisposable {
  url: string;
}

/** Serves the built site as hosts of static files do: `/guide/x` is `guide/x.html`. */
export async function serveSite(): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const candidates = [join(SITE, path), join(SITE, path, "index.html"), join(SITE, `${path}.html`)];
    const file = candidates.find((each) => existsSync(each) && statSync(each).isFile());
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        // The names of assets contain their hashes.
        ...(path.startsWith("/assets/") && { "cache-control": "max-age=3600, immutable" }),
      })
      .end(readFileSync(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
