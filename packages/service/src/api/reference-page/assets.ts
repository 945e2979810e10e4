/**
 * This file has the style and the search script, which the page contains inline. The page has 50,000 elements, so
 * browsers lay out only the articles near the viewport (`content-visibility`).
 */

export const style = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2430;--soft:#5a6575;--line:#dde2ea;--well:#f5f7fa;--link:#0b57a4;
--get:#1a6e3c;--post:#0b57a4;--put:#8a5300;--patch:#6b3fa0;--delete:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#14181f;--ink:#e3e8ef;--soft:#9aa6b5;--line:#2c3440;--well:#1c222b;
--link:#7db7f5;--get:#6fce94;--post:#7db7f5;--put:#e0ad5c;--patch:#c3a3ee;--delete:#f29088}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,sans-serif;display:grid;
grid-template-columns:19rem minmax(0,1fr)}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--paper);padding:.5rem;z-index:1}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);
background:var(--well);font-size:13px}
nav label{font-weight:600}
nav input{width:100%;margin-top:.3rem;padding:.45rem .6rem;border:1px solid var(--line);border-radius:6px;
background:var(--paper);color:inherit;font:inherit}
nav p{margin:.3rem 0;color:var(--soft);min-height:1.4em}
nav ul{list-style:none;margin:0;padding:0}
nav>ul>li>a{display:block;margin-top:.8rem;font-weight:600;color:var(--ink)}
nav li li a{display:block;padding:.15rem 0}
main{padding:1.5rem 2rem 6rem;max-width:88rem}
h1{font-size:1.9rem;line-height:1.2;margin:.5rem 0 1rem}
h2{font-size:1.35rem;margin:2.5rem 0 .5rem}
h3{font-size:1.08rem;margin:0 0 .3rem}
h3 a{color:inherit}
h4{margin:1rem 0 .2rem}
article{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 2rem;margin:0 -.4rem;padding:1.4rem .4rem;
border-top:1px solid var(--line);content-visibility:auto;contain-intrinsic-size:auto 30rem}
section#start p,section#errors>p{max-width:48rem}
p{margin:.3rem 0 .6rem}
small{color:var(--soft);font-size:.87em}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
pre{align-self:start;position:sticky;top:1rem;margin:0;padding:1rem;overflow:auto;background:var(--well);
border:1px solid var(--line);border-radius:8px;white-space:pre-wrap;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;margin:.6rem 0 1rem;font-size:14px}
caption{text-align:left;font-weight:600;padding-bottom:.2rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-top:1px solid var(--line)}
thead th{color:var(--soft);font-weight:500;border-top:0}
tbody th{font-weight:400;width:30%}
td:nth-child(2){width:22%}
em{color:var(--delete);font-style:normal;font-size:12px}
.method{font:600 11px/1 ui-monospace,monospace;color:var(--soft)}
.get{color:var(--get)}.post{color:var(--post)}.put{color:var(--put)}.patch{color:var(--patch)}
.delete{color:var(--delete)}
[hidden]{display:none}
:target{scroll-margin-top:1rem}
article:target{box-shadow:-4px 0 var(--link)}
@media (max-width:70rem){article{display:block}pre{position:static}}
@media (max-width:48rem){body{display:block}nav{position:static;height:auto;max-height:50vh;border-right:0}
main{padding:1rem}}
@media print{nav{display:none}body{display:block}article{break-inside:avoid}}
`;

export const script = `
const input = document.getElementById('search');
const found = document.getElementById('found');
const items = [...document.querySelectorAll('[data-search]')];
const groups = [...document.querySelectorAll('[data-group]')];
function search() {
  const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const item of items) item.hidden = !words.every((word) => item.dataset.search.includes(word));
  for (const group of groups) group.hidden = !group.querySelector('[data-search]:not([hidden])');
  const count = document.querySelectorAll('article[data-search]:not([hidden])').length;
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 operation' : count + ' operations';
}
input.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape' && document.activeElement === input) {
    input.value = '';
    search();
  }
});
search();
`;
