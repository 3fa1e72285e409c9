import type { VNode } from "preact";
import { useState } from "preact/hooks";

const SHOWN_MS = 1500;

/** A button that copies text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }): VNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()}>
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </button>
  );
}
