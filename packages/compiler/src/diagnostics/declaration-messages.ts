import { error, warning } from "./catalogue-entry.js";

/** What can be wrong with a declaration, before any type is looked at. */
export const declarationMessages = {
  "class-not-exported": error(
    (p: { name: string | undefined }) =>
      `${subject(p.name)} has decorated members, but the class is not exported, so none of them is served.`,
    (p) => `Write \`export class ${p.name ?? "Name"}\`, or remove the decorators.`,
  ),
  "class-nested": error(
    (p: { name: string | undefined; place: "namespace" | "function" | "expression" | "block" }) =>
      `${subject(p.name)} has decorated members, but the server can find only classes at the top level of a module, and this one is inside a ${p.place}. None of them is served.`,
    (p) =>
      p.place === "function"
        ? `If the function returns the class, extend what it returns: \`export class Name extends make(…) {}\`. Otherwise move the class to the top level, and export it.`
        : `Move the class to the top level, and export it.`,
  ),
  "class-never-extended": error(
    (p: { name: string | undefined }) =>
      `${subject(p.name)} has decorated members, but it is abstract and no exported class extends it, so none of them is served.`,
    (p) => `Write \`export class Name extends ${p.name ?? "…"} { … }\`, or remove the decorators.`,
  ),
  "class-base-compiled": warning(
    (p: { name: string; base: string | undefined; methods: readonly string[]; from: string | undefined }) =>
      `\`${p.name}\` extends ${p.base === undefined ? "a class" : `\`${p.base}\``}, of which TypeScript reads compiled declarations${p.from === undefined ? "" : ` (${p.from})`}. These have no decorators, so ${p.methods.map((each) => `\`${each}\``).join(", ")} ${p.methods.length === 1 ? "is" : "are"} not served.`,
    (p) =>
      `Let \`exports\` in package.json of ${p.from ?? "that package"} lead to its TypeScript sources, by a condition that \`customConditions\` in tsconfig.json names. Or override ${p.methods.length === 1 ? "the method" : "the methods"} in \`${p.name}\`, and decorate the override.`,
  ),
  "class-form-abstract": error(
    (p: { name: string | undefined; decorator: string }) =>
      `${subject(p.name)} is abstract, and classes do not inherit \`@${p.decorator}\` from the class that they extend, so it serves nothing.`,
    (p) =>
      `Write \`@${p.decorator}\` above each class that extends ${p.name === undefined ? "it" : `\`${p.name}\``}, or above the method.`,
  ),
  "class-outside-src": error(
    (p: { name: string | undefined }) =>
      `${subject(p.name)} has decorated members, but its file is not under src/, so none of them is served.`,
    (p) =>
      `Move the file to src/, or extend the class in a file there: \`export class Name extends ${p.name ?? "…"} {}\`.`,
  ),
  "class-needs-provide": error(
    (p: { name: string; hasConfig: boolean; serves: string[] }) =>
      `The constructor of \`${p.name}\` needs arguments, and no instance is provided, so ` +
      `${p.serves.map((each) => `\`${each}\``).join(", ")} cannot be served.`,
    (p) =>
      p.hasConfig
        ? `Add an instance to \`provide\` in src/server.ts: \`provide: [new ${p.name}(…)]\`.`
        : `Create src/server.ts with \`export default defineServer({ provide: [new ${p.name}(…)] })\`, or give every constructor parameter a default.`,
  ),
  "class-form-without-method": error(
    (p: { className: string; decorator: string; method: string }) =>
      `\`@${p.decorator}\` on class \`${p.className}\` serves its method \`${p.method}\`, but the class has no such method.`,
    (p) => `Name the method \`${p.method}\`, or decorate a method instead of the class.`,
  ),
  "decorator-not-called": error(
    (p: { decorator: string }) => `\`@${p.decorator}\` must be called.`,
    (p) =>
      p.decorator === "Resource" ? `Write \`@Resource("scheme://path")\`.` : `Write \`@${p.decorator}()\`.`,
  ),
  "decorator-misplaced": error(
    (p: { decorator: string }) =>
      `\`@${p.decorator}\` is for methods and classes. What it decorates here is neither, so it serves nothing.`,
    () => `Write it above the method.`,
  ),
  "decorator-as-value": error(
    (p: { decorator: string }) =>
      `\`${p.decorator}\` is used as a value here, so the compiler does not see what it decorates, and that is not served.`,
    (p) =>
      `Write \`@${p.decorator}(…)\` above the method. A function of your own may make the decorator if it does nothing else: \`function mine() { return ${p.decorator}(…); }\`, then \`@mine()\`.`,
  ),
  "decorator-option-not-constant": error(
    (p: { option: string }) =>
      `The value of \`${p.option}\` is only known when the program runs, but it is read when the project is built.`,
    () => `Use a literal, or a \`const\` made of literals.`,
  ),
  "handler-not-a-method": error(
    (p: { member: string; decorator: string }) =>
      `\`${p.member}\` is not a method, so \`@${p.decorator}\` cannot serve it.`,
    (p) => `Write it as a method: \`${p.member}(…) { … }\`.`,
  ),
  "handler-not-public": error(
    (p: { method: string }) => `\`${p.method}\` is not public, so the server cannot call it.`,
    () => `Remove \`private\`, \`protected\` or \`#\`, or remove the decorator.`,
  ),
  "handler-without-body": error(
    (p: { method: string }) =>
      `\`${p.method}\` has no body here, and TypeScript allows decorators only on methods that have one.`,
    (p) =>
      `Move the decorator to the \`${p.method}\` that has a body: in each class that extends this one, or after the overloads.`,
  ),
  "handler-name-computed": error(
    (p: { method: string }) =>
      `The method name \`${p.method}\` is only known when the program runs, so the method cannot be served.`,
    () => `Give the method a plain name. To show clients another one, use the \`name\` option.`,
  ),
  "handler-overloaded": error(
    (p: { method: string }) => `\`${p.method}\` has several signatures, but clients see only one schema.`,
    () => `Keep one signature (a property may be a union of object types), or write one method for each.`,
  ),
  "tool-name-invalid": error(
    (p: { name: string }) =>
      `\`${p.name}\` is not a valid tool name: clients accept 1 to 128 letters, digits, dots, dashes and underscores.`,
    (p) =>
      `Write \`@Tool({ name: ${JSON.stringify(
        p.name
          .replaceAll(/[^A-Za-z0-9_.-]+/g, "_")
          .replaceAll(/^_+|_+$/g, "")
          .slice(0, 64) || "tool",
      )} })\`.`,
  ),
  "tool-name-long": warning(
    (p: { name: string }) =>
      `The tool name is ${p.name.length} characters long; several clients reject names of more than 64.`,
    () => `Choose a shorter \`name\`.`,
  ),
  "name-taken": error(
    (p: { kind: string; name: string; other: string; owner: string; isInherited: boolean }) =>
      p.isInherited
        ? `\`${p.owner}\` inherits the ${p.kind} \`${p.name}\`, but there is already one: ${p.other} inherits it, too.`
        : `There is already a ${p.kind} \`${p.name}\`: ${p.other}.`,
    (p) => {
      if (p.kind.startsWith("resource")) {
        return p.isInherited
          ? `Override the method in one of the classes, with a \`@Resource("…")\` of its own.`
          : `Give one of them a different URI.`;
      }
      const decorator = p.kind === "tool" ? "Tool" : "Prompt";
      const prefix = `\`@${decorator}({ prefix: "${p.owner.toLowerCase()}_" })\` above class \`${p.owner}\``;
      return p.isInherited
        ? `Give the names of one class a prefix: write ${prefix}.`
        : `Give one of them a different \`name\`, or all names of one class a prefix: ${prefix}.`;
    },
  ),
  "prefix-misplaced": error(
    (p: { reason: "method" | "options" | "unused"; option?: string; kind?: string }) =>
      p.reason === "method"
        ? `\`prefix\` is an option of classes, for the names of all their methods.`
        : p.reason === "options"
          ? `With \`prefix\`, the decorator of a class only names what its methods serve, so \`${p.option}\` has no effect.`
          : `The class has no ${p.kind} to put the prefix before.`,
    (p) =>
      p.reason === "method"
        ? `Use \`name\`.`
        : p.reason === "options"
          ? `Move the other options to the decorators of the methods.`
          : `Decorate its methods. If it extends an exported class that has them, make that class abstract.`,
  ),
  "description-missing": warning(
    (p: { kind: string; name: string }) =>
      `The ${p.kind} \`${p.name}\` has no description, so models cannot tell when to use it.`,
    () => `Write a JSDoc comment above it.`,
  ),
  "schema-invalid": error(
    (p: { option: string; problem: string }) =>
      `\`${p.option}\` is not a valid JSON Schema 2020-12: ${p.problem}.`,
  ),
  "schema-value-refused": error(
    (p: { option: string; role: string; value: string; path: string; reason?: string }) =>
      `The ${p.role} \`${p.value}\` ${p.path === "" ? "" : `of \`${p.path}\` `}in \`${p.option}\` does not fit its own schema${p.reason === undefined ? "" : `: ${p.reason}`}.`,
    (p) => `Change the ${p.role} or the schema: the server would refuse it.`,
  ),
  "schema-root-not-object": error(
    (p: { option: string }) =>
      `\`${p.option}\` must be the schema of an object: clients reject anything else.`,
    () => `Add \`type: "object"\` at the root.`,
  ),
  "schema-parameters-unclear": error(
    (p: { tool: string }) =>
      `Tool \`${p.tool}\` has its own \`inputSchema\`, but its parameters do not say which arguments they take.`,
    () => `Take one parameter: \`args: Record<string, unknown>\`.`,
  ),
  "profile-loses": warning(
    (p: { profile: string; tool: string; losses: readonly string[] }) =>
      p.losses.length === 1
        ? `In the profile \`${p.profile}\`, ${p.losses.join("")}.`
        : `In the profile \`${p.profile}\`, clients see a simpler schema of tool \`${p.tool}\`:\n${p.losses.map((each) => `- ${each}`).join("\n")}`,
    () =>
      `The server still checks arguments against the full type. To list such properties, name them one by one.`,
  ),
  "prompt-argument-not-text": error(
    (p: { prompt: string; argument: string }) =>
      `Prompt arguments are text, but argument \`${p.argument}\` of prompt \`${p.prompt}\` has a type that text cannot express.`,
    () => `Use a string, a number, a boolean, a union of literals or a \`Date\`.`,
  ),
  "prompt-result-invalid": error(
    (p: { prompt: string; type: string }) =>
      `Prompt \`${p.prompt}\` returns \`${p.type}\`, which is not a prompt message.`,
    () =>
      `Return a string, a \`PromptMessage\` or an array of them, or a \`PromptResult\`, all from "@tenon/runtime". Without a return type, write literals: \`role: "user" as const\`.`,
  ),
  "scope-unknown": error(
    (p: { scope: string; nearest: string | undefined; known: readonly string[] }) =>
      `There is no scope \`${p.scope}\`, so nobody could call this.`,
    (p) =>
      p.nearest === undefined
        ? `Add it to \`scopes\` of \`oauth\` in src/server.ts, or write one of ${p.known.map((each) => `\`${each}\``).join(", ")}.`
        : `Write \`${p.nearest}\`, or add \`${p.scope}\` to \`scopes\` of \`oauth\` in src/server.ts.`,
  ),
  "scopes-unchecked": warning(
    (p: { scope: string }) =>
      `Nothing is known of the scopes of \`auth\`, so a misspelt one is not found here: \`${p.scope}\` is the first that is named.`,
    () =>
      "Give `oauth` in src/server.ts its `scopes`, one member for each, and write no type on the constant or function it comes from.",
  ),
  "scopes-without-auth": warning(
    (p: { scope: string; isConfigured: boolean }) =>
      `Nothing says who calls this server, so nobody has the scope \`${p.scope}\`, and every call of this is refused.`,
    (p) =>
      `Say who may call, by \`auth\` in ${p.isConfigured ? "src/server.ts" : "a src/server.ts, `export default defineServer({ auth })`"}: \`oauth(…)\` or \`apiKeys(…)\` of "@tenon/runtime/auth". Over stdio, \`stdio: { principal: { subject, scopes } }\` says what its user may do. If anybody may call it, leave \`scopes\` out.`,
  ),
  "output-looks-like-content": warning(
    (p: { tool: string }) =>
      `Tool \`${p.tool}\` returns content blocks whose \`type\` may be any string, so they are sent as data.`,
    () =>
      `Write the type as a literal (\`type: "text" as const\`), or annotate the return type: \`ToolResult\` from "@tenon/runtime".`,
  ),
  "output-schema-left-out": warning(
    (p: { tool: string; type: string }) =>
      `Tool \`${p.tool}\` returns data, but may also return \`${p.type}\` without data, so no output schema is listed: clients refuse a result that lacks the data which a schema promises.`,
    () =>
      `Return the data with the content: \`{ content: […], structuredContent: … }\`, a \`ToolResult<…>\`.`,
  ),
  "result-member-left-out": warning(
    (p: { kind: string; name: string; type: string; result: string; members: readonly string[] }) =>
      `What ${p.kind} \`${p.name}\` returns (\`${p.type}\`) is a \`${p.result}\`, which has no ${p.members.map((each) => `\`${each}\``).join(" and no ")}: clients do not get ${p.members.length === 1 ? "it" : "them"}.`,
    (p) =>
      p.kind === "tool"
        ? `Put data into \`structuredContent\`, and what is meant for the client's program into \`_meta\`.`
        : `Put what is meant for the client's program into \`_meta\`.`,
  ),
  "resource-uri-not-constant": error(
    (p: { resource: string }) => `The URI of resource \`${p.resource}\` is only known when the program runs.`,
    () => `Use a string literal, with \`{variables}\` for the parts that vary.`,
  ),
  "resource-uri-invalid": error(
    (p: { uri: string }) => `\`${p.uri}\` is not a URI: a URI has a scheme and no spaces.`,
    (p) =>
      `Write for example \`${/^[\w{}/.-]+$/.test(p.uri) ? `data://${p.uri.replace(/^\/+/, "")}` : "data://name"}\`.`,
  ),
  "resource-template-invalid": error(
    (p: { uri: string; expression: string }) =>
      p.expression === p.uri
        ? `\`${p.uri}\` is not a valid URI template.`
        : `\`${p.expression}\` in \`${p.uri}\` is not a valid URI template expression.`,
    () => `Write \`{name}\`, \`{+path}\` or \`{?query}\` (RFC 6570).`,
  ),
  "resource-variable-unused": error(
    (p: { uri: string; variable: string; parameters: string[] }) =>
      `The variable \`{${p.variable}}\` of \`${p.uri}\` has no parameter of the same name` +
      (p.parameters.length > 0
        ? ` (the method takes ${p.parameters.map((each) => `\`${each}\``).join(", ")}).`
        : "."),
    (p) => `Add a parameter \`${p.variable}: string\`, or rename the variable.`,
  ),
  "resource-parameter-unknown": error(
    (p: { uri: string; parameter: string; variables: string[] }) =>
      `Parameter \`${p.parameter}\` is not a variable of \`${p.uri}\`, so it would never get a value.`,
    (p) => `Add \`{${p.parameter}}\` to the URI, or remove the parameter.`,
  ),
  "resource-variable-not-text": error(
    (p: { uri: string; variable: string }) =>
      `The variable \`${p.variable}\` of \`${p.uri}\` has a type that cannot be written in a URI.`,
    () => `Use a string, a number, a boolean, a union of literals, a \`Date\`, or an array of one of these.`,
  ),
  "resource-variable-not-list": error(
    (p: { uri: string; variable: string; operator: string }) =>
      `\`${p.variable}*\` in \`${p.uri}\` is a list of values, but the parameter \`${p.variable}\` is one value.`,
    (p) =>
      ["", "/"].includes(p.operator)
        ? `Declare \`${p.variable}: string[]\`, or write \`{+${p.variable}}\` for one text that may contain slashes.`
        : `Declare \`${p.variable}: string[]\`, or remove the \`*\`.`,
  ),
  "resource-variable-cut": error(
    (p: { uri: string; variable: string; modifier: string }) =>
      `\`${p.variable}${p.modifier}\` in \`${p.uri}\` is the first characters of a text, but the parameter \`${p.variable}\` is a list.`,
    (p) => `Write \`${p.variable}*\`, or declare \`${p.variable}: string\`.`,
  ),
};

/** Begins a sentence about a class. */
function subject(name: string | undefined): string {
  return name === undefined ? "The class" : `\`${name}\``;
}
