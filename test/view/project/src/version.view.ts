import type { MountedApp } from "@tenon/runtime/view";
import type { Weather } from "./weather.js";

export default function mount(root: HTMLElement, app: MountedApp<typeof Weather, "version">): void {
  app.subscribe(({ result }) => {
    root.textContent = result ?? "unknown";
  });
}
