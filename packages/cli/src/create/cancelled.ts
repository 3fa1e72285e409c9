/** The person at the terminal gave up. Nothing has been written then. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}
