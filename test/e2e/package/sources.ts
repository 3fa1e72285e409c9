/** A server with a tool, a prompt, and a resource, which reads its environment. */
export const WEATHER = {
  "src/weather.ts": `import { Prompt, Resource, Tool } from "@tenon/runtime";

/** Your key of api.weather.example. */
const key = process.env.WEATHER_API_KEY;
/** Which units are used. */
const units = process.env.WEATHER_UNITS ?? "metric";

export class Weather {
  /** Current conditions for a city. */
  @Tool({ readOnly: true })
  current(city: string): { city: string; units: string; key: string } {
    return { city, units, key: key ?? "none" };
  }

  /** Plan a trip. */
  @Prompt()
  plan(city: string): string {
    return \`Plan a day in \${city}.\`;
  }

  /** The climate. */
  @Resource("climate://{city}")
  climate(city: string): string {
    return \`mild in \${city}\`;
  }
}
`,
};

/** An installed package whose package.json declares native code, and a tool that uses it. */
export const NATIVE = {
  "node_modules/native-thing/package.json": JSON.stringify({
    name: "native-thing",
    version: "2.0.0",
    types: "index.d.ts",
    gypfile: true,
  }),
  "node_modules/native-thing/index.d.ts": "export declare function answer(): string;",
  "node_modules/native-thing/index.js": `exports.answer = () => "native";`,
  "src/native.ts": `import { Tool } from "@tenon/runtime";
import { answer } from "native-thing";

export class Native {
  /** Asks native code. */
  @Tool()
  ask(): string {
    return answer();
  }
}
`,
};

/** An installed package that works anywhere, and a tool that uses it. */
export const PURE = {
  "node_modules/pure-thing/package.json": JSON.stringify({
    name: "pure-thing",
    version: "1.0.0",
    types: "index.d.ts",
  }),
  "node_modules/pure-thing/index.d.ts": "export declare function answer(): string;",
  "node_modules/pure-thing/index.js": `const { join } = require("path"); exports.answer = () => join("pure", "thing");`,
  "src/pure.ts": `import { Tool } from "@tenon/runtime";
import { answer } from "pure-thing";

export class Pure {
  /** Asks a package. */
  @Tool()
  pure(): string {
    return answer();
  }
}
`,
};

/** Packages that a project needs if it has its own packages. */
export const INSTALLED = ["@tenon", "@types", "undici-types", "reflect-metadata"];
