/**
 * The formats that a server checks, as a keyword.
 * @module
 */
import { formats as predicates } from "../validation/formats.js";
import { rule } from "./problems.js";
import type { Rule } from "./vocabulary.js";

/** Any format without a check is an annotation. */
const checks: Readonly<Record<string, (text: string) => boolean>> = predicates;

const rules: readonly Rule[] = [
  rule(
    "format",
    "string",
    (format: string, text: string) =>
      Object.hasOwn(checks, format) &&
      checks[format]?.(text) === false &&
      (() => `be ${NAMES[format] ?? `a valid ${format}`}`),
  ),
];

/** Of formats whose own name says too little. */
const NAMES: Readonly<Record<string, string>> = { byte: "base64", base64: "base64" };

const examples: Record<string, string> = {
  byte: "SGVsbG8=",
  base64: "SGVsbG8=",
  "date-time": "2026-07-28T09:30:00Z",
  date: "2026-07-28",
  time: "09:30:00Z",
  duration: "PT1H30M",
  email: "ada@example.com",
  uri: "https://example.com/",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
};

/** Schemas that name a format, such as `date`. */
export const formats = { rules, examples };
