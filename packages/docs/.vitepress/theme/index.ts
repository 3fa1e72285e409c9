import "@fontsource/zilla-slab/latin-600.css";
import type { Theme } from "vitepress";
import defaultTheme from "vitepress/theme-without-fonts";
import Landing from "./Landing.vue";
import Recording from "./Recording.vue";
import "./tenon.css";
import "./landing.css";

const theme: Theme = {
  extends: defaultTheme,
  enhanceApp: ({ app }) => {
    app.component("Landing", Landing);
    app.component("Recording", Recording);
  },
};

export default theme;
