/** One stylesheet, small enough to travel with each page; its hash stands in the policy of the page. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#fbfaf8, #16181b);
  --raised: light-dark(#ffffff, #1d2024);
  --ink: light-dark(#23262b, #e4e5e7);
  --quiet: light-dark(#62676f, #9ca2ab);
  --line: light-dark(#e4e1db, #30343a);
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
nav .name { font-weight: 650; letter-spacing: -.01em; font-size: 1.0625rem; color: var(--ink); text-decoration: none; }
nav p { margin: 1.5rem 0 .375rem; color: var(--quiet); font-size: .8125rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .1875rem .625rem; margin-left: -.625rem; border-radius: .375rem; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--code); }
nav li a[aria-current] { background: var(--code); font-weight: 600; }
main { border-left: 1px solid var(--line); padding: 2.5rem clamp(1.25rem, 4vw, 4rem) 6rem; min-width: 0; }
main > * { max-width: 54rem; }
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -.02em; margin: 0 0 .75rem; }
h2 { font-size: 1.25rem; line-height: 1.35; letter-spacing: -.01em; margin: 3.25rem 0 .5rem; }
h3 { font-size: .875rem; margin: 1.5rem 0 .5rem; color: var(--quiet); font-weight: 600; }
p { margin: .5rem 0 1rem; max-width: 42rem; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); padding: .1em .3em; border-radius: .25rem; overflow-wrap: anywhere; }
pre { background: var(--code); border-radius: .5rem; padding: .875rem 1rem; overflow-x: auto; margin: .75rem 0 1rem; }
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
tbody th { font-weight: 500; white-space: nowrap; }
td { color: var(--ink); min-width: 9rem; }
td code { white-space: nowrap; }
.must { color: var(--delete); font-size: .75rem; font-weight: 600; margin-left: .375rem; }
.note { color: var(--quiet); }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--accent); font-size: .9375rem; padding: .125rem 0; width: fit-content; }
.subjects { list-style: none; padding: 0; margin: 1rem 0; display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
.subjects a { display: block; height: 100%; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; text-decoration: none; color: inherit; }
.subjects a:hover { border-color: var(--accent); }
.subjects strong { display: block; font-weight: 600; }
.subjects span { color: var(--quiet); font-size: .875rem; }
tr:target th, tr:target td, h2:target { background: var(--code); }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; border-bottom: 1px solid var(--line); max-height: none; padding: 1rem 1.25rem; }
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
