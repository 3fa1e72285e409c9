import { isHeaderName, isHeaderType } from "../../json-schema/header-keyword.js";
import { getTagRange, type Constraint } from "./constraint.js";

/** Applies `@header Region`: clients repeat the argument in the HTTP header `Mcp-Param-Region`. Ignored in results. */
export const header: Constraint = (schema, tag, { derivation, site, type, report }) => {
  if (derivation.direction === "output") return schema;
  if (derivation.subject?.kind !== "tool") {
    report("constraint-misplaced", getTagRange(tag), { tag: tag.name, appliesTo: "arguments of tools" });
    return schema;
  }
  if (!isHeaderName(tag.text)) {
    report("header-name-invalid", getTagRange(tag), { header: tag.text });
    return schema;
  }
  if (!isHeaderType(schema)) {
    report("header-type", getTagRange(tag), {
      where: derivation.describeSite(site),
      type: derivation.formatType(type),
      isNumber: schema.type === "number",
    });
    return schema;
  }
  return { ...schema, "x-mcp-header": tag.text };
};
