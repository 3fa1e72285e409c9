import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

const DATE = /(?<![\w-])(\d{4}-\d{2}-\d{2})(?![\w-])/;
/** Code that is longer may be broken in the column of a table that a phone shows. */
const LONG = 16;

/**
 * Marks what a browser may not break at a hyphen, such as the date that names a revision, and the code that it may break.
 * `tenon.css` says what becomes of them.
 */
export function lineBreaks(md: MarkdownRenderer): void {
  md.core.ruler.push("line-breaks", ({ tokens, env, Token }) => {
    // The index of the search is made of the same text, and is not shown.
    if ((env as MarkdownEnv).realPath === undefined) return;
    const markup = (content: string): Token => Object.assign(new Token("html_inline", "", 0), { content });
    for (const block of tokens) {
      if (block.type !== "inline" || block.children === null) continue;
      block.children = block.children.flatMap((token) => {
        if (token.type === "code_inline" && token.content.length > LONG) token.attrJoin("class", "long");
        if (token.type !== "text" || !DATE.test(token.content)) return [token];
        // Every other part is one that the pattern captures.
        return token.content.split(DATE).flatMap((content, index) => {
          const text = Object.assign(new Token("text", "", 0), { content });
          return index % 2 === 0 ? [text] : [markup('<span class="whole">'), text, markup("</span>")];
        });
      });
    }
  });
}
