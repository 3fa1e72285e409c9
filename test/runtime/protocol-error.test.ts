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
