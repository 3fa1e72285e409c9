import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { parseRecording, transcribe } from "./terminal-screen.js";

/** The folder whose files the site serves at its root. */
const PUBLIC = "public/";

/** Displays a paragraph that consists of a link to a recorded session as a player, with a transcript for other readers. */
export function recordings(md: MarkdownRenderer): void {
  md.core.ruler.push("recordings", ({ tokens, env, Token }) => {
    const { realPath } = env as { realPath?: string };
    if (realPath === undefined) return;
    for (const [index, { type, children }] of tokens.entries()) {
      const [link, label, close, ...others] = children ?? [];
      const href = link?.attrGet("href");
      if (type !== "inline" || !href?.endsWith(".cast") || close?.type !== "link_close" || others.length > 0)
        continue;
      const player = new Token("html_block", "", 0);
      player.content = playerElement(
        join(dirname(realPath), href),
        href.replace(PUBLIC, "/"),
        label?.content ?? "",
        md.utils.escapeHtml,
      );
      // The tokens that open and close the paragraph are replaced, too.
      tokens.splice(index - 1, 3, player);
    }
  });
}

/** Returns the element of `theme/Recording.vue`. */
function playerElement(
  path: string,
  src: string,
  label: string,
  escapeHtml: (text: string) => string,
): string {
  const recording = parseRecording(readFileSync(path, "utf8"));
  const seconds = recording.outputs.at(-1)?.[0] ?? 0;
  const attributes = `src="${escapeHtml(src)}" label="${escapeHtml(label)}" :seconds="${seconds}"`;
  return `<Recording ${attributes}><pre v-pre>${escapeHtml(transcribe(recording))}</pre></Recording>\n`;
}
