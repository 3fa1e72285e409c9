/** True for JSON in UTF-8, however the type is spelled. */
export function isJsonType(contentType: string | undefined): boolean {
  if (contentType === "application/json") return true;
  if (contentType === undefined) return false;
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  if (type.trim() !== "application/json") return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.split("=");
    if (name.trim() !== "charset") return true;
    return ["utf-8", "utf8"].includes(value.trim().replaceAll('"', ""));
  });
}

/** What a client can read of an answer. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

const BOTH: Accepted = { json: true, events: true };

/** Reads `Accept`; a client that does not say can read anything. */
export function readAccept(accept: string | undefined): Accepted {
  if (accept === undefined || accept === "application/json, text/event-stream" || accept === "*/*")
    return BOTH;
  const types = new Set(
    accept
      .toLowerCase()
      .split(",")
      .map((range) => range.split(";").map((part) => part.trim()))
      .filter(([, ...parameters]) => !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)))
      .map(([type]) => type),
  );
  const any = types.has("*/*");
  return {
    json: any || types.has("application/json") || types.has("application/*"),
    events: any || types.has("text/event-stream") || types.has("text/*"),
  };
}
