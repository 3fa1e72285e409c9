import type { ComponentChild, VNode } from "preact";
import { CopyButton } from "../controls/copy-button.js";

/** Longer texts are shown up to here. */
const MOST_CHARACTERS = 50_000;
/** Longer strings, such as pictures, are shown in part, so that what comes after them is seen. */
const MOST_OF_STRING = 2000;

/** JSON for people, in colours. */
export function JsonView({ value, label = "JSON" }: { value: unknown; label?: string }): VNode {
  const text = JSON.stringify(value, shortened, 2) ?? "undefined";
  const shown = text.slice(0, MOST_CHARACTERS);
  return (
    <div class="json">
      <CopyButton text={() => JSON.stringify(value, undefined, 2) ?? "undefined"} label="Copy" />
      {/* It scrolls, so the keyboard has to reach it. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>
          {coloured(shown)}
          {shown.length < text.length && `… ${text.length - shown.length} characters more`}
        </code>
      </pre>
    </div>
  );
}

function shortened(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= MOST_OF_STRING) return value;
  return `${value.slice(0, MOST_OF_STRING)}… ${value.length - MOST_OF_STRING} characters more`;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function coloured(text: string): ComponentChild[] {
  const parts: ComponentChild[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (string === undefined) parts.push(<span class={word ? "json-word" : "json-number"}>{whole}</span>);
    else {
      parts.push(<span class={colon ? "json-key" : "json-string"}>{string}</span>);
      parts.push(colon);
    }
  }
  parts.push(text.slice(end));
  return parts;
}
