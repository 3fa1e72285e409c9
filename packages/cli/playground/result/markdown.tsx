import DOMPurify from "dompurify";
import { Marked } from "marked";
import type { VNode } from "preact";

/** Allowed tags. None of them load anything, run code, or look like controls of the page. */
const TAGS =
  "p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a table thead tbody tr th td".split(
    " ",
  );

const marked = (): Marked =>
  new Marked({
    gfm: true,
    renderer: {
      // HTML is shown as text.
      html: ({ text }) => escapeHtml(text),
      // An image could be loaded from any address that the server chooses.
      image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    },
  });

/** Untrusted text from a server, rendered as Markdown. */
export function Markdown({ text }: { text: string }): VNode {
  const html = DOMPurify.sanitize(marked().parse(text, { async: false }), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "align"],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  });
  const follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    if (!link) return;
    event.preventDefault();
    window.open(link.href, "_blank", "noopener,noreferrer");
  };
  return <div class="markdown" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Maximum number of characters searched for Markdown. */
const MAX_SEARCHED_CHARACTERS = 10_000;

/** Returns whether text contains Markdown syntax. */
export function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6} \S|^\s*[-*] \S|^\s*\d+\. \S|^```|\*\*\S[^*]*\*\*|\[[^\]]+\]\([^)]+\)|^\|.*\|\s*$/m.test(
    text.slice(0, MAX_SEARCHED_CHARACTERS),
  );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
