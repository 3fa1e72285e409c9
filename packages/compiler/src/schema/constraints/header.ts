import { isHeaderName, isHeaderType } from "../../json-schema/header-keyword.js";
import { rangeOf, type Constraint } from "./constraint.js";

/** `@header Region`: clients repeat the argument in the HTTP header `Mcp-Param-Region`. Results have no such thing. */
export const header: Constraint = (schema, tag, { derivation, site, type, report }) => {
  if (derivation.direction === "output") return schema;
  if (!isHeaderName(tag.text)) {
    report("header-name-invalid", rangeOf(tag), { header: tag.text });
    return schema;
  }
  if (!isHeaderType(schema)) {
    report("header-type", rangeOf(tag), {
      where: derivation.where(site),
      type: derivation.show(type),
      isNumber: schema.type === "number",
    });
    return schema;
  }
  return { ...schema, "x-mcp-header": tag.text };
};
