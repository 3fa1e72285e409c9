import type { Call } from "../connection/call.js";
import type { CountedCaller } from "./call-counts.js";

/**
 * As whom the sender of a call is counted: a principal, else an address, else a connection. Each is followed by those
 * with whom it is counted where there is no room for it alone.
 *
 * A principal is counted by issuer and subject, without its client: who may register clients would else have as many
 * allowances. IPv6 is counted by networks of /64, which is what one subscriber has, and then by /48, the least that
 * providers are given to hand out. Where a platform tells no addresses, all that nobody has signed for are one.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6177
 */
export function countedCallers(call: Call): readonly CountedCaller[] {
  const named = namedCallers(call);
  if (named !== undefined) return named;
  if (call.peer.endsWithAnswer === true) return [rest("unknown")];
  return [{ kind: "connection", id: call.session.id }, rest("connections")];
}

/** The same for a principal or an address; undefined for whoever is known by neither. */
export function namedCallers({ peer }: Call): readonly [CountedCaller, ...CountedCaller[]] | undefined {
  const { principal, address } = peer;
  if (principal !== undefined) {
    const { issuer = null, subject } = principal;
    return [{ kind: "principal", id: JSON.stringify([issuer, subject]) }, rest("principals")];
  }
  if (address === undefined) return undefined;
  const [host, network] = networksOf(address);
  return [{ kind: "address", id: host }, { kind: "network", id: network }, rest("addresses")];
}

function rest(id: string): CountedCaller {
  return { kind: "rest", id };
}

/**
 * What an address is counted as, and the wider network that it belongs to.
 *
 * @param address in the form of RFC 5952
 * @example
 * networksOf("2001:db8::1") // ["2001:db8:0:0", "2001:db8:0"]
 * networksOf("192.0.2.1") // ["192.0.2.1", "192.0.2"]
 */
function networksOf(address: string): [host: string, network: string] {
  if (!address.includes(":")) return [address, address.slice(0, address.lastIndexOf("."))];
  const [before = "", after] = address.split("::");
  const left = before === "" ? [] : before.split(":");
  const right = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right];
  return [groups.slice(0, 4).join(":"), groups.slice(0, 3).join(":")];
}
