import type { VNode } from "preact";

interface TextLineProps {
  /** The ID of the field, unique on the page. */
  id: string;
  label: string;
  value: string;
  onChange(value: string): void;
  placeholder?: string;
  /** The hint below the field. */
  hint?: string | undefined;
}

/** A line of text in a dialog, under its label. */
export function TextLine({ id, label, value, onChange, placeholder, hint }: TextLineProps): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        placeholder={placeholder}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-about`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-about`}>
          {hint}
        </p>
      )}
    </div>
  );
}
