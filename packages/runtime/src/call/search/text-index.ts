/**
 * A ranked search in short documents.
 *
 * @see https://en.wikipedia.org/wiki/Okapi_BM25
 * @module
 */

/** Text of a document, and the weight of its words. */
export interface IndexedText {
  readonly text: string;
  readonly weight: number;
}

/** A document to find. */
export interface IndexedDocument<Key> {
  readonly key: Key;
  /** A document ranks lower if its name has words that the query lacks, since it is more specific than the query. */
  readonly name: string;
  readonly texts: readonly IndexedText[];
}

/** Returns the keys of the documents that match a query, best match first. */
export type Search<Key> = (query: string) => Key[];

/** The saturation of repeated words, and the influence of a document's length, which BM25 leaves open. */
const SATURATION = 1.2;
const LENGTH_INFLUENCE = 0.4;
/** The weight of a synonym of a word in the query. */
const SYNONYM_WEIGHT = 0.5;

/**
 * Creates a search with BM25, in which each text of a document has its own weight. Common verbs also find their synonyms.
 *
 * @example
 * const search = createTextIndex([{ key: "book", name: "book", texts: [{ text: "Books a flight", weight: 1 }] }]);
 * search("flights") // ["book"]
 */
export function createTextIndex<Key>(documents: readonly IndexedDocument<Key>[]): Search<Key> {
  const frequencies = documents.map(({ texts }) => countWords(texts));
  const names = documents.map(({ name }) => [...new Set(splitWords(name))]);
  const lengths = frequencies.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const containing = new Map<string, number>();
  for (const counts of frequencies)
    for (const word of counts.keys()) containing.set(word, (containing.get(word) ?? 0) + 1);

  return (query) => {
    const terms = [...new Set(splitWords(query))].map((word) => [word, ...findSynonyms(word)] as const);
    const wanted = new Set(terms.flat());
    const scored = documents.map(({ key }, index) => {
      const counts = frequencies[index] ?? new Map<string, number>();
      const norm =
        SATURATION * (1 - LENGTH_INFLUENCE + (LENGTH_INFLUENCE * (lengths[index] ?? 0)) / meanLength);
      const scoreWord = (word: string): number => {
        const count = counts.get(word) ?? 0;
        const rarity = Math.log(1 + documents.length / (containing.get(word) ?? 1));
        return (rarity * count * (SATURATION + 1)) / (count + norm);
      };
      const score = terms.reduce(
        (sum, [word, ...others]) =>
          sum + Math.max(scoreWord(word), ...others.map((each) => SYNONYM_WEIGHT * scoreWord(each))),
        0,
      );
      const known = names[index]?.filter((word) => wanted.has(word)).length ?? 0;
      const coverage = known / Math.max(1, names[index]?.length ?? 1);
      return { key, score: score * (1 + coverage) };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ key }) => key);
  };
}

function findSynonyms(word: string): readonly string[] {
  return SYNONYMS.find((group) => group.includes(word)) ?? [];
}

function countWords(texts: readonly IndexedText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, weight } of texts)
    for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + weight);
  return counts;
}

/** Words that are too common to be searched for. */
const IGNORED: ReadonlySet<string> = new Set(
  "a an and are as at be by for from in into is it its me my of on or that the this to with you your".split(
    " ",
  ),
);

/** Groups of synonyms that are common in the names of tools, as stems. */
const SYNONYMS: readonly (readonly string[])[] = [
  "create add new open make insert start",
  "update edit change modify set replac write",
  "delet remov eras destroy",
  "get read fetch view show retriev download info",
  "list all browse enumerat member",
  "search find look query",
  "send post publish submit",
  "run execut trigger dispatch",
  "person people user who someon",
].map((group) => group.split(" "));

/** Splits text into the stems of its words. Names such as `listPullRequests` and `list_pull_requests` are several words. */
export function splitWords(text: string): string[] {
  const words = text
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.flatMap((word) => (word === "" || IGNORED.has(word) ? [] : findStem(word)));
}

/** Removes the endings of English plurals and verb forms, so that "listed issues" finds `list_issue`. */
function findStem(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  const stem = word.replace(/(?:(?<=ss|x|ch|sh)es|(?<!s|u|i)s|ing|ed)$/, "");
  // "cancelled" becomes "cancel", and "archive" becomes "archiv", like "archiving".
  return stem.length < 3 ? word : stem.replace(/(?<=[^aeiou])e$|(?<=([bdglmnprt]))\1$/, "");
}
