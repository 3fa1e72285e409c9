import type { VNode } from "preact";
import { ChoiceField } from "./choice-field.js";
import { ChoicesField } from "./choices-field.js";
import { FileField } from "./file-field.js";
import type { FieldProps } from "./field-props.js";
import { JsonField } from "./json-field.js";
import { ListField } from "./list-field.js";
import { ObjectField } from "./object-field.js";
import { BooleanField, ConstantField, NumberField, SecretField, TextField } from "./scalar-fields.js";
import { resolveSchema, toShape } from "./schema.js";
import { isSecret } from "./secrets.js";
import { TupleField } from "./tuple-field.js";
import { UnionField } from "./union-field.js";

/** A field for any schema. */
export function Field(props: FieldProps): VNode {
  const schema = resolveSchema(props.schema, props.root);
  const fieldProps = { ...props, schema, Nested: Field };
  const shape = toShape(schema, props.root);
  if (isSecret(schema) && (shape.type === "text" || shape.type === "number"))
    return <SecretField {...fieldProps} shape={shape} />;
  switch (shape.type) {
    case "text":
      return <TextField {...fieldProps} shape={shape} />;
    case "file":
      return <FileField {...fieldProps} shape={shape} />;
    case "number":
      return <NumberField {...fieldProps} shape={shape} />;
    case "boolean":
      return <BooleanField {...fieldProps} shape={shape} />;
    case "constant":
      return <ConstantField {...fieldProps} shape={shape} />;
    case "choice":
      return <ChoiceField {...fieldProps} shape={shape} />;
    case "choices":
      return <ChoicesField {...fieldProps} shape={shape} />;
    case "object":
      return <ObjectField {...fieldProps} shape={shape} />;
    case "list":
      return <ListField {...fieldProps} shape={shape} />;
    case "tuple":
      return <TupleField {...fieldProps} shape={shape} />;
    case "union":
      return <UnionField {...fieldProps} shape={shape} />;
    case "json":
      return <JsonField {...fieldProps} />;
  }
}
