/** One red pixel, base64. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** An empty audio file, base64. */
export const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

/** The pixel as an icon. */
export const ICONS = [{ src: `data:image/png;base64,${PNG}`, mimeType: "image/png", sizes: ["1x1"] }];
