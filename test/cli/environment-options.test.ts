import { expect, it } from "vitest";
import {
  formatOf,
  isOfMachine,
  isSecret,
  titleOf,
} from "../../packages/cli/src/package/settings/environment-options.js";
import { authorOf, fileName } from "../../packages/cli/src/package/settings/package-settings.js";
import { repositoryOf } from "../../packages/cli/src/package/settings/repository.js";

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
])("%s is a secret: %s", (name, secret) => {
  expect(isSecret(name)).toBe(secret);
});

it.each([
  ["NODE_ENV", true],
  ["HOME", true],
  ["PORT", true],
  ["TENON_STATE_KEYS", true],
  ["HOME_PAGE", false],
  ["WEATHER_PORT", false],
])("%s is set by machines: %s", (name, ofMachine) => {
  expect(isOfMachine(name)).toBe(ofMachine);
});

it.each([
  [{ name: "NOTES_DIR" }, "folder"],
  [{ name: "KEY_FILE" }, "filepath"],
  [{ name: "LIMIT", default: "10" }, "number"],
  [{ name: "REGION", default: "eu-1" }, "string"],
])("%j is a %s", (variable, format) => {
  expect(formatOf({ optional: true, ...variable })).toBe(format);
});

it("writes names as people read them", () => {
  expect(titleOf("WEATHER_API_KEY")).toBe("Weather API key");
  expect(fileName("@Ada/my weather")).toBe("ada-my-weather");
});

it.each([
  [
    "Ada <ada@example.com> (https://ada.example.com)",
    { name: "Ada", email: "ada@example.com", url: "https://ada.example.com" },
  ],
  ["Ada Lovelace", { name: "Ada Lovelace" }],
  [" ", undefined],
])("reads the author %j", (author, person) => {
  expect(authorOf({ name: "x", author })).toEqual(person);
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
])("reads the repository %j", (repository, expected) => {
  expect(repositoryOf({ name: "x", ...(repository !== undefined && { repository }) })).toEqual(expected);
});
