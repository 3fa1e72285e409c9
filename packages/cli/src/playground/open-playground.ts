import { openBrowser } from "../terminal/open-browser.js";
import type { Sink } from "../terminal/terminal.js";
import { createPlayground, type Playground } from "./playground.js";

/**
 * Serves the playground, prints its address, and opens it in a browser.
 *
 * @param root the project folder, absolute
 */
export async function openPlayground(root: string, err: Sink): Promise<Playground> {
  const playground = await createPlayground(root);
  err.write(`${err.paint.bold("Playground")}  ${playground.url}\n`);
  void openBrowser(playground.url);
  return playground;
}
