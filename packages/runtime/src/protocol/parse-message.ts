/**
 * From text to messages. JSON.parse rounds numbers, and an id that was rounded is another request's.
 * @module
 */
import { isObject } from "./jsonrpc.js";

/** An `id`, of whatever is inside the text, that is not written as digits alone. Hardly any text has one. */
const UNUSUAL_ID = /"id"\s*:\s*-?\d+[.eE]/;

/** A string, or a number; in JSON nothing else begins with a quote, a digit or a minus. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * Parses the text of a message, or of a batch.
 *
 * @returns the JSON value; an id that is no whole number as it was written is `NaN`, which is refused as no id
 * @throws SyntaxError when the text is not JSON
 * @example
 * parseMessage('{"jsonrpc":"2.0","id":1.00000000000000001,"method":"ping"}') // { jsonrpc: "2.0", id: NaN, … }
 */
export function parseMessage(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!UNUSUAL_ID.test(text)) return value;
  const numbersAsWritten = text.replaceAll(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  const messages: unknown[] = [value].flat();
  const written: unknown[] = [JSON.parse(numbersAsWritten)].flat();
  for (const [index, message] of messages.entries()) {
    if (!isObject(message) || typeof message.id !== "number") continue;
    if (!isWhole((written[index] as { id: string }).id)) message.id = NaN;
  }
  return value;
}

/** @param number a number as JSON writes it */
function isWhole(number: string): boolean {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [digits = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const significant = (digits + fraction).replace(/0+$/, "");
  return significant === "" || significant.length - digits.length <= Number(exponent);
}
