#pragma once

namespace tacit::attack {

// Colours are named once for light and once for dark; paper gets the light ones.
inline constexpr char kPageStyle[] = R"css(
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1c2024; --soft: #5b646d; --line: #dde0e2;
  --card: #f3f5f4; --defence: #e6f2ef; --good: #00766a; --good2: #4f8a00;
  --s0: #b3261e; --s1: #c25e00; --s2: #7b3fa0; --s3: #a8326e; --s4: #8a6d00; --s5: #5c4a3d; --s6: #3d5a99; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e8ea; --soft: #9aa4ad;
  --line: #2d3338; --card: #1c2125; --defence: #12302c; --good: #45c9b5; --good2: #a3d15a;
  --s0: #ff8a80; --s1: #ffb05c; --s2: #cf9df2; --s3: #f78fc0; --s4: #e3c64b; --s5: #c9b3a3; --s6: #9db8f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 2rem 1.5rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .8rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .4rem; }
h3 { font-size: 1rem; margin: 0 0 .3rem; }
header p { max-width: 52rem; margin: .3rem 0; }
nav { margin: 1.2rem 0 0; }
header h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
nav ol { padding-left: 1.4rem; margin: 0; columns: 26rem 2; column-gap: 2.5rem; }
nav li { margin: .15rem 0; break-inside: avoid; }
dl { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: .5rem 2rem; font-size: .94rem; }
dt { font-weight: 600; } dd { margin: 0; color: var(--soft); }
.skipped { margin: 0; padding-left: 1.1rem; font-size: .94rem; }
a { color: inherit; text-decoration-color: var(--soft); text-underline-offset: .2em; }
section { border-top: 1px solid var(--line); margin-top: 2.2rem; padding-top: 1.8rem; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.2rem 2rem; align-items: start; }
.shows { color: var(--soft); max-width: 52rem; margin: 0 0 1rem; }
.found { margin: 0; padding-left: 1.1rem; }
.found li { margin: .2rem 0; }
.verdict { background: var(--defence); border-left: 4px solid var(--good); padding: .4rem 1.1rem; border-radius: 4px; font-size: 1.08rem; }
aside { background: var(--defence); border-left: 4px solid var(--good); padding: .9rem 1.1rem; border-radius: 4px; }
aside p { margin: 0; font-size: .94rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(27rem, 100%), 1fr)); gap: 1.2rem 1.6rem;
  margin-top: 1.2rem; align-items: start; }
.charts .wide { grid-column: 1 / -1; }
figure { margin: 0; background: var(--card); border-radius: 6px; padding: .9rem 1rem .8rem; break-inside: avoid; }
figcaption { font-weight: 600; font-size: .96rem; margin-bottom: .3rem; }
svg.chart { width: 100%; height: auto; display: block; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1rem; margin: .4rem 0 0; padding: 0; font-size: .84rem; }
.legend svg { vertical-align: -1px; margin-right: .35rem; }
.bars, .asked, footer { color: var(--soft); font-size: .82rem; margin: .35rem 0 0; }
text { fill: var(--ink); font-size: 15.5px; }
text.tick { fill: var(--soft); font-variant-numeric: tabular-nums; }
text.marked { fill: var(--good); font-size: 15px; }
line.grid { stroke: var(--line); }
line.axis { stroke: var(--soft); }
line.mark { stroke: var(--good); stroke-dasharray: 2 3; }
.path { fill: none; stroke: var(--c); stroke-width: 2; }
.bar { stroke: var(--c); stroke-width: 1.2; opacity: .75; }
.dot { fill: var(--c); stroke: var(--card); stroke-width: 1; }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); }
.s4 { --c: var(--s4); } .s5 { --c: var(--s5); } .s6 { --c: var(--s6); }
.defended { --c: var(--good); } .defended.second { --c: var(--good2); }
.reference { --c: var(--soft); } .reference .path { stroke-dasharray: 6 4; stroke-width: 1.6; }
.reference.second .path { stroke-dasharray: 1 4; stroke-linecap: round; }
.reference.third .path { stroke-dasharray: 9 3 1 3; }
.sheet { overflow-x: auto; min-width: 0; }
table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
.cautions { color: var(--soft); font-size: .88rem; margin: 1rem 0 0; padding-left: 1.1rem; }
@media (max-width: 34rem) { body { padding: 1.2rem .9rem 3rem; } figure { padding: .7rem .5rem; }
  text, text.marked { font-size: 18px; } table { font-size: .82rem; } th, td { padding-right: .6rem; } }
@media (max-width: 58rem) { .beside { grid-template-columns: minmax(0, 1fr); } }
@media print { :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #ccc; --card: #fff;
  --defence: #fff; --good: #00665c; --good2: #3f6e00; --s0: #b3261e; --s1: #a85000; --s2: #6b3490; --s3: #962a61; --s4: #766000;
  --s5: #4d3d32; --s6: #2f4a87; }
  body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  figure { border: 1px solid var(--line); max-width: 12.5cm; margin-bottom: .8rem; } .charts { display: block; }
  .sheet { margin-top: .8rem; } h2, caption, figcaption { break-after: avoid; }
  .beside { grid-template-columns: minmax(0, 1fr) 15rem; }
  .sheet, aside { break-inside: avoid; } }
)css";

}  // namespace tacit::attack
