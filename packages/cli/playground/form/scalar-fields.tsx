import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Description, FieldName, Labelled } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { useRefusal } from "./refusals.js";

/** Formats for which browsers have a control that gives exactly such a text. */
const INPUT_TYPES: Record<string, "date" | "email" | "url"> = { date: "date", email: "email", uri: "url" };

export function TextField(props: ShapedProps<"text">): VNode {
  const { id, label, schema, isRequired, value, onChange, shape, suggest } = props;
  const [suggested, setSuggested] = useState<string[]>([]);
  const asked = useRef(0);
  const look = (text: string): void => {
    const number = (asked.current += 1);
    // A slow server may answer what was typed before after what is typed now.
    const take = (found: string[]): void => (number === asked.current ? setSuggested(found) : undefined);
    void suggest?.(label, text).then(take, () => undefined);
  };
  const typed = (text: string): void => {
    onChange(text === "" ? undefined : text);
    look(text);
  };
  const shared = {
    id,
    name: label,
    value: typeof value === "string" ? value : "",
    placeholder: exampleOf(schema),
    "aria-required": isRequired,
    "aria-invalid": useRefusal(id) !== undefined,
    "aria-describedby": `${id}-about`,
  };
  return (
    <Labelled {...props}>
      {shape.isLong ? (
        <textarea {...shared} rows={4} onInput={({ currentTarget }) => typed(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          type={INPUT_TYPES[schema.format ?? ""] ?? "text"}
          autocomplete="off"
          spellcheck={false}
          {...(suggest && { list: `${id}-suggestions`, onFocus: () => look(shared.value) })}
          onInput={({ currentTarget }) => typed(currentTarget.value)}
        />
      )}
      {suggest && (
        <datalist id={`${id}-suggestions`}>
          {suggested.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </Labelled>
  );
}

/** What is typed and is no number is sent as it was typed: what the server says of it is what a model would read. */
export function NumberField(props: ShapedProps<"number">): VNode {
  const { id, label, schema, isRequired, value, onChange, shape } = props;
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && Object.is(numberOf(typed), value);
  return (
    <Labelled {...props}>
      <input
        id={id}
        name={label}
        class="number"
        type="text"
        inputMode={shape.isInteger ? "numeric" : "decimal"}
        autocomplete="off"
        value={isTyped ? typed : value === undefined ? "" : String(value)}
        placeholder={exampleOf(schema)}
        aria-required={isRequired}
        aria-invalid={useRefusal(id) !== undefined}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(numberOf(currentTarget.value));
        }}
      />
    </Labelled>
  );
}

function numberOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

export function BooleanField({
  id,
  label,
  schema,
  isRequired,
  value,
  onChange,
}: ShapedProps<"boolean">): VNode {
  return (
    <div class="field">
      <div class="check">
        <input
          id={id}
          name={label}
          type="checkbox"
          checked={value === true}
          aria-describedby={`${id}-about`}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <label for={id}>
          <FieldName label={label} schema={schema} isRequired={isRequired} />
        </label>
        {!isRequired && value !== undefined && (
          <button type="button" class="quiet" onClick={() => onChange(undefined)}>
            Leave {label} out
          </button>
        )}
      </div>
      <Description id={id} schema={schema} />
    </div>
  );
}

/** There is but one value: it is said, and sent where it has to be or is wished for. */
export function ConstantField({
  id,
  label,
  schema,
  isRequired,
  value,
  onChange,
  shape,
}: ShapedProps<"constant">): VNode {
  const text = JSON.stringify(shape.value);
  return (
    <div class="field">
      <div class="check">
        {!isRequired && (
          <input
            id={id}
            type="checkbox"
            checked={value !== undefined}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? shape.value : undefined)}
          />
        )}
        <label for={id}>
          <FieldName label={label} schema={schema} isRequired={isRequired} />
        </label>
        <code>{text}</code>
      </div>
      <Description id={id} schema={schema} />
    </div>
  );
}

function exampleOf({ examples, default: given }: ShapedProps<"text">["schema"]): string {
  const example = given ?? examples?.[0];
  if (example === undefined) return "";
  return typeof example === "string" ? example : JSON.stringify(example);
}
