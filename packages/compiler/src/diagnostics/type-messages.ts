import { error, warning } from "./catalog-entry.js";
import { formatCode, lowerFirst } from "./format-text.js";

/** The reasons why a parameter cannot be a cursor, and what to do instead. */
const CURSOR_PROBLEMS = {
  nested: {
    reason: " inside a value, where the server cannot create it",
    edit: "Declare it as a separate parameter of the tool: `cursor: Cursor<number>`.",
  },
  result: {
    reason: ", but only arguments can be cursors",
    edit: "Return a `Page<T>`, whose `nextCursor` is the text of the next cursor.",
  },
  second: {
    reason: ", but the tool already has one",
    edit: "Declare one cursor, whose position contains everything that the next page needs: `Cursor<{ day: string; row: number }>`.",
  },
  "without-pages": {
    reason: ", but only tools return pages",
    edit: "Remove the parameter. The `list` callback of a resource template receives a cursor as its second parameter.",
  },
  "name-taken": {
    reason: ", but the other arguments have a property of the same name",
    edit: "Rename the parameter or the property.",
  },
} as const;

const suggestText = (type: string): string =>
  `Accept a \`string\`, which is its JSON form, and create the ${formatCode(type)} in the method.`;

const suggestInterface = (p: { type: string; isText?: boolean }): string =>
  p.isText
    ? suggestText(p.type)
    : `Use an interface, or create the instance of ${formatCode(p.type)} in the handler.`;

