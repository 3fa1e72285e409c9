import type { ViewProps } from "@tenon/runtime/view";
import { loadState, saveState } from "@tenon/runtime/view";
import { useState } from "preact/hooks";
import type { Weather } from "./weather.js";

export default function Forecast(props: ViewProps<Weather, "forecast">) {
  const { input, state, result, error, app } = props;
  const [answer, setAnswer] = useState("");
  const show = (work: Promise<unknown>): void => {
    work.then(
      (value) => setAnswer(JSON.stringify(value)),
      (reason: { code?: string; message: string }) => setAnswer(`${reason.code}: ${reason.message}`),
    );
  };
  const { context } = app.host;
  return (
    <main style={{ border: "1px solid var(--color-border-primary)" }}>
      <p id="state">{state}</p>
      {!result && !error && <p id="input">Looking up {input.city}…</p>}
      {error && <p id="error">{`${error.code}: ${error.message}`}</p>}
      {result && (
        <ul>
          {result.days.map((day) => (
            <li key={day.date} style={{ height: 30 }}>
              {day.date}: {day.celsius} °C
            </li>
          ))}
        </ul>
      )}
      <p id="mode">{`${context.displayMode ?? "unknown"} ${context.locale ?? ""}`}</p>
      {result && <p id="saved">{loadState<{ day: string }>(props)?.day ?? "nothing"}</p>}
      <button id="save" onClick={() => setAnswer(String(saveState(props, { day: "Monday" })))} />
      <p id="answer">{answer}</p>
      <button id="call" onClick={() => show(app.call.temperature({ city: "Oslo" }))} />
      <button id="fail" onClick={() => show(app.call.temperature({ city: "Atlantis" }))} />
      <button id="link" onClick={() => show(app.openLink("https://example.com/"))} />
      <button id="script" onClick={() => show(app.openLink("javascript:alert(1)"))} />
      <button id="message" onClick={() => show(app.sendMessage("Thanks"))} />
      <button id="context" onClick={() => show(app.updateModelContext({ structuredContent: { seen: 1 } }))} />
      <button id="read" onClick={() => show(app.readResource("note://1"))} />
      <button
        id="download"
        onClick={() =>
          show(app.downloadFile([{ type: "resource", resource: { uri: "file:///a.txt", text: "a" } }]))
        }
      />
      <button id="log" onClick={() => app.log("info", "pressed")} />
      <button id="fullscreen" onClick={() => show(app.requestDisplayMode("fullscreen"))} />
    </main>
  );
}
