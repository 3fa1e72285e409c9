export interface City {
  celsius: number;
  sky: "clear" | "cloudy" | "rain";
}

export const climate: Record<string, City> = {
  Oslo: { celsius: 6, sky: "cloudy" },
  Nairobi: { celsius: 19, sky: "clear" },
  Bergen: { celsius: 8, sky: "rain" },
  Lisbon: { celsius: 17, sky: "clear" },
  Osaka: { celsius: 17, sky: "cloudy" },
};
