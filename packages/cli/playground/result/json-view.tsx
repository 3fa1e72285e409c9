import type { ComponentChild, VNode } from "preact";
import { CopyButton } from "../controls/copy-button.js";

/** Maximum number of characters shown of a string. */
const MAX_CHARACTERS = 50_000;
/** Maximum number of characters shown of a string, such as an image, so that other values stay visible. */
const MAX_STRING_CHARACTERS = 2000;

/** Formatted JSON with syntax highlighting. */
export function JsonView({ value, label = "JSON" }: { value: unknown; label?: string }): VNode {
  const text = JSON.stringify(value, shortenString, 2) ?? "undefined";
  const shown = text.slice(0, MAX_CHARACTERS);
  return (
    <div class="json">
      <CopyButton text={() => JSON.stringify(value, undefined, 2) ?? "undefined"} label="Copy" />
      {/* The text scrolls, so it must be reachable with the keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>
          {highlight(shown)}
          {shown.length < text.length && `… ${text.length - shown.length} more characters`}
        </code>
      </pre>
    </div>
  );
}

function shortenString(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= MAX_STRING_CHARACTERS) return value;
  return `${value.slice(0, MAX_STRING_CHARACTERS)}… ${value.length - MAX_STRING_CHARACTERS} more characters`;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function highlight(text: string): ComponentChild[] {
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
