import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { FieldErrors } from "./parse-field-errors.js";

/** The messages about the last call, until the form is changed. */
export const FieldErrorsContext = createContext<FieldErrors>(new Map());

/** Returns the message about a field, if any. */
export function useFieldError(id: string): string | undefined {
  return useContext(FieldErrorsContext).get(id);
}
