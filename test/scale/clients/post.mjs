import { once } from "node:events";
import { request } from "node:http";

/**
 * Posts a message over its own connection, since a kept one may belong to a killed process.
 *
 * @param {URL | undefined} url @param {Record<string, string>} headers @param {object} message
 * @returns {Promise<number>} The status of the answer.
 */
export async function post(url, headers, message) {
  if (url === undefined) throw new Error("There is no such replica.");
  const body = JSON.stringify(message);
  const sent = request(url, {
    method: "POST",
    agent: false,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": Buffer.byteLength(body),
      ...headers,
    },
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
  return response.statusCode;
}
