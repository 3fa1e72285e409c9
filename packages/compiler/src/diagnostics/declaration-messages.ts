import { error, warning } from "./catalog-entry.js";
import { formatNames } from "./format-list.js";

/** The messages about declarations, found before any type is examined. */
export const declarationMessages = {
  "class-not-exported": error(
    (p: { name: string | undefined }) =>
      `${subject(p.name)} has decorated members, but the class is not exported, so none of them is served.`,
    (p) => `Write \`export class ${p.name ?? "Name"}\`, or remove the decorators.`,
  ),
  "class-nested": error(
    (p: { name: string | undefined; nesting: "namespace" | "function" | "expression" | "block" }) =>
      `${subject(p.name)} has decorated members, but the server can find only classes at the top level of a module, and this one is inside a ${p.nesting}. None of them is served.`,
    (p) =>
      p.nesting === "function"
        ? `If the function returns the class, extend the result: \`export class Name extends make(…) {}\`. Otherwise, move the class to the top level, and export it.`
        : `Move the class to the top level, and export it.`,
  ),
  "class-never-extended": error(
    (p: { name: string | undefined }) =>
      `${subject(p.name)} has decorated members, but it is abstract and no exported class extends it, so none of them is served.`,
    (p) => `Write \`export class Name extends ${p.name ?? "…"} { … }\`, or remove the decorators.`,
  ),
  "class-base-compiled": warning(
    (p: { name: string; base: string | undefined; methods: readonly string[]; from: string | undefined }) =>
      `\`${p.name}\` extends ${p.base === undefined ? "a class" : `\`${p.base}\``}, but TypeScript reads only its compiled declarations${p.from === undefined ? "" : ` (${p.from})`}. They contain no decorators, so ${formatNames(p.methods)} ${p.methods.length === 1 ? "is" : "are"} not served.`,
    (p) =>
      `In the package.json of ${p.from ?? "that package"}, point \`exports\` to the TypeScript sources under a condition that \`customConditions\` in your tsconfig.json lists. Or override ${p.methods.length === 1 ? "the method" : "the methods"} in \`${p.name}\`, and decorate the override.`,
  ),
  "class-decorator-abstract": error(
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
      `${formatNames(p.serves)} cannot be served.`,
    (p) =>
      p.hasConfig
        ? `Add an instance to \`provide\` in src/server.ts: \`provide: [new ${p.name}(…)]\`.`
        : `Create src/server.ts with \`export default defineServer({ provide: [new ${p.name}(…)] })\`, or give every constructor parameter a default.`,
  ),
  "class-decorator-without-method": error(
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
      `\`@${p.decorator}\` decorates methods and classes. Here it decorates neither, so it serves nothing.`,
    () => `Write it above the method.`,
  ),
  "decorator-as-value": error(
    (p: { decorator: string }) =>
      `\`${p.decorator}\` is used as a value here, so the compiler cannot see what it decorates. Nothing is served.`,
    (p) =>
      `Write \`@${p.decorator}(…)\` above the method. A function may return the decorator if it does nothing else: \`function mine() { return ${p.decorator}(…); }\`, then \`@mine()\`.`,
  ),
  "decorator-option-not-constant": error(
    (p: { option: string }) =>
      `The value of \`${p.option}\` is known only at run time, but it is read when the project is built.`,
    () => `Use a literal, or a \`const\` made of literals.`,
  ),
  "handler-not-a-method": error(
    (p: { member: string; decorator: string }) =>
      `\`${p.member}\` is not a method, so \`@${p.decorator}\` cannot serve it.`,
    (p) => `Write it as a method: \`${p.member}(…) { … }\`.`,
  ),
  "handler-not-public": error(
    (p: { method: string }) => `\`${p.method}\` is not public, so the server cannot call it.`,
    () => `Remove \`private\`, \`protected\`, or \`#\`, or remove the decorator.`,
  ),
  "handler-without-body": error(
    (p: { method: string }) =>
      `\`${p.method}\` has no body here, and TypeScript allows decorators only on methods that have one.`,
    (p) =>
      `Move the decorator to the \`${p.method}\` that has a body: in each class that extends this one, or after the overloads.`,
  ),
  "handler-name-computed": error(
    (p: { method: string; isSymbol: boolean }) =>
      `The method name \`${p.method}\` is ${p.isSymbol ? "a symbol" : "known only at run time"}, so the method cannot be served.`,
    () => `Give the method a plain name. To list it under another name, use the \`name\` option.`,
  ),
  "handler-overloaded": error(
    (p: { method: string }) => `\`${p.method}\` has several signatures, but clients see only one schema.`,
    () => `Keep one signature (a property may be a union of object types), or write one method for each.`,
  ),
  "handler-override-ignored": warning(
    (p: {
      className: string;
      method: string;
      base: string;
      kind: string;
      name: string;
      decorator: string;
      isClassDecorated: boolean;
    }) =>
      `\`${p.className}\` overrides \`${p.method}\`, but no client can call the override: the ${p.kind} \`${p.name}\` belongs to class \`${p.base}\`, which is exported, so its own \`${p.method}\` is called.`,
    (p) => {
      const other = p.decorator === "Resource" ? "its own URI" : "a different `name`";
      return p.isClassDecorated
        ? `To serve both, write \`@${p.decorator}(…)\` above class \`${p.className}\`. Otherwise, remove the decorator of \`${p.base}\`, or the override.`
        : `To serve both, write \`@${p.decorator}(…)\` above the override, with ${other}. To serve only the override, make \`${p.base}\` abstract, or do not export it.`;
    },
  ),
  "tool-name-invalid": error(
    (p: { name: string }) =>
      `\`${p.name}\` is not a valid tool name: clients accept 1 to 128 letters, digits, dots, dashes, and underscores.`,
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
      `The name of tool \`${p.name}\` has ${p.name.length} characters, but several clients reject names with more than 64.`,
    () => `Choose a shorter \`name\`.`,
  ),
  "name-taken": error(
    (p: { kind: string; name: string; other: string; owner: string; isInherited: boolean }) =>
      p.isInherited
        ? `\`${p.owner}\` inherits the ${p.kind} \`${p.name}\`, which ${p.other} already serves.`
        : `There is already a ${p.kind} \`${p.name}\`: ${p.other}.`,
    (p) => {
      if (p.kind.startsWith("resource")) {
        return p.isInherited
          ? `Override the method in one of the classes, with its own \`@Resource("…")\`.`
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
        ? `\`prefix\` is an option for classes, and applies to the names of all their methods.`
        : p.reason === "options"
          ? `With \`prefix\`, the decorator of a class only sets the prefix of its methods' names, so \`${p.option}\` has no effect.`
          : `The class has no ${p.kind} whose name could have the prefix.`,
    (p) =>
      p.reason === "method"
        ? `To change the name of one method, use \`name\`.`
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
      `\`${p.option}\` is not valid JSON Schema 2020-12: ${p.problem}.`,
  ),
  "schema-value-invalid": error(
    (p: { option: string; role: string; value: string; path: string; reason?: string }) =>
      `The ${p.role} \`${p.value}\` ${p.path === "" ? "" : `of \`${p.path}\` `}in \`${p.option}\` does not fit its own schema${p.reason === undefined ? "" : `: ${p.reason}`}.`,
    (p) => `Change the ${p.role} or the schema: the server would reject this value.`,
  ),
  "schema-root-not-object": error(
    (p: { option: string }) =>
      `\`${p.option}\` must be the schema of an object: clients reject anything else.`,
    () =>
      `Write \`type: "object"\` at the root. To accept or return a value of another type, put it into a property.`,
  ),
  "schema-parameters-unclear": error(
    (p: { tool: string }) =>
      `Tool \`${p.tool}\` has its own \`inputSchema\`, but its parameters do not show which arguments they receive.`,
    () => `Declare one parameter: \`args: Record<string, unknown>\`.`,
  ),
  "profile-lossy": warning(
    (p: { profile: string; tool: string; losses: readonly string[] }) =>
      p.losses.length === 1
        ? `In the profile \`${p.profile}\`, ${p.losses.join("")}.`
        : `In the profile \`${p.profile}\`, clients see a simpler schema of tool \`${p.tool}\`:\n${p.losses.map((each) => `- ${each}`).join("\n")}`,
    () =>
      `Declare the properties by name, so that clients see them. The server validates arguments against the full type in any case.`,
  ),
  "prompt-argument-not-text": error(
    (p: { prompt: string; argument: string }) =>
      `Prompt arguments are text, but argument \`${p.argument}\` of prompt \`${p.prompt}\` has a type that text cannot express.`,
    () => `Use a string, a number, a boolean, a union of literals, or a \`Date\`.`,
  ),
  "prompt-result-invalid": error(
    (p: { prompt: string; type: string }) =>
      `Prompt \`${p.prompt}\` returns \`${p.type}\`, which is not a prompt message.`,
    () =>
      `Return a string, a \`PromptMessage\`, an array of these, or a \`PromptResult\` (types from "@tenon/runtime"). Without a return type, write literals: \`role: "user" as const\`.`,
  ),
  "resource-template-repeated": warning(
    (p: { uri: string; earlierUri: string; other: string }) =>
      `The template \`${p.uri}\` is never read, because it matches the same URIs as \`${p.earlierUri}\` (${p.other}).`,
    () => `Remove one of them, or change its URI. Names of variables do not distinguish URIs.`,
  ),
  "resource-result-missing": error(
    (p: { name: string; type: string }) =>
      `Resource \`${p.name}\` returns \`${p.type}\`, so each read of it fails with "not found".`,
    () =>
      `Return the contents: text, bytes, a file, or data. \`undefined\` means that a resource does not exist.`,
  ),
  "scope-unknown": error(
    (p: { scope: string; nearest: string | undefined; known: readonly string[] }) =>
      `There is no scope \`${p.scope}\`, so no caller can have it.`,
    (p) =>
      p.nearest === undefined
        ? `Add it to the \`scopes\` option of \`oauth\` in src/server.ts, or write one of ${p.known.map((each) => `\`${each}\``).join(", ")}.`
        : `Write \`${p.nearest}\`, or add \`${p.scope}\` to the \`scopes\` option of \`oauth\` in src/server.ts.`,
  ),
  "scopes-unchecked": warning(
    (p: { scope: string }) =>
      `The scopes of \`auth\` are unknown, so a misspelled scope is not reported. The first scope in use is \`${p.scope}\`.`,
    () =>
      "Set the `scopes` option of `oauth` in src/server.ts, with one property for each scope, and remove the type annotation from the constant or function that `auth` comes from.",
  ),
  "scopes-without-auth": warning(
    (p: { scope: string; isConfigured: boolean }) =>
      `The server does not identify its callers, so none has the scope \`${p.scope}\`, and every call is rejected.`,
    (p) =>
      `Set \`auth\` in src/server.ts${p.isConfigured ? "" : " (`export default defineServer({ auth })`)"} to \`oauth(…)\` or \`apiKeys(…)\` from "@tenon/runtime/auth". Over stdio, \`stdio: { principal: { subject, scopes } }\` gives the user scopes. If every caller may call the method, remove \`scopes\`.`,
  ),
  "principal-without-auth": warning(
    (p: { parameter: string; isConfigured: boolean }) =>
      `The server does not identify its callers, so there is no \`Principal\` for the parameter \`${p.parameter}\`, and every call is rejected.`,
    (p) =>
      `Set \`auth\` in src/server.ts${p.isConfigured ? "" : " (`export default defineServer({ auth })`)"} to \`oauth(…)\` or \`apiKeys(…)\` from "@tenon/runtime/auth". Over stdio, \`stdio: { principal: { subject } }\` identifies the user. If anonymous callers may call the method, make the parameter optional: \`${p.parameter}?: Principal\`.`,
  ),
  "exchange-not-configured": warning(
    (p: { state: "no-auth" | "other-auth" | "oauth" }) => {
      const reason = {
        "no-auth": "the server has no `auth`, so callers have no access tokens",
        "other-auth": "callers have API keys instead of access tokens",
        oauth: "`oauth` has no option `exchange`",
      }[p.state];
      return `\`exchange\` fails in every call, because ${reason}.`;
    },
    (p) =>
      `${p.state === "oauth" ? "Add" : "Set `auth: oauth({ issuer, resource, exchange })` in src/server.ts, with"} \`exchange: tokenExchange({ clientId, clientSecret })\`${p.state === "oauth" ? " to the options of `oauth` in src/server.ts" : ""}. Both functions are in "@tenon/runtime/auth".`,
  ),
  "scopes-unreachable-over-stdio": warning(
    (p: { scopes: readonly string[]; hasPrincipal: boolean }) =>
      `${p.hasPrincipal ? "`stdio.principal` has no scopes" : "Callers have scopes only over HTTP"}, so over stdio and in \`tenon call\`, every call that needs ${p.scopes.map((each) => `\`${each}\``).join(" or ")} is rejected.`,
    (p) =>
      `Give scopes to the user over stdio, in src/server.ts: \`stdio: { principal: { subject: "me", scopes: [${p.scopes.map((each) => JSON.stringify(each)).join(", ")}] } }\`. If the server is only for HTTP, write \`stdio: {}\`.`,
  ),
  "output-looks-like-content": warning(
    (p: { tool: string }) =>
      `Tool \`${p.tool}\` returns content blocks whose \`type\` may be any string, so they are sent as data.`,
    () =>
      `Write the type as a literal (\`type: "text" as const\`), or annotate the return type: \`ToolResult\` from "@tenon/runtime".`,
  ),
  "output-schema-omitted": warning(
    (p: { tool: string; type: string }) =>
      `Tool \`${p.tool}\` returns data, but may also return \`${p.type}\` without data, so no output schema is listed: clients reject a result without the data that its schema requires.`,
    () =>
      `Return the data with the content: \`{ content: […], structuredContent: … }\`, a \`ToolResult<…>\`.`,
  ),
  "result-member-omitted": warning(
    (p: { kind: string; name: string; type: string; result: string; members: readonly string[] }) =>
      `${p.kind.charAt(0).toUpperCase()}${p.kind.slice(1)} \`${p.name}\` returns \`${p.type}\`, which is a \`${p.result}\`. That type has no ${p.members.map((each) => `\`${each}\``).join(" and no ")}, so clients do not receive ${p.members.length === 1 ? "it" : "them"}.`,
    (p) =>
      p.kind === "tool"
        ? `Put data into \`structuredContent\`, and data that only the client's program needs into \`_meta\`.`
        : `Put data that only the client's program needs into \`_meta\`.`,
  ),
  "resource-uri-not-constant": error(
    (p: { resource: string }) =>
      `The URI of resource \`${p.resource}\` is known only at run time, but it is read when the project is built.`,
    () => `Use a string literal, with \`{variables}\` for the parts that vary.`,
  ),
  "resource-uri-invalid": error(
    (p: { uri: string }) => `\`${p.uri}\` is not a URI: a URI needs a scheme and cannot contain spaces.`,
    (p) =>
      `Write, for example, \`${/^[\w{}/.-]+$/.test(p.uri) ? `data://${p.uri.replace(/^\/+/, "")}` : "data://name"}\`.`,
  ),
  "resource-template-invalid": error(
    (p: { uri: string; expression: string }) =>
      p.expression === p.uri
        ? `\`${p.uri}\` is not a valid URI template.`
        : `\`${p.expression}\` in \`${p.uri}\` is not a valid URI template expression.`,
    () => `Write \`{name}\`, \`{+path}\`, or \`{?query}\` (RFC 6570).`,
  ),
  "resource-variable-unused": error(
    (p: { uri: string; variable: string; parameters: string[] }) =>
      `The variable \`{${p.variable}}\` of \`${p.uri}\` has no parameter of the same name` +
      (p.parameters.length > 0 ? ` (the method has ${formatNames(p.parameters)}).` : "."),
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
        ? `Declare \`${p.variable}: string[]\`, or write \`{+${p.variable}}\` for one string that may contain slashes.`
        : `Declare \`${p.variable}: string[]\`, or remove the \`*\`.`,
  ),
  "resource-variable-cut": error(
    (p: { uri: string; variable: string; modifier: string }) =>
      `\`${p.variable}${p.modifier}\` in \`${p.uri}\` is the beginning of a string, but the parameter \`${p.variable}\` is a list.`,
    (p) => `Write \`${p.variable}*\`, or declare \`${p.variable}: string\`.`,
  ),
};

/** Begins a sentence about a class. */
function subject(name: string | undefined): string {
  return name === undefined ? "The class" : `\`${name}\``;
}
