import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Labeled } from "./field-parts.js";
import type { FieldProps } from "./field-props.js";

/** A field for any value, as JSON. */
export function JsonField(props: FieldProps): VNode {
  const { id, label, isRequired, value, onChange } = props;
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && isSameJson(parseJson(typed).value, value);
  const text = isTyped ? typed : value === undefined ? "" : JSON.stringify(value, undefined, 2);
  const { problem } = parseJson(text);
  return (
    <Labeled {...props}>
      <textarea
        id={id}
        name={label}
        class="code"
        rows={Math.min(16, Math.max(3, text.split("\n").length))}
        spellcheck={false}
        value={text}
        placeholder="JSON"
        aria-required={isRequired}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-about ${id}-problem`}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(parseJson(currentTarget.value).value);
        }}
      />
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </Labeled>
  );
}

/** Parses JSON. Invalid JSON is returned as text. */
function parseJson(text: string): { value: unknown; problem?: string } {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { value: text, problem: "This is not valid JSON. It is sent as text." };
  }
}

function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
