import { render } from "preact";
import { createPlayground } from "./state/playground.js";
import { App } from "./view/app.js";

render(<App playground={createPlayground()} />, document.body);