/** The messages about types that cannot become schemas, or only less exact ones. */
export const typeMessages = {
  "type-not-serializable": error(
    (p: { where: string; type: string; reason: string; edit: string }) =>
      `${p.where} is ${p.type}, ${p.reason}.`,
    (p) => p.edit,
  ),
  "type-function": error(
    (p: { where: string; type: string }) =>
      `${p.where} is a function (${formatCode(p.type)}), which JSON cannot carry.`,
    () => `Remove the parameter or property, or leave it out of the type with \`Omit<…>\`.`,
  ),
  "type-principal": error(
    (p: { where: string; type: string; isNullable?: true }) =>
      `${p.where} is ${formatCode(p.type)}. The server identifies the caller, but a client could send any principal inside an argument.`,
    (p) =>
      p.isNullable
        ? `Write \`user?: Principal\` without \`null\`. In a call without a verified caller, it is \`undefined\`.`
        : `Declare it as a separate parameter: \`user: Principal\`, or \`Principal<Claims>\` with your own claims.`,
  ),
  "type-cursor": error(
    (p: { where: string; problem: keyof typeof CURSOR_PROBLEMS }) =>
      `${p.where} is a \`Cursor\`${CURSOR_PROBLEMS[p.problem].reason}.`,
    (p) => CURSOR_PROBLEMS[p.problem].edit,
  ),
  "type-cursor-position": error(
    (p: { where: string; type: string }) =>
      `${p.where} has positions of type ${formatCode(p.type)}, which JSON cannot represent.`,
    () => "Use the JSON form of the position, such as a number or a string.",
  ),
  "type-has-methods": error(
    (p: {
      where: string;
      type: string;
      method: string;
      isText?: boolean;
      isStream?: boolean;
      injected?: string | undefined;
    }) =>
      `${p.where} is ${formatCode(p.type)}, an object with methods (${formatCode(p.method)}), but JSON can carry only data.`,
    (p) => {
      if (p.injected !== undefined)
        return `The server passes one to each parameter whose type is ${formatCode(p.injected)} itself: declare a separate parameter of that type.`;
      if (p.isStream) return `Collect its values in an array.`;
      return p.isText ? suggestText(p.type) : `Use an interface with the properties to send.`;
    },
  ),
  "type-promise": error(
    (p: { where: string; type: string; awaited: string }) =>
      `${p.where} is ${formatCode(p.type)}: a promise inside a value is never awaited.`,
    (p) => `Declare ${formatCode(p.awaited)}. In a result, await the promise first.`,
  ),
  "type-symbol": error(
    (p: { where: string }) => `${p.where} is a symbol, which exists only inside one process.`,
    () => `Use a string literal type instead.`,
  ),
  "type-never": error(
    (p: { where: string; type: string; because?: string }) =>
      `${p.where} has type ${formatCode(p.type)}, which no value can have${p.because ? `: ${p.because}` : ""}.`,
    () => `Change the type so that it has at least one value.`,
  ),
  "type-unresolved": error(
    (p: { where: string; type: string; hasOpenKeys?: boolean }) =>
      `${p.where} has type ${formatCode(p.type)}, ${p.hasOpenKeys ? "whose members depend" : "which depends"} on a type parameter whose type is not known.`,
    (p) =>
      p.hasOpenKeys
        ? `Replace the type parameter with its constraint. \`Partial<Record<"a" | "b", number>>\` is an object with some of these members.`
        : `Give the type parameter a constraint (\`T extends …\`), or write the concrete type.`,
  ),
  "type-not-found": error(
    (p: { where: string; text: string; isOfNode: boolean }) =>
      `${p.where} has the type ${formatCode(p.text)}, which TypeScript cannot find.`,
    (p) =>
      p.isOfNode
        ? `Install \`@types/node\` as a development dependency, and add "node" to \`types\` in tsconfig.json: the types of Node.js are missing.`
        : `Install the package that declares it, or correct the import.`,
  ),
  "type-recursive-endless": error(
    (p: { where: string; type: string }) =>
      `${p.where} has type ${formatCode(p.type)}, which expands to new types without end, so no finite schema can describe it.`,
    () => `Make the type refer to itself with the same type arguments.`,
  ),
  "type-too-large": error(
    (p: { where: string; limit: number }) =>
      `The schema of ${lowerFirst(p.where)} has more than ${p.limit.toLocaleString("en-US")} parts.`,
    () => `Split the declaration, or use a simpler type: models cannot use a schema of this size.`,
  ),
  "type-any": warning(
    (p: { where: string }) => `${p.where} has type \`any\`, so every value is accepted.`,
    () => `Write the real type, or \`unknown\` to accept every value.`,
  ),
  "type-member-omitted": warning(
    (p: { where: string; type: string; members?: readonly string[]; base?: string | undefined }) =>
      p.members
        ? `${p.where} is ${formatCode(p.type)}, ${p.base === undefined ? "an array" : `a ${formatCode(p.base)}`} that also has ${p.members.map((name) => formatCode(name)).join(", ")}, which JSON cannot carry.`
        : `${p.where} is an optional function (${formatCode(p.type)}), which JSON cannot carry. It is omitted.`,
    (p) =>
      p.members
        ? `Use an object with the ${p.base === undefined ? "array" : formatCode(p.base)} and its other properties.`
        : `Remove it from the type, for example with \`Omit<…>\`.`,
  ),
  "type-methods-missing": warning(
    (p: { where: string; type: string; method: string; isText?: boolean }) =>
      `${p.where} has the class ${formatCode(p.type)} as its type, but clients send plain data, without its method ${formatCode(p.method)}.`,
    suggestInterface,
  ),
  "type-members-missing": warning(
    (p: { where: string; type: string; member: string; isAccessor: boolean; isText?: boolean }) =>
      `${p.where} has the class ${formatCode(p.type)} as its type, but clients send plain data, without its ${
        p.isAccessor ? "accessor" : "private member"
      } ${formatCode(p.member)}.`,
    suggestInterface,
  ),
  "type-empty-object": warning(
    (p: { parameter?: string | undefined; union?: { where: string; type: string } }) =>
      p.union
        ? `${p.union.where} is ${formatCode(p.union.type)}, which has no members: \`Omit\` and \`Pick\` select only among the members that all types of a union have.`
        : `${p.parameter === undefined ? "The parameter" : `Parameter ${formatCode(p.parameter)}`} has type \`{}\`, so there are no arguments, although TypeScript accepts any object for it.`,
    (p) =>
      p.union
        ? `Apply it to each type of the union: \`Omit<A, "kind"> | Omit<B, "kind">\`.`
        : `Remove the parameter if there are no arguments, or write \`Record<string, unknown>\` to accept any.`,
  ),
  "type-regexp-flags": warning(
    (p: { where: string; type: string }) =>
      `${p.where} is ${formatCode(p.type)}, which is sent as its pattern, without flags such as \`i\`.`,
    () =>
      `Return an object with \`source\` and \`flags\`, or \`String(…)\`, which writes \`/pattern/flags\`.`,
  ),
  "type-order-not-checked": warning(
    (p: { where: string; type: string }) =>
      `${p.where} is the tuple ${formatCode(p.type)}. JSON Schema cannot describe elements after a rest element, so their order is not checked.`,
    () => `Put the rest element last, or use an object.`,
  ),
  "type-union-ambiguous": warning(
    (p: { where: string; first: string; second: string }) =>
      `${p.where} is ${formatCode(p.first)} or ${formatCode(p.second)}, which look the same in JSON. The handler receives such a value as ${formatCode(p.first)}.`,
    () => `Use one of the two types, or objects with a property such as \`kind\` that distinguishes them.`,
  ),
  "type-property-name": warning(
    (p: { where: string; name: string }) =>
      `${p.where} has the property ${formatCode(JSON.stringify(p.name))}. Several clients accept only names of 1 to 64 letters, digits, dots, hyphens, and underscores.`,
    () => `Rename the property.`,
  ),
  "type-enum-of-numbers": warning(
    (p: { where: string }) =>
      `${p.where} is one of several number literals. Some clients, such as Gemini, accept only enumerations of strings.`,
    () => `Use string literals, or \`number\` with \`@minimum\` and \`@maximum\`.`,
  ),
  "type-enum-not-constant": error(
    (p: { where: string; member: string }) =>
      `${p.where} may be ${formatCode(p.member)}, whose value is known only at run time.`,
    () => `Write the value of the member as a literal.`,
  ),
  "type-parameter-unnamed": error(
    (p: { position: number }) =>
      `Parameter ${p.position} is destructured, so its argument would have no name.`,
    () =>
      `Give it a name. Only a single parameter with an object type that is not a union has its properties as the arguments.`,
  ),
};
