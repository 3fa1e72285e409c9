import DOMPurify from "dompurify";
import { Marked } from "marked";
import type { VNode } from "preact";

/** Tags that say how text is laid out. Nothing that loads, runs, or looks like the page's own controls. */
const TAGS =
  "p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a table thead tbody tr th td".split(
    " ",
  );

const marked = (): Marked =>
  new Marked({
    gfm: true,
    renderer: {
      // HTML is shown as it was written.
      html: ({ text }) => escaped(text),
      // An image would be loaded from wherever the server likes.
      image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
    },
  });

/** Text of a server as Markdown: whoever wrote it is not trusted. */
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

/** So much of a text says what it is. */
const BEGINNING = 10_000;

/** Whether a text gains by being shown as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6} \S|^\s*[-*] \S|^\s*\d+\. \S|^```|\*\*\S[^*]*\*\*|\[[^\]]+\]\([^)]+\)|^\|.*\|\s*$/m.test(
    text.slice(0, BEGINNING),
  );
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
