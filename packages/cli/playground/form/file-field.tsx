import type { JsonSchema } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useFieldError } from "./field-errors.js";
import { Labeled } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";

/** Maximum number of characters of the name or text that represents a chosen file. */
const MAX_SHOWN_CHARACTERS = 60;

/** A field for a file. The file that is chosen is sent as a data URI, or in the object that OpenAI's clients send. */
export function FileField(props: ShapedProps<"file">): VNode {
  const { id, label, schema, isRequired, value, onChange, shape } = props;
  const [problem, setProblem] = useState<string>();
  const choose = (file: File | undefined): void => {
    setProblem(undefined);
    if (file === undefined) return onChange(undefined);
    toDataUri(file).then(
      (uri) =>
        onChange(shape.isObject ? { download_url: uri, file_id: file.name, file_name: file.name } : uri),
      (error: unknown) => setProblem(`The file cannot be read: ${String(error)}`),
    );
  };
  const shown = describeFile(value);
  return (
    <Labeled {...props}>
      <input
        id={id}
        name={label}
        type="file"
        accept={getAcceptedTypes(schema)}
        aria-required={isRequired}
        aria-invalid={problem !== undefined || useFieldError(id) !== undefined}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
      />
      {shown !== undefined && <span class="hint">{shown}</span>}
      {problem !== undefined && <p class="problem">{problem}</p>}
    </Labeled>
  );
}

/** Returns the accepted types as a file input lists them. Undefined if all are accepted. */
function getAcceptedTypes(schema: JsonSchema): string | undefined {
  const { accept } = (schema["x-mcp-file"] ?? {}) as { accept?: string[] };
  return accept?.join(",");
}

/** Reads a file as a data URI with its type and its name. */
async function toDataUri(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error as Error));
    reader.readAsDataURL(file);
  });
  // An empty file has no data and, in some browsers, no comma.
  const data = url.slice(url.indexOf(",") + 1);
  const type = file.type === "" ? "application/octet-stream" : file.type;
  return `data:${type};name=${encodeURIComponent(file.name)};base64,${file.size === 0 ? "" : data}`;
}

/** Describes the file in a value: by its name, if it has one, and by its size. */
function describeFile(value: unknown): string | undefined {
  const { download_url } = Object(value) as { download_url?: unknown };
  const text =
    typeof value === "string" ? value : typeof download_url === "string" ? download_url : undefined;
  if (text === undefined) return undefined;
  const [, name] = /^data:[^,]*;name=([^;,]*)/.exec(text) ?? [];
  if (name === undefined) return text.slice(0, MAX_SHOWN_CHARACTERS);
  const data = text.slice(text.indexOf(",") + 1).replace(/=+$/, "");
  const bytes = Math.floor((data.length * 3) / 4);
  return `${decodeURIComponent(name).slice(0, MAX_SHOWN_CHARACTERS)}, ${bytes.toLocaleString("en-US")} bytes`;
}
