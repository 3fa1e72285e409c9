/** The person at the terminal gave up at a question. Nothing has been written then. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}
