/** One event of a stream, field by field. */
export interface StreamEvent {
  id?: string;
  retry?: string;
  data?: string;
}

/** Yields the events of a stream as they arrive. */
export async function* readStream(response: Response): AsyncGenerator<StreamEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const fields = lines.map((line) => line.split(/: ?(.*)/, 2));
      if (fields.some(([name]) => name !== "")) yield Object.fromEntries(fields) as StreamEvent;
    }
  }
}

/** Reads a stream to its end. */
export async function readAllEvents(response: Response): Promise<StreamEvent[]> {
  const found: StreamEvent[] = [];
  for await (const event of readStream(response)) found.push(event);
  return found;
}

/** Reads the first events of a stream, and then closes it. */
export async function readFirstEvents(response: Response, count: number): Promise<StreamEvent[]> {
  const found: StreamEvent[] = [];
  for await (const event of readStream(response)) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
}

/** Returns the most telling part of an event: the URI, method, text, or error of its message. */
export function summarizeEvent({ data = "" }: StreamEvent): string {
  if (data === "") return "(nothing)";
  const message = JSON.parse(data) as {
    method?: string;
    params?: { uri?: string };
    result?: { content: { text: string }[] };
    error?: { message: string };
  };
  const { method, params, result, error } = message;
  return params?.uri ?? method ?? result?.content[0]?.text ?? error?.message ?? data;
}
