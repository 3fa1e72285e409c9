import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { FOREIGN } from "../../wire/recorder.mjs";

/** An API that returns one response for all requests, and the requests that it received. */
export interface RecordedApi {
  readonly url: string;
  readonly asked: { call: string; headers: Record<string, unknown>; body: string }[];
  answer: { status: number; headers: Record<string, string>; body: string | Uint8Array };
  close(): void;
}

/** @param hasAllHeaders whether it records all headers, or only those that clients add to some requests */
export async function startRecordedApi(hasAllHeaders = false): Promise<RecordedApi> {
  const api = {
    url: "",
    asked: [] as RecordedApi["asked"],
    answer: {
      status: 200,
      headers: { "content-type": "application/json" },
      body: "{}",
    } as RecordedApi["answer"],
    close: (): void => void server.close(),
  };
  const server: Server = Object.assign(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { authorization, cookie, accept, "content-type": type, ...others } = request.headers;
        const own = Object.fromEntries(
          Object.entries(others).filter(([name]) => hasAllHeaders || name.startsWith("x-")),
        );
        const body = Buffer.concat(chunks).toString();
        api.asked.push({
          call: `${request.method} ${request.url}`,
          headers: JSON.parse(JSON.stringify({ authorization, cookie, accept, type, ...own })) as never,
          body,
        });
        if (request.url === "/token") response.writeHead(200).end('{"access_token":"t1","expires_in":60}');
        else response.writeHead(api.answer.status, api.answer.headers).end(api.answer.body);
      });
    }),
    { [FOREIGN]: true },
  );
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  api.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return api;
}
