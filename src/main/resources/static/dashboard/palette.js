const DASHES = [
  { dash: [], border: "solid" },
  { dash: [8, 4], border: "dashed" },
  { dash: [2, 3], border: "dotted" },
];

/** Line style of the n-th series: eight colours, then the same again in dashes and dots. */
export function seriesStyle(palette, index) {
  const colours = palette.series;
  return { stroke: colours[index % colours.length], ...DASHES[Math.floor(index / colours.length) % DASHES.length] };
}

/** Colours of the page as they are now, in light or dark. */
export function paletteOf(node) {
  const style = getComputedStyle(node);
  const colour = (name) => style.getPropertyValue(name).trim();
  return {
    series: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => colour(`--series-${number}`)),
    ink: colour("--ink-soft"),
    grid: colour("--line"),
    surface: colour("--surface"),
    limit: colour("--limit"),
    best: colour("--ink"),
  };
}
