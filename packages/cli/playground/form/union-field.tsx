import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Description, FieldName } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { ObjectFields } from "./object-field.js";
import { getInitialValue, resolveSchema, toShape, getVariantLabel, findVariant } from "./schema.js";

/** A field for one of several types of values: a choice of the type, then the value. */
export function UnionField(props: ShapedProps<"union">): VNode {
  const { id, root, label, schema, isRequired, value, onChange, shape } = props;
  const [picked, setPicked] = useState<number>();
  const guessed = value === undefined ? -1 : findVariant(value, shape.variants, root);
  // The picked variant applies until an optional value is removed elsewhere.
  const chosen = picked !== undefined && (value !== undefined || isRequired) ? picked : guessed;
  const variant = shape.variants[chosen];
  const pick = (index: number): void => {
    setPicked(index < 0 ? undefined : index);
    const next = shape.variants[index];
    onChange(next && getInitialValue(next, root));
  };
  return (
    <fieldset class="group union" aria-describedby={`${id}-about`}>
      <legend>
        <FieldName label={label} schema={schema} isRequired={isRequired} />
      </legend>
      <Description id={id} schema={schema} />
      <select
        id={id}
        name={label}
        aria-label={`Type of ${label}`}
        value={String(chosen)}
        onChange={({ currentTarget }) => pick(Number(currentTarget.value))}
      >
        {(!isRequired || chosen < 0) && <option value="-1">{isRequired ? "Choose…" : "Not set"}</option>}
        {shape.variants.map((each, index) => (
          <option key={index} value={String(index)}>
            {getVariantLabel(each)}
          </option>
        ))}
      </select>
      {variant && <Variant {...props} schema={variant} key={chosen} />}
    </fieldset>
  );
}

/** The value, without another group around the fields of an object. */
function Variant(props: ShapedProps<"union">): VNode | null {
  const schema = resolveSchema(props.schema, props.root);
  const shape = toShape(schema, props.root);
  const { id, label, Nested } = props;
  if (shape.type === "constant") return null;
  if (shape.type === "object") return <ObjectFields {...props} schema={schema} shape={shape} />;
  return <Nested {...props} schema={schema} id={`${id}-value`} label={`${label} value`} isRequired />;
}
