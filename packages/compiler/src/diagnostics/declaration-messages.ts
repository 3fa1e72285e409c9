import { error, warning } from "./catalog-entry.js";

/** The messages about the names, descriptions, schemas, and results of declarations. */
export const declarationMessages = {
  "tool-name-invalid": error(
    (p: { name: string; prefix: string | undefined }) =>
      `\`${p.name}\` is not a valid tool name: clients accept 1 to 128 letters, digits, dots, hyphens, and underscores.`,
    ({ name, prefix }) => {
      const valid = (prefix ?? name).replaceAll(/[^A-Za-z0-9_.-]+/g, "_");
      return prefix === undefined
        ? `Write \`@Tool({ name: ${JSON.stringify(valid.replaceAll(/^_+|_+$/g, "").slice(0, 64) || "tool")} })\`.`
        : `Write \`@Tool({ prefix: ${JSON.stringify(valid)} })\`.`;
    },
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
    (p: { tool: string; parameter?: string }) =>
      p.parameter === undefined
        ? `Tool \`${p.tool}\` has its own \`inputSchema\`, but its parameters do not show which arguments they receive.`
        : `Tool \`${p.tool}\` has its own \`inputSchema\`, which has no property \`${p.parameter}\`, so clients do not send the argument that the parameter of that name receives.`,
    (p) =>
      p.parameter === undefined
        ? `Declare one parameter: \`args: Record<string, unknown>\`.`
        : `Declare one parameter for all arguments, \`args: Record<string, unknown>\`, or name the parameter after a property.`,
  ),
  "schema-result-not-object": warning(
    (p: { tool: string; type: string }) =>
      `Tool \`${p.tool}\` returns \`${p.type}\`, but its \`outputSchema\` describes an object, so every call fails.`,
    () => `Return the object, or remove \`outputSchema\`.`,
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
  "prompt-arguments-unlisted": warning(
    (p: { prompt: string }) =>
      `Prompt \`${p.prompt}\` accepts arguments of any name, but a prompt lists its arguments by name, so clients do not offer others.`,
    () => `Declare the arguments by name: \`topic: string\`.`,
  ),
  "prompt-result-invalid": error(
    (p: { prompt: string; type: string }) =>
      `Prompt \`${p.prompt}\` returns \`${p.type}\`, which is not a prompt message.`,
    () =>
      `Return a string, a \`PromptMessage\`, an array of these, or a \`PromptResult\` (types from "@tenon/runtime"). Without a return type, write literals: \`role: "user" as const\`.`,
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
};
