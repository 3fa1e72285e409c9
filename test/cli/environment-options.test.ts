import { expect, it } from "vitest";
// Internal: settings of packages, without a package for each.
import {
  getFormat,
  isSetByMachine,
  isSecret,
  toTitle,
} from "../../packages/cli/src/package/settings/environment-options.js";
import { getAuthor, toFileName } from "../../packages/cli/src/package/settings/package-settings.js";
import { getRepository } from "../../packages/cli/src/package/settings/repository.js";

it.each([
  ["WEATHER_API_KEY", true],
  ["KEY", true],
  ["GITHUB_TOKEN", true],
  ["DB_PASSWORD", true],
  ["DATABASE_URL", true],
  ["SENTRY_DSN", true],
  ["KEYBOARD", false],
  ["MONKEY", false],
  ["TOKEN_LIMIT", false],
  ["API_URL", false],
  ["COMPASS", false],
])("the variable %s is recognized as a secret: %s", (name, secret) => {
  expect(isSecret(name)).toBe(secret);
});

it.each([
  ["NODE_ENV", true],
  ["HOME", true],
  ["PORT", true],
  ["TENON_STATE_KEYS", true],
  ["HOME_PAGE", false],
  ["WEATHER_PORT", false],
])("the variable %s is recognized as set by machines: %s", (name, ofMachine) => {
  expect(isSetByMachine(name)).toBe(ofMachine);
});

it.each([
  [{ name: "NOTES_DIR" }, "folder"],
  [{ name: "KEY_FILE" }, "filepath"],
  [{ name: "LIMIT", default: "10" }, "number"],
  [{ name: "REGION", default: "eu-1" }, "string"],
])("the value %j is a %s", (variable, format) => {
  expect(getFormat({ optional: true, ...variable })).toBe(format);
});

it("names are formatted for people", () => {
  expect(toTitle("WEATHER_API_KEY")).toBe("Weather API key");
  expect(toFileName("@Ada/my weather")).toBe("ada-my-weather");
});

it.each([
  [
    "Ada <ada@example.com> (https://ada.example.com)",
    { name: "Ada", email: "ada@example.com", url: "https://ada.example.com" },
  ],
  ["Ada Lovelace", { name: "Ada Lovelace" }],
  [" ", undefined],
])("the author %j is parsed", (author, person) => {
  expect(getAuthor({ name: "x", author })).toEqual(person);
});

const ADA = { url: "https://github.com/ada/weather", source: "github", owner: "ada", name: "weather" };

it.each([
  ["ada/weather", ADA],
  ["github:ada/weather", ADA],
  ["https://github.com/ada/weather", ADA],
  ["git+https://github.com/ada/weather.git", ADA],
  ["git+ssh://git@github.com/ada/weather.git", ADA],
  ["git@github.com:ada/weather.git", ADA],
  ["git://github.com/ada/weather.git#main", ADA],
  [
    { url: "https://github.com/ada/weather/", directory: "./packages/server/" },
    { ...ADA, subfolder: "packages/server" },
  ],
  ["gitlab:ada/weather", { ...ADA, url: "https://gitlab.com/ada/weather", source: "gitlab" }],
  ["https://example.com/ada/weather.git", undefined],
  [undefined, undefined],
])("the repository %j is parsed", (repository, expected) => {
  expect(getRepository({ name: "x", ...(repository !== undefined && { repository }) })).toEqual(expected);
});
