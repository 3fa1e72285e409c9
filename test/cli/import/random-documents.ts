import * as fc from "fast-check";
import { randomSchema, rarerSchema } from "../../compile/random-schemas.js";

type Json = Record<string, unknown>;

/** Names and texts that are something else in TypeScript, in comments, in paths or in JavaScript's objects. */
const NAMES = [
  "id",
  "X-Id",
  "filter[a]",
  "class",
  "constructor",
  "__proto__",
  "body",
  "signal",
  "query",
  "path",
  "1st",
  "é ü",
  "a.b",
  "it's",
  "`${x}`",
];
const TEXTS = [
  "Plain.",
  "Ends */ a comment",
  "@param x of nothing\n@minimum 3",
  "```ts\ncode\n```",
  "`${template}` \\ {@link x}",
  "Two\n\nparagraphs. <b>Bold</b> [link](http://x)",
  "",
  "  \u2028 é 🙂 ",
  "x".repeat(500),
];
const SCHEMAS = ["Pet", "pet", "Error", "Promise", "Array", "a b", "Foo-Bar", "2D", "Content"];

const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom(...TEXTS);
const reference = fc
  .constantFrom(...SCHEMAS, "Missing")
  .map((each): Json => ({ $ref: `#/components/schemas/${each}` }));

function some(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  return fc.record(model, { requiredKeys: [] });
}

/** Schemas as in OpenAPI documents: with the keywords of 3.0, references, and common mistakes. */
const schemaObject: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => {
  const inner = tie("schema");
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const members = fc.dictionary(name, inner, { maxKeys: 3 });
  return {
    schema: fc
      .tuple(
        fc.oneof(
          { depthSize: "small", maxDepth: 3 },
          { arbitrary: fc.oneof(randomSchema, rarerSchema) as unknown as fc.Arbitrary<Json>, weight: 3 },
          { arbitrary: reference, weight: 3 },
          {
            arbitrary: fc
              .tuple(
                members,
                fc.array(name, { maxLength: 2 }),
                fc.constantFrom({}, { additionalProperties: false }, { additionalProperties: true }),
              )
              .map(([properties, required, more]): Json => ({
                type: "object",
                properties,
                required,
                ...more,
              })),
            weight: 4,
          },
          { arbitrary: inner.map((items): Json => ({ type: "array", items })), weight: 1 },
          { arbitrary: list.map((allOf): Json => ({ allOf })), weight: 1 },
          {
            arbitrary: list.map((oneOf): Json => ({ oneOf, discriminator: { propertyName: "kind" } })),
            weight: 1,
          },
          { arbitrary: list.map((anyOf): Json => ({ type: "object", anyOf })), weight: 1 },
        ),
        some({
          description: text,
          nullable: fc.boolean(),
          readOnly: fc.boolean(),
          exclusiveMinimum: fc.boolean(),
          deprecated: fc.boolean(),
          example: fc.constant("e"),
          title: text,
        }),
      )
      .map(([schema, more]) => ({ ...schema, ...more })),
  };
}).schema;

const parameter = fc
  .tuple(
    fc.record({ name, in: fc.constantFrom("query", "header", "cookie"), schema: schemaObject }),
    some({
      required: fc.boolean(),
      description: text,
      style: fc.constantFrom("form", "spaceDelimited", "pipeDelimited", "deepObject", "simple"),
      explode: fc.boolean(),
    }),
  )
  .map(([given, more]): Json => ({ ...given, ...more }));

const media = fc.constantFrom(
  "application/json",
  "application/vnd.x+json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "text/plain",
  "image/png",
  "application/octet-stream",
);
const content = fc.dictionary(media, fc.record({ schema: schemaObject }), { maxKeys: 2 });

const operation = fc
  .tuple(
    fc.record({
      parameters: fc.array(parameter, { maxLength: 4 }),
      responses: fc.dictionary(
        fc.constantFrom("200", "201", "204", "404", "default"),
        fc.record({ content }),
        {
          maxKeys: 3,
        },
      ),
    }),
    some({
      operationId: fc.oneof(name, text),
      summary: text,
      description: text,
      requestBody: fc.record({ required: fc.boolean(), content }),
      security: fc.constantFrom(
        [],
        [{ key: [] }],
        [{}, { token: [] }],
        [{ key: [], client: ["a"] }],
        [{ none: [] }],
      ),
    }),
  )
  .map(([given, more]): Json => ({ ...given, ...more }));

const securitySchemes = {
  key: { type: "apiKey", in: "query", name: "k y" },
  token: { type: "http", scheme: "Bearer" },
  client: {
    type: "oauth2",
    flows: { clientCredentials: { tokenUrl: "https://x.example/token", scopes: { a: "" } } },
  },
};

/** Documents of up to 12 operations, of which much is odd and little is wrong. */
export const randomDocument: fc.Arbitrary<Json> = fc
  .record({
    openapi: fc.constantFrom("3.0.3", "3.1.0"),
    title: fc.oneof(text, name),
    url: fc.constantFrom("https://x.example/v1/", "/relative", "https://{a}.example/`${b}`"),
    schemas: fc.tuple(...SCHEMAS.map(() => schemaObject)),
    operations: fc.array(fc.tuple(fc.constantFrom("get", "post", "put", "delete", "patch"), operation), {
      minLength: 1,
      maxLength: 12,
    }),
    paths: fc.shuffledSubarray(["/a", "/{id}", "/x/{it's}/`${y}`", "/p/{class}.{signal}", "/é ü/{1st}"], {
      minLength: 1,
    }),
  })
  .map(({ openapi, title, url, schemas, operations, paths }) => ({
    openapi,
    info: { title },
    servers: [{ url, variables: { a: { default: "b", enum: ["b", "c"] } } }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      operations.map(([method, each], index) => [
        `${paths[index % paths.length] ?? "/"}/${index}`,
        { [method]: each },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(SCHEMAS.map((each, index) => [each, schemas[index]])),
      securitySchemes,
    },
  }));
