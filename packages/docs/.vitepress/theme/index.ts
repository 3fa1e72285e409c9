import theme from "vitepress/theme-without-fonts";
import "./tenon.css";

export default theme;
