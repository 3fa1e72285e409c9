import type { JsonSchema } from "@tenon/runtime/manifest";
import type { Row } from "./row.js";

/** Types of a `Part`, at the root and nested inside another. */
const PARTS: JsonSchema[] = [
  {
    type: "object",
    properties: {
      next: { $ref: "#/$defs/Part" },
      k: { type: "string", enum: ["a"] },
      id: { type: "number" },
    },
    required: ["k", "id"],
    additionalProperties: false,
  },
  {
    type: "object",
    properties: { k: { type: "string", enum: ["b"] }, id: { type: "number" } },
    required: ["k", "id"],
    additionalProperties: false,
  },
];

const JSON_VALUE: JsonSchema = {
  anyOf: [
    { type: ["string", "number", "boolean", "null"] },
    { type: "array", items: { $ref: "#/$defs/Json" } },
    { type: "object", properties: {}, additionalProperties: { $ref: "#/$defs/Json" } },
  ],
};

const NODE: JsonSchema = {
  anyOf: [
    {
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a"] },
        at: { type: "string", format: "date-time" },
        next: {
          anyOf: [
            { $ref: "#/$defs/Node" },
            {
              type: "object",
              properties: {
                kind: { type: "string", enum: ["r"] },
                tags: { type: "array", items: { type: "string" }, uniqueItems: true },
              },
              required: ["kind", "tags"],
              additionalProperties: false,
            },
            { type: "null" },
          ],
        },
      },
      required: ["kind", "at", "next"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: { kind: { type: "string", enum: ["b"] }, inner: { $ref: "#/$defs/Node" } },
      required: ["kind"],
      additionalProperties: false,
    },
  ],
};

const EITHER_KIND: JsonSchema = {
  type: "object",
  properties: {
    kind: { type: "string", enum: ["a"] },
    at: { type: "string", format: "date-time" },
    others: {
      type: "array",
      items: {
        anyOf: [
          { $ref: "#/$defs/A" },
          {
            type: "object",
            properties: {
              kind: { type: "string", enum: ["b"] },
              at: { type: "string" },
              tags: { type: "array", items: { type: "string" }, uniqueItems: true },
            },
            required: ["kind", "at", "tags"],
            additionalProperties: false,
          },
        ],
      },
    },
  },
  required: ["kind", "at", "others"],
  additionalProperties: false,
};

const BRANCH: JsonSchema = {
  type: "object",
  properties: {
    default: { $ref: "#/$defs/Branch" },
    enum: { $ref: "#/$defs/Branch" },
    examples: { type: "array", items: { $ref: "#/$defs/Branch" } },
  },
  additionalProperties: false,
};

