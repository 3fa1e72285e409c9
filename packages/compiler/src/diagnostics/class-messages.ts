import { error, warning } from "./catalog-entry.js";
import { formatNames } from "./format-list.js";

/** The messages about decorators, and the classes and methods that have them. */
export const classMessages = {
  "class-not-exported": error(
    (p: { name: string | undefined }) =>
      `${subject(p.name)} has decorated members, but the class is not exported, so none of them is served.`,
    (p) => `Write \`export class ${p.name ?? "Name"}\`, or remove the decorators.`,
  ),
  "class-nested": error(
    (p: { name: string | undefined; nesting: "namespace" | "function" | "expression" | "block" }) =>
      `${subject(p.name)} has decorated members, but the server can find only classes at the top level of a module, and this one is inside ${p.nesting === "expression" ? "an" : "a"} ${p.nesting}. None of them is served.`,
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
  "instance-repeated": warning(
    (p: { className: string }) =>
      `\`provide\` already contains an instance of \`${p.className}\`, which serves all calls. This one serves none.`,
    (p) =>
      `Remove one of the two. To serve both, extend \`${p.className}\` twice, with a different \`prefix\` for each class.`,
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
};

/** Begins a sentence about a class. */
function subject(name: string | undefined): string {
  return name === undefined ? "The class" : `\`${name}\``;
}
