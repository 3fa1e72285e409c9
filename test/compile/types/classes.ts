import type { Row } from "./row.js";

export const classes: Row[] = [
  {
    type: "Point",
    declare: "class Point { x = 0; y = 0 }",
    schema: {
      type: "object",
      properties: { x: { type: "number" }, y: { type: "number" } },
      required: ["x", "y"],
      additionalProperties: false,
    },
    accepts: [{ x: 1, y: 2 }],
    rejects: [{ x: 1 }, { x: 1, y: 2, z: 3 }],
  },
  {
    type: "Account",
    declare:
      'class Account { static count = 0; #hash = 1; private pin = 1; protected key = 2; id: string = ""; limit?: number; get label() { return this.id } set label(v) {} greet() { return "hi" } arrow = () => 1; read() { return this.#hash + this.pin + this.key } }',
    schema: {
      type: "object",
      properties: { id: { type: "string" }, limit: { type: "number" } },
      required: ["id"],
      additionalProperties: false,
    },
    warns: ["type-methods-missing"],
    accepts: [{ id: "a", limit: 3 }, { id: "a" }],
    rejects: [{}, { id: "a", pin: 1 }, { id: "a", secret: "x" }],
    carried: true,
  },
  {
    type: "Made",
    declare:
      "class Made { constructor(public id: string, readonly size: number, private hidden: string, plain: number) {} }",
    schema: {
      type: "object",
      properties: { id: { type: "string" }, size: { type: "number" } },
      required: ["id", "size"],
      additionalProperties: false,
    },
    warns: ["type-members-missing"],
    accepts: [{ id: "a", size: 1 }],
    rejects: [{ id: "a" }, { id: "a", size: 1, hidden: "x" }],
    carried: true,
  },
  {
    type: "Child",
    declare: 'class Parent { a: string = "" }\nclass Child extends Parent { b: number = 0; run() {} }',
    schema: {
      type: "object",
      properties: { b: { type: "number" }, a: { type: "string" } },
      required: ["b", "a"],
      additionalProperties: false,
    },
    warns: ["type-methods-missing"],
    accepts: [{ a: "x", b: 1 }],
    rejects: [{ b: 1 }],
    carried: true,
  },
  {
    type: "Box<string>",
    declare: "class Box<T> { constructor(public value: T) {} }",
    schema: {
      type: "object",
      properties: { value: { type: "string" } },
      required: ["value"],
      additionalProperties: false,
    },
    accepts: [{ value: "x" }],
    rejects: [{ value: 1 }],
  },
  {
    type: "Auto",
    declare: 'class Auto { accessor a = ""; b = "" }',
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
      additionalProperties: false,
    },
    accepts: [{ a: "x", b: "x" }],
    rejects: [{ b: "x" }, { a: 1, b: "x" }],
  },
  {
    type: "Abstract",
    declare: "abstract class Abstract { abstract a: number; abstract run(): void }",
    schema: {
      type: "object",
      properties: { a: { type: "number" } },
      required: ["a"],
      additionalProperties: false,
    },
    warns: ["type-methods-missing"],
    accepts: [{ a: 1 }],
    rejects: [{}],
    carried: true,
  },
  {
    type: "InstanceType<typeof Made>",
    declare: 'class Made { id: string = "" }',
    schema: {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      additionalProperties: false,
    },
    accepts: [{ id: "a" }],
    rejects: [{}],
  },
];
