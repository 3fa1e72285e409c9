import type { MentionKind } from "../diagnostics/skill-messages.js";
import type { InlineCode, LinkTarget } from "./markdown.js";

/** A mention of a tool, prompt, or resource. */
export interface Mention {
  kind: MentionKind;
  name: string;
  /** The offsets of the name in the file. */
  start: number;
  end: number;
  /** Whether the text names the kind, as in `resource:notes://5`. */
  isExplicit?: boolean;
}

/** The mentions in Markdown, and the other inline code. */
export interface FoundMentions {
  mentions: Mention[];
  /** Inline code that could be a name. */
  others: InlineCode[];
}

/** Matches names of tools and prompts, which may be qualified with a server, such as `Weather:forecast`. */
const NAME = /^[A-Za-z_](?:[\w./-]*\w)?(?::[A-Za-z_](?:[\w./-]*\w)?)?$/;
const EXPLICIT = /^(tool|prompt|resource):(?!\/\/)(.+)$/;
const URI = /^[a-z][a-z\d+.-]*:\/\/\S+$/i;

const NOUN_AFTER = /^\s+(?:MCP\s+)?(tool|prompt)(s?)\b(?!-|\.\w)/i;
const NOUN_BEFORE = /(?:^|[\s(])(tool|prompt)(s?)(?:\s+(?:called|named))?:?\s+$/i;
const CALL_BEFORE = /(?:^|[\s(])call(?:s|ing)?\s+(?:the\s+)?$/i;
/** Text between two names of a list. */
const BETWEEN = /^\s*(?:,|\/|→|->|,?\s*(?:and|or|then|and\s+then|or\s+else|followed\s+by))\s*$/i;
/** Prompts of every model and shell, not of a server. */
const COMMON_PROMPTS = new Set(["system", "user", "assistant", "developer", "shell", "bash"]);

/** Inline code, with the kind that the words around it indicate. */
interface ClassifiedCode {
  code: InlineCode;
  kind?: "tool" | "prompt" | undefined;
  /** Whether the words around it are about several names. */
  isPlural?: boolean;
}

/**
 * Finds the mentions of tools, prompts, and resources. These are, in inline code:
 *
 * - a name next to the word "tool" or "prompt", or after "call", and the further names of such a list
 * - `tool:name`, `prompt:name`, `resource:URI`, also as the target of a link
 * - a URI
 */
export function findMentions(found: readonly (InlineCode | LinkTarget)[]): FoundMentions {
  const explicit = found.flatMap((each) => toExplicit(each) ?? []);
  const classified = found
    .filter(
      (each): each is InlineCode => each.kind === "code" && NAME.test(each.text) && !EXPLICIT.test(each.text),
    )
    .map(classify);
  const followers = spreadToNeighbors(classified);
  const named = followers.filter(
    ({ code, kind }) => kind && !(kind === "prompt" && COMMON_PROMPTS.has(code.text)),
  );
  return {
    mentions: [
      ...explicit,
      ...named.map(({ code: { text, start, end }, kind = "tool" }) => ({ kind, name: text, start, end })),
    ],
    others: followers.flatMap(({ code, kind }) => (kind ? [] : [code])),
  };
}

function toExplicit({ text, start, end }: InlineCode | LinkTarget): Mention | undefined {
  const [, kind, name = ""] = EXPLICIT.exec(text) ?? [];
  if (kind) return { kind: kind as MentionKind, name, start: end - name.length, end, isExplicit: true };
  return URI.test(text) ? { kind: "resource", name: text, start, end } : undefined;
}

function classify(code: InlineCode): ClassifiedCode {
  const noun = NOUN_AFTER.exec(code.after) ?? NOUN_BEFORE.exec(code.before);
  if (noun) return { code, kind: noun[1]?.toLowerCase() as "tool" | "prompt", isPlural: noun[2] !== "" };
  return CALL_BEFORE.test(code.before) ? { code, kind: "tool", isPlural: true } : { code };
}

/** Gives the kind of a name to the neighbors in its list. */
function spreadToNeighbors(classified: readonly ClassifiedCode[]): ClassifiedCode[] {
  const result = classified.map((each) => ({ ...each }));
  const spread = (from: ClassifiedCode | undefined, to: ClassifiedCode, between: string): void => {
    if (to.kind || !from?.kind || !from.isPlural || from.code.paragraph !== to.code.paragraph) return;
    if (BETWEEN.test(between)) Object.assign(to, { kind: from.kind, isPlural: true });
  };
  for (const [index, each] of result.entries()) spread(result[index - 1], each, each.code.before);
  for (let index = result.length - 2; index >= 0; index--) {
    const each = result[index];
    if (each) spread(result[index + 1], each, each.code.after);
  }
  return result;
}