export const recursion: Row[] = [
  {
    type: "Tree",
    declare: "interface Tree { value: string; children: Tree[] }",
    schema: {
      type: "object",
      properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
      required: ["value", "children"],
      additionalProperties: false,
      $defs: {
        Tree: {
          type: "object",
          properties: {
            value: { type: "string" },
            children: { type: "array", items: { $ref: "#/$defs/Tree" } },
          },
          required: ["value", "children"],
          additionalProperties: false,
        },
      },
    },
    accepts: [
      { value: "a", children: [] },
      { value: "a", children: [{ value: "b", children: [] }] },
    ],
    rejects: [{ value: "a" }, { value: "a", children: [{}] }],
  },
  {
    type: "{ tree: Tree; other?: Tree }",
    declare: "interface Tree { left?: Tree }",
    schema: {
      type: "object",
      properties: { tree: { $ref: "#/$defs/Tree" }, other: { $ref: "#/$defs/Tree" } },
      required: ["tree"],
      additionalProperties: false,
      $defs: {
        Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" } }, additionalProperties: false },
      },
    },
    accepts: [{ tree: { left: { left: {} } } }],
    rejects: [{ tree: { left: 1 } }],
  },
  {
    type: "List<number>",
    declare: "type List<T> = { head: T; tail?: List<T> };",
    schema: {
      type: "object",
      properties: { head: { type: "number" }, tail: { $ref: "#/$defs/List" } },
      required: ["head"],
      additionalProperties: false,
      $defs: {
        List: {
          type: "object",
          properties: { head: { type: "number" }, tail: { $ref: "#/$defs/List" } },
          required: ["head"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ head: 1 }, { head: 1, tail: { head: 2 } }],
    rejects: [{ head: 1, tail: { head: "a" } }],
  },
  {
    type: "{ a: List<string>; b: List<number> }",
    declare: "type List<T> = { head: T; tail?: List<T> };",
    schema: {
      type: "object",
      properties: { a: { $ref: "#/$defs/List" }, b: { $ref: "#/$defs/List2" } },
      required: ["a", "b"],
      additionalProperties: false,
      $defs: {
        List: {
          type: "object",
          properties: { head: { type: "string" }, tail: { $ref: "#/$defs/List" } },
          required: ["head"],
          additionalProperties: false,
        },
        List2: {
          type: "object",
          properties: { head: { type: "number" }, tail: { $ref: "#/$defs/List2" } },
          required: ["head"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ a: { head: "x" }, b: { head: 1 } }],
    rejects: [{ a: { head: 1 }, b: { head: 1 } }],
  },
  {
    type: "Person",
    declare: "interface Person { name: string; pet?: Pet }\ninterface Pet { owner: Person }",
    schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        pet: {
          type: "object",
          properties: { owner: { $ref: "#/$defs/Person" } },
          required: ["owner"],
          additionalProperties: false,
        },
      },
      required: ["name"],
      additionalProperties: false,
      $defs: {
        Person: {
          type: "object",
          properties: {
            name: { type: "string" },
            pet: {
              type: "object",
              properties: { owner: { $ref: "#/$defs/Person" } },
              required: ["owner"],
              additionalProperties: false,
            },
          },
          required: ["name"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ name: "a", pet: { owner: { name: "b" } } }],
    rejects: [{ name: "a", pet: { owner: {} } }],
  },
  {
    type: "Json",
    declare: "type Json = string | number | boolean | null | Json[] | { [key: string]: Json };",
    schema: {
      anyOf: [
        { type: ["string", "number", "boolean", "null"] },
        { type: "array", items: { $ref: "#/$defs/Json" } },
        { type: "object", properties: {}, additionalProperties: { $ref: "#/$defs/Json" } },
      ],
      $defs: {
        Json: {
          anyOf: [
            { type: ["string", "number", "boolean", "null"] },
            { type: "array", items: { $ref: "#/$defs/Json" } },
            { type: "object", properties: {}, additionalProperties: { $ref: "#/$defs/Json" } },
          ],
        },
      },
    },
    accepts: [null, 1, "a", [1, [null]], { a: { b: [true] } }],
    rejects: [],
  },
  {
    type: "{ data?: Json }",
    declare: "type Json = string | number | boolean | null | Json[] | { [key: string]: Json };",
    schema: {
      type: "object",
      properties: {
        data: { $ref: "#/$defs/Json" },
      },
      additionalProperties: false,
      $defs: {
        Json: {
          anyOf: [
            { type: ["string", "number", "boolean", "null"] },
            { type: "array", items: { $ref: "#/$defs/Json" } },
            { type: "object", properties: {}, additionalProperties: { $ref: "#/$defs/Json" } },
          ],
        },
      },
    },
    accepts: [{}, { data: [1] }, { data: null }],
    rejects: [{ other: 1 }],
  },
  {
    type: "{ root?: Tree; other: Tree | null; all: (boolean | Tree)[] }",
    declare: "type Tree = { next?: Tree; n: number } | { next: Tree | null; leaf?: true };",
    schema: {
      type: "object",
      properties: {
        root: { $ref: "#/$defs/Tree" },
        other: { anyOf: [{ $ref: "#/$defs/Tree" }, { type: "null" }] },
        all: { type: "array", items: { anyOf: [{ type: "boolean" }, { $ref: "#/$defs/Tree" }] } },
      },
      required: ["other", "all"],
      additionalProperties: false,
      $defs: {
        Tree: {
          anyOf: [
            {
              type: "object",
              properties: { next: { $ref: "#/$defs/Tree" }, n: { type: "number" } },
              required: ["n"],
              additionalProperties: false,
            },
            {
              type: "object",
              properties: {
                next: { anyOf: [{ $ref: "#/$defs/Tree" }, { type: "null" }] },
                leaf: { type: "boolean", enum: [true] },
              },
              required: ["next"],
              additionalProperties: false,
            },
          ],
        },
      },
    },
    accepts: [
      { other: null, all: [] },
      { root: { n: 1 }, other: { next: null }, all: [true, { next: { n: 1, next: { next: null } } }] },
    ],
    rejects: [{ all: [] }, { other: null, all: [null] }, { other: { next: { n: "1" } }, all: [] }],
  },
  {
    type: "Part",
    declare: 'type Part = ({ next?: Part; k: "a" } | { k: "b" }) & { id: number };',
    schema: {
      anyOf: PARTS,
      $defs: { Part: { anyOf: PARTS } },
    },
    accepts: [
      { k: "b", id: 1 },
      { k: "a", id: 1, next: { k: "b", id: 2 } },
    ],
    rejects: [
      { k: "b", id: 1, next: { k: "b", id: 2 } },
      { k: "a", id: 1, next: { k: "b" } },
    ],
  },
  {
    type: "First",
    declare: "type Either = { next?: Exclude<Either, { n: number }> } | { n: number }; type First = Either;",
    schema: {
      anyOf: [
        { $ref: "#/$defs/Either" },
        {
          type: "object",
          properties: { n: { type: "number" } },
          required: ["n"],
          additionalProperties: false,
        },
      ],
      $defs: {
        Either: {
          type: "object",
          properties: { next: { $ref: "#/$defs/Either" } },
          additionalProperties: false,
        },
      },
    },
    accepts: [{}, { next: { next: {} } }, { n: 1 }],
    rejects: [{ next: { n: 1 } }, { n: "1" }],
  },
  {
    type: "Nested",
    declare: "type Nested = Nested[];",
    schema: {
      type: "array",
      items: { $ref: "#/$defs/Nested" },
      $defs: { Nested: { type: "array", items: { $ref: "#/$defs/Nested" } } },
    },
    accepts: [[], [[], [[]]]],
    rejects: [1, [1]],
  },
  {
    type: "Expr",
    declare: 'type Expr = number | { op: "+" | "*"; left: Expr; right: Expr };',
    schema: {
      anyOf: [
        { type: "number" },
        {
          type: "object",
          properties: {
            op: { type: "string", enum: ["+", "*"] },
            left: { $ref: "#/$defs/Expr" },
            right: { $ref: "#/$defs/Expr" },
          },
          required: ["op", "left", "right"],
          additionalProperties: false,
        },
      ],
      $defs: {
        Expr: {
          anyOf: [
            { type: "number" },
            {
              type: "object",
              properties: {
                op: { type: "string", enum: ["+", "*"] },
                left: { $ref: "#/$defs/Expr" },
                right: { $ref: "#/$defs/Expr" },
              },
              required: ["op", "left", "right"],
              additionalProperties: false,
            },
          ],
        },
      },
    },
    accepts: [1, { op: "+", left: 1, right: { op: "*", left: 2, right: 3 } }],
    rejects: [{ op: "+", left: 1 }, "a"],
  },
  {
    type: "Deep<Tree>",
    declare:
      "interface Tree { value: string; children: Tree[] }\ntype Deep<T> = { [K in keyof T]?: T[K] extends (infer U)[] ? Deep<U>[] : T[K] };",
    schema: {
      type: "object",
      properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Deep" } } },
      additionalProperties: false,
      $defs: {
        Deep: {
          type: "object",
          properties: {
            value: { type: "string" },
            children: { type: "array", items: { $ref: "#/$defs/Deep" } },
          },
          additionalProperties: false,
        },
      },
    },
    accepts: [{}, { children: [{}] }],
    rejects: [{ children: [1] }],
  },
  {
    type: "{ x: One.Node; y: Two.Node }",
    declare:
      "namespace One { export interface Node { next?: Node } }\nnamespace Two { export interface Node { up?: Node } }",
    schema: {
      type: "object",
      properties: { x: { $ref: "#/$defs/Node" }, y: { $ref: "#/$defs/Node2" } },
      required: ["x", "y"],
      additionalProperties: false,
      $defs: {
        Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } }, additionalProperties: false },
        Node2: { type: "object", properties: { up: { $ref: "#/$defs/Node2" } }, additionalProperties: false },
      },
    },
    accepts: [{ x: { next: {} }, y: { up: {} } }],
    rejects: [{ x: { up: {} }, y: {} }],
  },
  {
    type: "Chain",
    declare: "type Chain = { next: Chain | null };",
    schema: {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#/$defs/Chain" }, { type: "null" }] } },
      required: ["next"],
      additionalProperties: false,
      $defs: {
        Chain: {
          type: "object",
          properties: { next: { anyOf: [{ $ref: "#/$defs/Chain" }, { type: "null" }] } },
          required: ["next"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ next: null }, { next: { next: null } }],
    rejects: [{}, { next: 1 }],
  },
  {
    type: "Menu",
    declare: "interface Menu { label: string; items: [string, Menu][] }",
    schema: {
      type: "object",
      properties: {
        label: { type: "string" },
        items: {
          type: "array",
          items: {
            type: "array",
            prefixItems: [{ type: "string" }, { $ref: "#/$defs/Menu" }],
            items: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Menu" }] },
            minItems: 2,
            maxItems: 2,
          },
        },
      },
      required: ["label", "items"],
      additionalProperties: false,
      $defs: {
        Menu: {
          type: "object",
          properties: {
            label: { type: "string" },
            items: {
              type: "array",
              items: {
                type: "array",
                prefixItems: [{ type: "string" }, { $ref: "#/$defs/Menu" }],
                items: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Menu" }] },
                minItems: 2,
                maxItems: 2,
              },
            },
          },
          required: ["label", "items"],
          additionalProperties: false,
        },
      },
    },
    exact: {
      type: "object",
      properties: {
        label: { type: "string" },
        items: {
          type: "array",
          items: {
            type: "array",
            prefixItems: [{ type: "string" }, { $ref: "#/$defs/Menu" }],
            items: false,
            minItems: 2,
            maxItems: 2,
          },
        },
      },
      required: ["label", "items"],
      additionalProperties: false,
      $defs: {
        Menu: {
          type: "object",
          properties: {
            label: { type: "string" },
            items: {
              type: "array",
              items: {
                type: "array",
                prefixItems: [{ type: "string" }, { $ref: "#/$defs/Menu" }],
                items: false,
                minItems: 2,
                maxItems: 2,
              },
            },
          },
          required: ["label", "items"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ label: "a", items: [["b", { label: "c", items: [] }]] }],
    rejects: [{ label: "a", items: [["b", "c"]] }],
  },
  {
    type: "Env",
    declare: "interface Env { [key: string]: Env }",
    schema: {
      type: "object",
      properties: {},
      additionalProperties: { $ref: "#/$defs/Env" },
      $defs: { Env: { type: "object", properties: {}, additionalProperties: { $ref: "#/$defs/Env" } } },
    },
    accepts: [{ a: { b: {} } }, {}],
    rejects: [{ a: 1 }],
  },
  {
    // Names of members are not keywords.
    type: "Branch",
    declare: "interface Branch { default?: Branch; enum?: Branch; examples?: Branch[] }",
    schema: { ...BRANCH, $defs: { Branch: BRANCH } },
    accepts: [{}, { default: { enum: {} }, examples: [{}] }],
    rejects: [{ default: 1 }, { examples: [{ enum: [] }] }],
  },
  {
    type: "{ default: Leafless }",
    declare: "interface Leafless { parts: Leafless[] }",
    schema: {
      type: "object",
      properties: { default: { $ref: "#/$defs/Leafless" } },
      required: ["default"],
      additionalProperties: false,
      $defs: {
        Leafless: {
          type: "object",
          properties: { parts: { type: "array", items: { $ref: "#/$defs/Leafless" } } },
          required: ["parts"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ default: { parts: [{ parts: [] }] } }],
    rejects: [{ default: {} }, { default: { parts: [1] } }],
  },
  {
    // Text in `Json` must not become a date.
    type: "{ a: Json; b: Json | Date; c: Date | Json }",
    declare: "type Json = string | number | boolean | null | Json[] | { [key: string]: Json };",
    schema: {
      type: "object",
      properties: {
        a: { $ref: "#/$defs/Json" },
        b: { anyOf: [{ $ref: "#/$defs/Json" }, { type: "string", format: "date-time" }] },
        c: { anyOf: [{ type: "string", format: "date-time" }, { $ref: "#/$defs/Json" }] },
      },
      required: ["a", "b", "c"],
      additionalProperties: false,
      $defs: { Json: JSON_VALUE },
    },
    conversion: {
      kind: "object",
      properties: {
        b: {
          kind: "union",
          branches: [
            { when: { $ref: "#/$defs/Json", $defs: { Json: JSON_VALUE } }, convert: null },
            { when: { type: "string", format: "date-time" }, convert: { kind: "date" } },
          ],
        },
        c: {
          kind: "union",
          branches: [{ when: { type: "string", format: "date-time" }, convert: { kind: "date" } }],
        },
      },
    },
    accepts: [
      { a: "x", b: "soon", c: "soon" },
      { a: [], b: { at: null }, c: "2026-07-28T00:00:00Z" },
    ],
    rejects: [{ a: 1, b: 1 }],
    carried: true,
  },
  {
    // `A` is a reference where it is an alternative, and its conversion must not be tried on a `B`.
    type: "A",
    declare:
      'interface A { kind: "a"; at: Date; others: (A | B)[] }\ninterface B { kind: "b"; at: string; tags: Set<string> }',
    schema: { ...EITHER_KIND, $defs: { A: EITHER_KIND } },
    conversion: { kind: "ref", name: "A" },
    conversions: {
      A: {
        kind: "object",
        properties: {
          at: { kind: "date" },
          others: {
            kind: "array",
            items: {
              kind: "union",
              branches: [
                {
                  when: { type: "object", properties: { kind: { enum: ["a"] } }, required: ["kind"] },
                  convert: { kind: "ref", name: "A" },
                },
                {
                  when: { type: "object", properties: { kind: { enum: ["b"] } }, required: ["kind"] },
                  convert: { kind: "object", properties: { tags: { kind: "set" } } },
                },
              ],
            },
          },
        },
      },
    },
    accepts: [
      { kind: "a", at: "2026-07-28T00:00:00Z", others: [{ kind: "b", at: "soon", tags: ["x"] }] },
      { kind: "a", at: "2026-07-28T00:00:00Z", others: [] },
    ],
    rejects: [{ kind: "a", at: "soon", others: [] }],
    carried: true,
  },
  {
    // A member that all alternatives of `Node` have distinguishes the whole union, without its definitions.
    type: "Node",
    declare:
      'type Node = { kind: "a"; at: Date; next: Node | Root | null } | { kind: "b"; inner?: Node }\ninterface Root { kind: "r"; tags: Set<string> }',
    schema: { ...NODE, $defs: { Node: NODE } },
    conversion: { kind: "ref", name: "Node" },
    conversions: {
      Node: {
        kind: "union",
        branches: [
          {
            when: { type: "object", properties: { kind: { enum: ["a"] } }, required: ["kind"] },
            convert: {
              kind: "object",
              properties: {
                at: { kind: "date" },
                next: {
                  kind: "union",
                  branches: [
                    {
                      when: {
                        type: "object",
                        properties: { kind: { enum: ["a", "b"] } },
                        required: ["kind"],
                      },
                      convert: { kind: "ref", name: "Node" },
                    },
                    {
                      when: { type: "object", properties: { kind: { enum: ["r"] } }, required: ["kind"] },
                      convert: { kind: "object", properties: { tags: { kind: "set" } } },
                    },
                  ],
                },
              },
            },
          },
          {
            when: { type: "object", properties: { kind: { enum: ["b"] } }, required: ["kind"] },
            convert: { kind: "object", properties: { inner: { kind: "ref", name: "Node" } } },
          },
        ],
      },
    },
    accepts: [
      { kind: "a", at: "2026-07-28T00:00:00Z", next: { kind: "r", tags: ["x"] } },
      { kind: "a", at: "2026-07-28T00:00:00Z", next: { kind: "b", inner: { kind: "b" } } },
    ],
    rejects: [
      { kind: "b", inner: { kind: "r", tags: [] } },
      { kind: "a", at: "soon", next: null },
    ],
    carried: true,
  },
  {
    type: "Step | Step[]",
    declare: "interface Step { at: Date; after?: Step }",
    schema: {
      anyOf: [{ $ref: "#/$defs/Step" }, { type: "array", items: { $ref: "#/$defs/Step" } }],
      $defs: {
        Step: {
          type: "object",
          properties: { at: { type: "string", format: "date-time" }, after: { $ref: "#/$defs/Step" } },
          required: ["at"],
          additionalProperties: false,
        },
      },
    },
    conversion: {
      kind: "union",
      branches: [
        { when: { type: "object" }, convert: { kind: "ref", name: "Step" } },
        { when: { type: "array" }, convert: { kind: "array", items: { kind: "ref", name: "Step" } } },
      ],
    },
    conversions: {
      Step: {
        kind: "object",
        properties: { at: { kind: "date" }, after: { kind: "ref", name: "Step" } },
      },
    },
    accepts: [{ at: "2026-07-28T00:00:00Z" }, [{ at: "2026-07-28T00:00:00Z" }]],
    rejects: [{}, [{}]],
    carried: true,
  },
  {
    // As generated from an OpenAPI document: no type has a name, only the property.
    type: 'Schemas["Pet"]',
    declare:
      'interface Schemas { NewPet: { name: string }; Pet: Schemas["NewPet"] & { parent?: Schemas["Pet"]; born: Date } }',
    schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        parent: { $ref: "#/$defs/Pet" },
        born: { type: "string", format: "date-time" },
      },
      required: ["name", "born"],
      additionalProperties: false,
      $defs: {
        Pet: {
          type: "object",
          properties: {
            name: { type: "string" },
            parent: { $ref: "#/$defs/Pet" },
            born: { type: "string", format: "date-time" },
          },
          required: ["name", "born"],
          additionalProperties: false,
        },
      },
    },
    conversion: { kind: "ref", name: "Pet" },
    conversions: {
      Pet: { kind: "object", properties: { parent: { kind: "ref", name: "Pet" }, born: { kind: "date" } } },
    },
    accepts: [
      { name: "a", born: "2026-07-28T00:00:00Z", parent: { name: "b", born: "2026-07-28T00:00:00Z" } },
    ],
    rejects: [{ name: "a", born: "2026-07-28T00:00:00Z", parent: { name: "b" } }],
    carried: true,
  },
  {
    type: "ReturnType<typeof list>",
    declare: "declare function list(): { value: number; next?: ReturnType<typeof list> };",
    schema: {
      type: "object",
      properties: { value: { type: "number" }, next: { $ref: "#/$defs/list" } },
      required: ["value"],
      additionalProperties: false,
      $defs: {
        list: {
          type: "object",
          properties: { value: { type: "number" }, next: { $ref: "#/$defs/list" } },
          required: ["value"],
          additionalProperties: false,
        },
      },
    },
    accepts: [{ value: 1, next: { value: 2 } }],
    rejects: [{ value: 1, next: {} }],
  },
];
