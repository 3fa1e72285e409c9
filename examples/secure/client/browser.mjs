/**
 * Logs a user in as a browser would: follows redirects, fills in the name, and agrees.
 *
 * @param {URL} url the URL to which the client sends its user
 * @param {string} user
 * @param {string} callback the URL at which the client waits for the redirect
 * @returns {Promise<URLSearchParams>} the parameters of the redirect to the client
 */
export async function logIn(url, user, callback) {
  /** @type {Map<string, string>} */
  const cookies = new Map();
  let [next, form] = [url, /** @type {URLSearchParams | undefined} */ (undefined)];
  for (let pages = 0; pages < 20; pages++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(next, {
      redirect: "manual",
      headers: { cookie },
      ...(form && { method: "POST", body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    const location = response.headers.get("location");
    if (location === null) {
      const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
      if (prompt === undefined) throw new Error(`${next.href} responded with ${response.status}: ${text}`);
      form = new URLSearchParams({ prompt, login: user, password: "any" });
      continue;
    }
    [next, form] = [new URL(location, next), undefined];
    if (next.href.startsWith(callback)) return next.searchParams;
  }
  throw new Error("The login did not finish within 20 pages.");
}
