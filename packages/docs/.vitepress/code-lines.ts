import type { MarkdownOptions } from "vitepress";

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

/**
 * Marks lines of output by their kind. Sentences of messages wrap in a narrow window. The code in their frames does not,
 * since the carets below it point at columns, and neither do help texts, which consist of columns. The button that
 * copies a transcript copies the commands without their output.
 */
export const codeLines: Transformer = {
  name: "code-lines",
  line(node) {
    const text = getText(node);
    const isColumns = text.includes(" │") || this.source.startsWith("Usage: ");
    if (this.options.lang === "text" && isColumns) this.addClassToHast(node, "frame");
    if (this.options.lang !== "console") return;
    const prompt = node.children[0];
    if (!text.startsWith("$ ")) this.addClassToHast(node, "vp-copy-ignore");
    else if (prompt?.type === "element" && getText(prompt).trim() === "$")
      this.addClassToHast(prompt, "vp-copy-ignore");
  },
};

interface TextNode {
  readonly value?: unknown;
  readonly children?: readonly TextNode[];
}

function getText({ value, children = [] }: TextNode): string {
  return typeof value === "string" ? value : children.map(getText).join("");
}
