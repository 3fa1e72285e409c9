import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { Description, FieldName, Labeled } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { useFieldError } from "./field-errors.js";

/** The input types of formats for which browsers have a control that produces valid values. */
const INPUT_TYPES: Record<string, "date" | "email" | "url"> = { date: "date", email: "email", uri: "url" };

export function TextField(props: ShapedProps<"text">): VNode {
  const { id, label, schema, isRequired, value, onChange, shape, suggest } = props;
  const [suggested, setSuggested] = useState<string[]>([]);
  const latestRequest = useRef(0);
  const fetchSuggestions = (text: string): void => {
    const number = (latestRequest.current += 1);
    // A slow server may respond to earlier input last.
    const show = (found: string[]): void =>
      number === latestRequest.current ? setSuggested(found) : undefined;
    void suggest?.(label, text).then(show, () => undefined);
  };
  const handleInput = (text: string): void => {
    onChange(text === "" ? undefined : text);
    fetchSuggestions(text);
  };
  const shared = {
    id,
    name: label,
    value: typeof value === "string" ? value : "",
    placeholder: getExample(schema),
    "aria-required": isRequired,
    "aria-invalid": useFieldError(id) !== undefined,
    "aria-describedby": `${id}-about`,
  };
  return (
    <Labeled {...props}>
      {shape.isLong ? (
        <textarea {...shared} rows={4} onInput={({ currentTarget }) => handleInput(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          type={INPUT_TYPES[schema.format ?? ""] ?? "text"}
          autocomplete="off"
          spellcheck={false}
          {...(suggest && { list: `${id}-suggestions`, onFocus: () => fetchSuggestions(shared.value) })}
          onInput={({ currentTarget }) => handleInput(currentTarget.value)}
        />
      )}
      {suggest && (
        <datalist id={`${id}-suggestions`}>
          {suggested.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </Labeled>
  );
}

/** A field for a secret text or number, which is hidden while the developer types it. */
export function SecretField(props: ShapedProps<"text" | "number">): VNode {
  const { id, label, isRequired, value, onChange, shape } = props;
  return (
    <Labeled {...props}>
      <input
        id={id}
        name={label}
        type="password"
        // Browsers ignore "off" for passwords, and offer to store them.
        autocomplete="new-password"
        value={value === undefined ? "" : String(value)}
        aria-required={isRequired}
        aria-invalid={useFieldError(id) !== undefined}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget: { value: typed } }) =>
          onChange(typed === "" ? undefined : shape.type === "number" ? toNumber(typed) : typed)
        }
      />
    </Labeled>
  );
}

/** A field for a number. Other input is sent as typed, so that the developer sees the message for models. */
export function NumberField(props: ShapedProps<"number">): VNode {
  const { id, label, schema, isRequired, value, onChange, shape } = props;
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && Object.is(toNumber(typed), value);
  return (
    <Labeled {...props}>
      <input
        id={id}
        name={label}
        class="number"
        type="text"
        inputMode={shape.isInteger ? "numeric" : "decimal"}
        autocomplete="off"
        value={isTyped ? typed : value === undefined ? "" : String(value)}
        placeholder={getExample(schema)}
        aria-required={isRequired}
        aria-invalid={useFieldError(id) !== undefined}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          onChange(toNumber(currentTarget.value));
        }}
      />
    </Labeled>
  );
}

function toNumber(text: string): unknown {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** A field for true or false. Until the developer changes it, it shows the default, which the server uses. */
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
          checked={(value ?? schema.default) === true}
          aria-describedby={`${id}-about`}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <label for={id}>
          <FieldName label={label} schema={schema} isRequired={isRequired} />
        </label>
        {!isRequired && value !== undefined && (
          <button type="button" class="quiet" onClick={() => onChange(undefined)}>
            Omit {label}
          </button>
        )}
      </div>
      <Description id={id} schema={schema} />
    </div>
  );
}

/** A field with a single possible value. If it is optional, a checkbox includes it. */
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

function getExample({ examples, default: defaultValue }: ShapedProps<"text">["schema"]): string {
  const example = defaultValue ?? examples?.[0];
  if (example === undefined) return "";
  return typeof example === "string" ? example : JSON.stringify(example);
}
