import { ProtocolError } from "@tenon/runtime";
import { expect, test } from "vitest";

test.each([1.5, NaN, Infinity, "-32602"])(
  "a protocol error rejects the code %s, which JSON-RPC does not allow",
  (code) => {
    expect(() => new ProtocolError(code as number, "No.")).toThrow(
      new TypeError(`The code of a ProtocolError must be an integer such as -32602 (got ${code}).`),
    );
  },
);

const loop: { self?: unknown } = {};
loop.self = loop;

test.each([
  ["data with a bigint", [{ count: 1n }]],
  ["data that contains itself", [loop]],
  ["a status that HTTP does not have", [undefined, 999]],
  ["an invalid name of a header", [undefined, 200, { "retry after": "5" }]],
  ["a header with a line break", [undefined, 200, { "retry-after": "5\r\nx: y" }]],
] satisfies [string, unknown[]][])("a protocol error rejects %s, since it could never be sent", (_, rest) => {
  const [data, status, headers] = rest as [unknown, number?, Record<string, string>?];
  expect(() => new ProtocolError(-32000, "No.", data, status, headers)).toThrow(
    /^This ProtocolError cannot be sent: (?:Do not know|Converting circular|the status 999 is|the header "retry)/,
  );
});
