/** Runs the whole flow with the server that `npm start` started, and shows every request. */
import { createUser } from "./user.mjs";

const url = "http://localhost:3000/mcp";

/** @param {string} line */
const printStep = (line) => console.log(`\n${line}`);

/** @type {typeof fetch} */
const tracedFetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const challenge = response.headers.get("www-authenticate");
  const wait = response.headers.get("retry-after");
  console.log(`  ${response.status} ${init?.method ?? "GET"} ${pathname}`);
  if (challenge !== null) console.log(`      ${challenge}`);
  if (wait !== null) console.log(`      Retry-After: ${wait}`);
  return response;
};

/** @param {{ content?: unknown, structuredContent?: unknown }} result */
const printResult = ({ structuredContent, content }) =>
  console.log("  →", JSON.stringify(structuredContent ?? content));

const bob = createUser("bob", url, tracedFetch);
const ada = createUser("ada", url, tracedFetch);

printStep("Bob looks at his expenses. His client has no token, and discovers where to get one.");
printResult(await bob.do((client) => client.callTool({ name: "mine", arguments: {} })));

printStep("He submits one. His token lacks the scope, so his client requests it.");
const lunch = { name: "submit", arguments: { purpose: "Lunch with a client", euros: 48.5 } };
printResult(await bob.do((client) => client.callTool(lunch)));

printStep("He submits more expenses than the rate limit allows.");
for (let times = 0; times < 4; times++) {
  await bob
    .do((client) => client.callTool(lunch))
    .then(printResult, (error) => console.log("  →", error.message));
}

printStep("He does not see the tool for approving, which is for managers.");
const { tools } = await bob.do((client) => client.listTools());
console.log("  →", tools.map(({ name }) => name).join(", "));

printStep("Ada is a manager. She approves the expense and closes the books.");
printResult(await ada.do((client) => client.callTool({ name: "approve", arguments: { id: 1 } })));
printResult(await ada.do((client) => client.callTool({ name: "close", arguments: {} })));

printStep("After that, all changes are rejected.");
printResult(await ada.do((client) => client.callTool({ name: "approve", arguments: { id: 1 } })));

await Promise.all([bob.close(), ada.close()]);
