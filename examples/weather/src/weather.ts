import { NotFoundError, Prompt, Resource, Tool } from "@tenon/runtime";
import { climate, type City } from "./climate.js";

export interface Conditions {
  city: string;
  /** Degrees in the requested units. */
  temperature: number;
  sky: "clear" | "cloudy" | "rain";
}

export class Weather {
  /**
   * Current conditions for a city.
   * @param city City name, in English
   */
  @Tool({ readOnly: true, openWorld: false })
  current(city: string, units: "metric" | "imperial" = "metric"): Conditions {
    const { celsius, sky } = find(city);
    return { city, temperature: units === "metric" ? celsius : Math.round(celsius * 1.8 + 32), sky };
  }

  /** Forecast of the next days, one entry per day. */
  @Tool({ readOnly: true, openWorld: false })
  forecast(args: { city: string; /** @integer @minimum 1 @maximum 14 */ days: number; from?: Date }): Day[] {
    const { celsius, sky } = find(args.city);
    const first = (args.from ?? new Date()).getTime();
    return Array.from({ length: args.days }, (_, day) => ({
      date: new Date(first + day * 86_400_000),
      celsius: celsius + (day % 3) - 1,
      sky,
    }));
  }

  /** The climate report of one city and year. @mimeType text/markdown */
  @Resource("climate://{city}/{year}", { complete: { city: (value) => findCities(value) } })
  report(city: string, year: number): string {
    const { celsius, sky } = find(city);
    return `# ${city}, ${year}\n\nMean temperature ${celsius} °C, mostly ${sky}.\n`;
  }

  /** All cities with data. @mimeType application/json */
  @Resource("climate://cities")
  cities(): string[] {
    return Object.keys(climate);
  }

  /** Plan a trip around the weather. */
  @Prompt({ complete: { city: (value) => findCities(value) } })
  plan(city: string, mood: "calm" | "busy", days = 3): string {
    return `Plan ${days} ${mood} days in ${city}. Call the tool \`forecast\` first.`;
  }
}

interface Day {
  date: Date;
  celsius: number;
  sky: Conditions["sky"];
}

function find(city: string): City {
  const found = Object.entries(climate).find(([name]) => name.toLowerCase() === city.toLowerCase());
  if (!found)
    throw new NotFoundError(`No data for "${city}". Known cities: ${Object.keys(climate).join(", ")}.`);
  return found[1];
}

function findCities(value: string): string[] {
  return Object.keys(climate).filter((name) => name.toLowerCase().startsWith(value.toLowerCase()));
}
