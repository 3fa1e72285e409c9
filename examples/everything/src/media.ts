/** One red pixel, base64. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** A sound of no length, base64. */
export const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

/** The pixel again, as every definition can carry it. */
export const ICONS = [{ src: `data:image/png;base64,${PNG}`, mimeType: "image/png", sizes: ["1x1"] }];
