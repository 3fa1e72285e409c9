import type { VNode } from "preact";
import { ChoiceField } from "./choice-field.js";
import { ChoicesField } from "./choices-field.js";
import type { FieldProps } from "./field-props.js";
import { JsonField } from "./json-field.js";
import { ListField } from "./list-field.js";
import { ObjectField } from "./object-field.js";
import { BooleanField, ConstantField, NumberField, TextField } from "./scalar-fields.js";
import { resolved, shapeOf } from "./schema.js";
import { TupleField } from "./tuple-field.js";
import { UnionField } from "./union-field.js";

/** A field for any schema. */
export function Field(props: FieldProps): VNode {
  const schema = resolved(props.schema, props.root);
  const given = { ...props, schema, Nested: Field };
  const shape = shapeOf(schema, props.root);
  switch (shape.type) {
    case "text":
      return <TextField {...given} shape={shape} />;
    case "number":
      return <NumberField {...given} shape={shape} />;
    case "boolean":
      return <BooleanField {...given} shape={shape} />;
    case "constant":
      return <ConstantField {...given} shape={shape} />;
    case "choice":
      return <ChoiceField {...given} shape={shape} />;
    case "choices":
      return <ChoicesField {...given} shape={shape} />;
    case "object":
      return <ObjectField {...given} shape={shape} />;
    case "list":
      return <ListField {...given} shape={shape} />;
    case "tuple":
      return <TupleField {...given} shape={shape} />;
    case "union":
      return <UnionField {...given} shape={shape} />;
    case "json":
      return <JsonField {...given} />;
  }
}
