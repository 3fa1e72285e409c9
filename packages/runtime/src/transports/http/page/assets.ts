/**
 * The style and the script of the page. They are constant, so that its content security policy can name their hashes.
 * They contain few spaces, because every server contains them.
 * @module
 */

/** The style sheet. The browser chooses the colors, light or dark, and the translucent ones suit both. */
export const STYLE = `:root{color-scheme:light dark;background:canvas;color:canvastext;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
*{box-sizing:border-box}
main{max-width:46rem;margin:3rem auto;padding:0 .5rem}
h1{font-size:2rem;line-height:1.2;margin:0}
h2{font-size:1.25rem;margin:2.5rem 0 .5rem}
p{margin:.5rem 0}
.soft,dd{opacity:.8}
.text{white-space:pre-line}
code{font-family:ui-monospace,monospace;font-size:.875rem}
.copy{display:flex;flex-wrap:wrap;gap:.5rem;align-items:start}
pre,button,details{border:1px solid #8888;border-radius:.5rem;margin:0}
pre{flex:1 18rem;padding:.5rem .75rem;background:#8882;white-space:pre-wrap;user-select:all}
button{font:inherit;min-width:5.5rem;padding:.3rem;background:0 0;color:inherit;cursor:pointer}
details{padding:0 .75rem;margin:.5rem 0}
summary{padding:.5rem 0;cursor:pointer;font-weight:600}
details>div{padding-bottom:.5rem}
dt{margin-top:1rem;font-weight:600}
dd{margin:0}
[role=status]{position:absolute;clip-path:inset(50%)}`;

/**
 * The script. It shows the buttons, which copy the text next to them. A proxy may have changed the URL that the server
 * sees, so the script replaces it with the one in the address bar, unless that contains characters with a meaning in a shell.
 */
export const SCRIPT = `const shown=document.querySelector("main").dataset.url,real=location.origin+location.pathname
if(shown&&shown!==real&&/^[\\w:/.~[\\]-]+$/.test(real))for(const code of document.querySelectorAll("code"))code.textContent=code.textContent.replaceAll(shown,()=>real)
for(const button of document.querySelectorAll("button")){button.hidden=false
button.onclick=async()=>{const code=button.parentElement.querySelector("code")
try{await navigator.clipboard.writeText(code.textContent)}catch{getSelection().selectAllChildren(code)
if(!document.execCommand("copy"))return}
const status=document.querySelector("[role=status]")
button.textContent=status.textContent="Copied"
setTimeout(()=>{button.textContent="Copy";status.textContent=""},2000)}}`;
