import { Tool } from "@tenon/runtime";

export interface Forecast {
  city: string;
  days: { date: string; celsius: number }[];
}

export class Weather {
  /** The forecast of a city. */
  @Tool({ readOnly: true, view: "./forecast.view.tsx" })
  forecast(city: string, days = 3): Forecast {
    if (city === "Atlantis") throw new RangeError("It sank.");
    const dates = Array.from({ length: days }, (_, index) => `2026-12-0${index + 1}`);
    return { city, days: dates.map((date, index) => ({ date, celsius: index })) };
  }

  /** The temperature of a city, which only the view needs. */
  @Tool({ readOnly: true, visibility: ["app"] })
  temperature(city: string): number {
    if (city === "Atlantis") throw new RangeError("It sank.");
    return city.length;
  }

  /** A number, in plain DOM. */
  @Tool({ view: { file: "./number.view.ts", displayModes: ["inline", "fullscreen"] } })
  count(words: string[]): number {
    return words.length;
  }

  /** A text, in React. */
  @Tool({ readOnly: true, view: "./greeting.view.tsx" })
  greet(name: string): string {
    return `Hello ${name}`;
  }

  /** A greeting and a parting, in one view. */
  @Tool({ readOnly: true, view: "./greeting.view.tsx" })
  part(name: string): string {
    return `Goodbye ${name}`;
  }

  /** The version, in a view that does not report its height. */
  @Tool({ readOnly: true, view: { file: "./version.view.ts", autoSize: false } })
  static version(): string {
    return "1.0";
  }

  /** A view of the author's own build. */
  @Tool({ readOnly: true, view: "./page.html" })
  page(): string {
    return "page";
  }
}
