/** The page's only style: both colour schemes, wide and narrow, print. */
export const PAGE_STYLE = `
:root { color-scheme: light dark;
  --ground: #fff; --raised: #f6f7f9; --ink: #1b1f26; --soft: #59616e; --line: #d9dde3; --link: #0b57b8;
  --good: #2f7d5b; --bad: #b8432f; --plain: #6b7687; --first: #4a73b5; --second: #b06f1f; --open: #8a4fa3; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #14171c; --raised: #1d2128; --ink: #e7eaef; --soft: #a0a9b7; --line: #333a45; --link: #82b4ff;
  --good: #58b78c; --bad: #ec7f68; --plain: #8f9bad; --first: #7ea6e8; --second: #dba159; --open: #c393da; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; padding: 2rem 1.25rem 5rem; max-width: 960px; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 3rem 0 .4rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.75rem 0 .3rem; }
p { margin: .3rem 0 .8rem; max-width: 70ch; }
.soft, caption, figcaption { color: var(--soft); font-size: .9rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .5rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; padding: 0; margin: 1rem 0 0; font-size: .95rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: .75rem; padding: 0; margin: 1.5rem 0; list-style: none; }
.cards li { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .75rem .9rem; }
.cards b { display: block; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; font-weight: 600; }
.cards span { display: block; font-size: .85rem; color: var(--soft); }
.notice { border-left: 4px solid var(--bad); background: var(--raised); padding: .6rem .9rem; border-radius: 0 6px 6px 0; max-width: none; }
figure { margin: .75rem 0 1rem; } figure svg { display: block; max-width: 100%; height: auto; color: var(--soft); }
figure svg text { fill: var(--ink); } .narrow { display: none; }
.legend { margin: 0 0 .25rem; font-size: .85rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.good { background: var(--good); } .bad { background: var(--bad); } .plain { background: var(--plain); }
.first { background: var(--first); } .second { background: var(--second); } .open { background: var(--open); }
.scroll { overflow-x: auto; margin: .5rem 0 1rem; background: /* a shadow where there is more to scroll to */
  linear-gradient(to right, var(--ground) 40%, transparent) left / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--ground) 40%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--line), transparent) left / 1rem 100% no-repeat scroll,
  linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--soft); font-size: .85rem; }
tbody th { font-weight: 500; min-width: 9rem; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; white-space: nowrap; padding-right: 1.25rem; }
details summary { cursor: pointer; color: var(--link); white-space: nowrap; }
details[open] { min-width: 15rem; } details ul { margin: .3rem 0; padding-left: 1.1rem; }
code, pre { font: .85rem/1.45 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .75rem; margin: .3rem 0 .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto; }
article { border-bottom: 1px solid var(--line); padding: .25rem 0 .5rem; }
article h3 { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .95rem; margin-top: .75rem; overflow-wrap: anywhere; }
article:target { background: var(--raised); outline: 2px solid var(--link); outline-offset: 4px; border-radius: 4px; }
@media (max-width: 720px) { body { padding: 1.25rem .9rem 4rem; } .wide { display: none; } .narrow { display: block; }
  .cards { grid-template-columns: 1fr 1fr; } h1 { font-size: 1.45rem; } tbody th { min-width: 6.5rem; }
  table { font-size: .86rem; } td.n, th.n, th, td { padding-right: .6rem; } }
@media print { .skip, nav { display: none; } body { max-width: none; } }
`;
