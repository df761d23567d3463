/** One stylesheet, small enough to travel with each page; its hash stands in the policy of the page. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf8, #16181b);
  --raised: light-dark(#ffffff, #1d2024);
  --ink: light-dark(#23262b, #e4e5e7);
  --quiet: light-dark(#62676f, #9ca2ab);
  --line: light-dark(#e4e1db, #30343a);
  --field: light-dark(#8d8778, #6f757e);
  --accent: light-dark(#1f5f8b, #7fb8df);
  --code: light-dark(#f2efe9, #24282d);
  --get: light-dark(#1f6f4a, #6fc79b);
  --post: light-dark(#1f5f8b, #7fb8df);
  --patch: light-dark(#8a5a11, #dcae63);
  --delete: light-dark(#a03333, #e38b8b);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); min-height: 100vh;
}
nav {
  padding: 1.75rem 1.25rem; font-size: .9375rem;
  position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto;
}
nav .head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: .25rem .75rem; }
nav .back { font-size: .8125rem; }
nav .name { font-weight: 650; letter-spacing: -.01em; font-size: 1.0625rem; color: var(--ink); text-decoration: none; }
nav summary { display: none; }
nav p { margin: 1.5rem 0 .375rem; color: var(--quiet); font-size: .8125rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .1875rem .625rem; margin-left: -.625rem; border-radius: .375rem; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--code); }
nav li a[aria-current] { background: var(--code); font-weight: 600; }
nav form { display: flex; gap: .375rem; margin: 1rem 0 0; position: relative; }
nav input { flex: 1; min-width: 0; font: inherit; font-size: .875rem; color: inherit; background: var(--raised); border: 1px solid var(--field); border-radius: .375rem; padding: .3125rem .5rem; }
nav input::placeholder { color: var(--quiet); opacity: 1; }
button { font: inherit; font-size: .8125rem; color: var(--ink); background: var(--raised); border: 1px solid var(--field); border-radius: .375rem; padding: .1875rem .5625rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
.found { position: absolute; z-index: 2; top: calc(100% + .375rem); left: 0; right: 0; max-height: min(32rem, 70vh); overflow: auto; background: var(--raised); border: 1px solid var(--field); border-radius: .5rem; padding: .25rem; box-shadow: 0 .5rem 1.5rem rgb(0 0 0 / .18); }
.found a, .results a { display: block; padding: .375rem .625rem; border-radius: .375rem; text-decoration: none; color: inherit; overflow-wrap: anywhere; }
.found a:hover, .found a:focus, .results a:hover { background: var(--code); }
.found strong, .results strong { display: block; font-weight: 600; font-size: .9375rem; }
.found span, .results span { display: block; color: var(--quiet); font-size: .8125rem; }
.found p { margin: .375rem .625rem; font-size: .875rem; }
.results { list-style: none; padding: 0; margin: 1rem -.625rem; }
.skip { position: fixed; top: .5rem; left: .5rem; z-index: 3; background: var(--raised); padding: .25rem .75rem; border: 1px solid var(--field); border-radius: .375rem; }
.skip:not(:focus), .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
main { border-left: 1px solid var(--line); padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; min-width: 0; }
main { outline: none; }
main > * { max-width: 54rem; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.02em; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; line-height: 1.35; letter-spacing: -.01em; margin: 3.25rem 0 .5rem; }
h3 code { font-size: 1rem; color: var(--ink); }
h3 { font-size: .875rem; margin: 1.5rem 0 .5rem; color: var(--quiet); font-weight: 600; }
p { margin: .5rem 0 1rem; max-width: 42rem; }
a { color: var(--accent); text-underline-offset: .15em; }
:is(a, summary, pre, button, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); padding: .1em .3em; border-radius: .25rem; overflow-wrap: anywhere; }
figure.code { margin: .75rem 0 1rem; background: var(--code); border: 1px solid var(--line); border-radius: .5rem; max-width: 54rem; }
figcaption { display: flex; align-items: center; justify-content: space-between; gap: .75rem; padding: .25rem .375rem .25rem 1rem; min-height: 2.125rem; font-size: .8125rem; color: var(--quiet); border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: .75rem 1rem; overflow: auto; max-height: 34rem; border-radius: 0 0 .5rem .5rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.call { display: flex; flex-wrap: wrap; gap: .375rem .75rem; align-items: baseline; margin: 0 0 .75rem; }
.call code { background: none; padding: 0; font-size: .9375rem; }
.method { font: 650 .75rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .04em; border: 1px solid currentColor; border-radius: .3125rem; padding: .0625rem .4375rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.scope { color: var(--quiet); font-size: .9375rem; margin-top: 0; }
.table { overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); margin: .5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .875rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-weight: 600; font-size: .8125rem; }
tbody th { font-weight: 500; min-width: 8.5rem; }
th, td { overflow-wrap: anywhere; }
td { color: var(--ink); min-width: 7rem; }
.told { display: block; color: var(--quiet); font-size: .875rem; }
.must { display: inline-block; white-space: nowrap; color: var(--delete); font-size: .75rem; font-weight: 600; margin-left: .375rem; }
.note { color: var(--quiet); }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--accent); font-size: .9375rem; padding: .125rem 0; width: fit-content; }
.subjects { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
.subjects a { display: block; height: 100%; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; text-decoration: none; color: inherit; }
.subjects a:hover { border-color: var(--accent); }
.subjects strong { display: block; font-weight: 600; }
.subjects span { color: var(--quiet); font-size: .875rem; }
.contents { columns: 15rem 2; list-style: none; padding: 0; margin: 1rem 0; }
.contents li { break-inside: avoid; padding: .125rem 0; }
.steps > li { margin: .875rem 0; padding-left: .25rem; }
.steps, .types { padding-left: 1.5rem; }
.types li { margin: .375rem 0; }
tr:target th, tr:target td, h2:target, h3:target, li:target { background: var(--code); }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; border-bottom: 1px solid var(--line); max-height: none; padding: 1rem 1.25rem; }
  nav summary { display: list-item; margin-top: .75rem; padding: .375rem 0; font-size: .875rem; cursor: pointer; }
  nav p { margin: .75rem 0 .25rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: .125rem .375rem; }
  nav li a { margin: 0; padding: .125rem .5rem; border: 1px solid var(--line); }
  main { border-left: 0; padding-top: 1.75rem; }
  th, td { padding: .4375rem .625rem; }
}
@media (max-width: 36rem) {
  table, tbody, tr, tbody th, td { display: block; }
  thead, td:empty { display: none; }
  tr { padding: .5rem .75rem; }
  tr + tr { border-top: 1px solid var(--line); }
  tbody th, td { border: 0; padding: .0625rem 0; }
}
@media print { nav { display: none; } body { display: block; } }
`
