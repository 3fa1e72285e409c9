import type { MarkdownEnv, MarkdownRenderer } from "vitepress";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

const DATE = /(?<![\w-])(\d{4}-\d{2}-\d{2})(?![\w-])/;
/** Maximum length of code that is never broken. Longer code may be broken in the column of a table on a phone. */
const MAX_WHOLE_CHARACTERS = 16;

/**
 * Marks text that a browser may not break at a hyphen, such as the date that names a revision, and code that it may
 * break. `tenon.css` defines their styles.
 */
export function lineBreaks(md: MarkdownRenderer): void {
  md.core.ruler.push("line-breaks", ({ tokens, env, Token }) => {
    // The search index is made from the same text, and is not displayed.
    if ((env as MarkdownEnv).realPath === undefined) return;
    const markup = (content: string): Token => Object.assign(new Token("html_inline", "", 0), { content });
    for (const block of tokens) {
      if (block.type !== "inline" || block.children === null) continue;
      block.children = block.children.flatMap((token) => {
        if (token.type === "code_inline" && token.content.length > MAX_WHOLE_CHARACTERS)
          token.attrJoin("class", "long");
        if (token.type !== "text" || !DATE.test(token.content)) return [token];
        // Every second part is a date, which the pattern captures.
        return token.content.split(DATE).flatMap((content, index) => {
          const text = Object.assign(new Token("text", "", 0), { content });
          return index % 2 === 0 ? [text] : [markup('<span class="whole">'), text, markup("</span>")];
        });
      });
    }
  });
}
