/** @jsxImportSource react */
import type { ViewProps } from "@tenon/runtime/view";
import { useState } from "react";
import type { Weather } from "./weather.js";

export default function Greeting({ tool, result }: ViewProps<Weather, "greet" | "part">) {
  const [count, setCount] = useState(0);
  return (
    <button onClick={() => setCount(count + 1)}>
      {tool} {result ?? "…"} {count}
    </button>
  );
}
