/**
 * @import { Server } from "@tenon/runtime/server"
 * @import { Note, Opening } from "./recorder.mjs"
 */

/**
 * Wraps a server so that its connections are recorded, for clients in this process that connect without a transport.
 *
 * @param {Server} server
 * @param {(opening: Omit<Opening, "program">) => Note} open
 * @returns {Server}
 */
export function tapServer(server, open) {
  return {
    ...server,
    connect(peer, options) {
      const note = open({ way: "memory" });
      const send = (/** @type {string} */ text) => {
        if (isHere) note({ sent: text });
        peer.send(text);
      };
      let isHere = true;
      const connection = server.connect({ ...peer, send }, options);
      // The playground's client connects to a server in another process.
      isHere = "rejectText" in connection;
      if (!isHere) return connection;
      const receive = connection.receive.bind(connection);
      const rejectText = connection.rejectText.bind(connection);
      return Object.assign(connection, {
        receive: (/** @type {Parameters<typeof receive>} */ ...given) => {
          note({ received: envelope(given[0]) });
          const reply = receive(...given);
          if (reply instanceof Promise) void reply.then((answer) => answer && note({ sent: answer.text }));
          else if (reply !== undefined) note({ sent: reply.text });
          return reply;
        },
        rejectText: (/** @type {string} */ problem) => {
          const answer = rejectText(problem);
          note({ sent: answer.text });
          return answer;
        },
      });
    },
  };
}

/** Returns the members that identify a response; the rest may be nested too deeply to be written. @param {unknown} value */
function envelope(value) {
  const one = (/** @type {any} */ each) => {
    if (typeof each !== "object" || each === null) return each;
    const { id, method, params, result, error } = each;
    const has = {
      result: result === undefined ? undefined : true,
      error: error === undefined ? undefined : true,
    };
    return { id, method, params: { _meta: params?._meta }, ...has };
  };
  return Array.isArray(value) ? value.map(one) : one(value);
}
