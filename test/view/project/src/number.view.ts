import type { MountedApp } from "@tenon/runtime/view";
import type { Weather } from "./weather.js";

export default function mount(root: HTMLElement, app: MountedApp<Weather, "count">): () => void {
  // Content that is always taller than the window.
  root.innerHTML = '<p id="number"></p><div style="height: 100vh; margin: 8px 0"></div>';
  app.subscribe(({ state, result, error }) => {
    if (result === -1) console.error("A number of words is never -1.");
    const number = document.getElementById("number");
    if (number)
      number.textContent = `${state} ${result ?? error?.code ?? "-"} ${app.host.context.displayMode ?? ""}`;
  });
  return () => app.log("info", "unmounted");
}
