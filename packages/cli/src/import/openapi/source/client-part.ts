/** What a call needs of the client. */
export type CallPart =
  | "json"
  | "form"
  | "multipart"
  | "text"
  | "bytes"
  | "media type"
  | "json answer"
  | "text answer"
  | "content"
  | "done"
  | "query"
  | "headers"
  | "cookies"
  | "joined"
  | "deepObject"
  | "server"
  | "security";
