import { format } from "prettier";
import { answersTable } from "./answers.mjs";
import { commandsTable, compileTable, devTable } from "./compiling.mjs";
import { fieldTable } from "./field.mjs";
import { sessionsTable, subscribersTable, toolsTable } from "./growth.mjs";
import { getRunFacts } from "./runs.mjs";
import { scaleSection } from "./scale.mjs";
import { authTable, coldStartTable, httpTable, protectionsTable, sizeTable, stdioTable } from "./serving.mjs";
import { targetsTable } from "./targets.mjs";
import { workersTable } from "./workers.mjs";

/** @typedef {import("../measured.mjs").Measured} Measured */

/** Returns the sections of the measurements as Markdown. @param {Measured} measured @returns {string[]} */
export function sections(measured) {
  const {
    cold,
    stdio,
    http,
    sizes,
    tools,
    sessions,
    subscribers,
    scale,
    auth,
    protections,
    workers,
    field,
    compile,
    commands,
    dev,
    answers,
  } = measured;
  return [
    cold && coldStartTable(cold),
    stdio && stdioTable(stdio),
    http && httpTable(http),
    sizes && sizeTable(sizes),
    tools && toolsTable(tools),
    sessions && sessionsTable(sessions),
    subscribers && subscribersTable(subscribers),
    scale && scaleSection(scale),
    auth && authTable(auth),
    protections && protectionsTable(protections),
    workers && workersTable(workers),
    field && fieldTable(field),
    compile && compileTable(compile),
    commands && commandsTable(commands),
    dev && devTable(dev),
    answers && answersTable(answers),
  ].flatMap((section) => section ?? []);
}

/**
 * Returns the whole results page.
 *
 * @param {ReadonlyMap<string, import("../stored-results.mjs").StoredPart>} parts in the order of the page
 */
export function resultsDocument(parts) {
  /** @type {Measured} */
  const measured = Object.assign({}, ...[...parts.values()].map((part) => part.measured));
  return `# Results

${getRunFacts(parts)
  .map((fact) => `- ${fact}`)
  .join("\n")}

\`raw\` is a hand-written JSON-RPC loop that checks nothing: the cost of Node itself. Every response of
every run was compared with the expected one.

${[targetsTable(measured), ...sections(measured)].join("\n\n")}
`;
}

/** Formats Markdown like the repository, with aligned columns, so that it is readable in a terminal. @param {string} markdown */
export function layOut(markdown) {
  return format(markdown, { parser: "markdown", printWidth: 110 });
}
