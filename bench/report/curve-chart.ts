import type { Curve, Point } from "../growth/curve.ts";
import { formatNumber } from "../measurement.ts";

const LEFT = 70;
const TOP = 44;
const WIDTH = 460;
const HEIGHT = 260;
const LEGEND = 340;
const COLOURS = ["#2b5c8a", "#c2503a", "#2f7d57", "#8a5fb0", "#b8860b", "#3a8f9c", "#77808a"];

/**
 * Draws a line for each operation over logarithmic axes: a horizontal line does not grow, and one parallel to the dashed line grows in
 * proportion.
 */
export function curveChart({ title, counted, series }: Curve): string {
  const points = series.flatMap((each) => each.points);
  const across = scale(
    points.map(({ x }) => x),
    LEFT,
    LEFT + WIDTH,
  );
  const up = scale(
    points.map(({ cpuMs }) => cpuMs),
    TOP + HEIGHT,
    TOP,
  );
  const xs = [...new Set(points.map(({ x }) => x))];
  const low = Math.min(...points.map(({ cpuMs }) => cpuMs));
  const [first = 1, last = 1] = [Math.min(...xs), Math.max(...xs)];
  const lines = series.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const y = TOP + 8 + index * 20;
    return [
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((point) => place(point)).join(" ")}"/>`,
      ...points.map((point) => `<circle r="3" fill="${colour}" cx="${place(point).replace(",", '" cy="')}"/>`),
      `<rect x="${LEFT + WIDTH + 16}" y="${y}" width="12" height="12" rx="2" fill="${colour}"/>`,
      text(LEFT + WIDTH + 34, y + 10, `${name}: ${formatNumber(points.at(-1)?.cpuMs ?? 0)} ms`),
    ].join("");
  });
  const grid = [
    ...xs.map((x) => text(across(x), TOP + HEIGHT + 18, x.toLocaleString("en"), "middle")),
    ...decades(points.map(({ cpuMs }) => cpuMs)).map(
      (value) =>
        `<line x1="${LEFT}" x2="${LEFT + WIDTH}" y1="${up(value).toFixed(1)}" y2="${up(value).toFixed(1)}" stroke="#dde3e9"/>${text(LEFT - 8, up(value) + 4, `${value} ms`, "end")}`,
    ),
    `<polyline fill="none" stroke="#99a" stroke-dasharray="4 4" points="${place({ x: first, cpuMs: low })} ${place({ x: last, cpuMs: (low * last) / first })}"/>`,
    `<rect x="${LEFT}" y="${TOP}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke="#99a"/>`,
  ];
  const height = TOP + HEIGHT + 46;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + LEGEND}" height="${height}" font-family="sans-serif" font-size="12" fill="#17222e">
<rect width="100%" height="100%" fill="#fff"/>
<clipPath id="area"><rect x="${LEFT}" y="${TOP}" width="${WIDTH}" height="${HEIGHT}"/></clipPath>
${text(LEFT, 24, `${title}: processor time of one operation (dashed: in proportion)`)}
<g clip-path="url(#area)">${grid[grid.length - 2]}</g>
${grid.filter((_, index) => index !== grid.length - 2).join("\n")}
${lines.join("\n")}
${text(LEFT + WIDTH / 2, height - 8, counted, "middle")}
</svg>
`;

  function place({ x, cpuMs }: Point): string {
    return `${across(x).toFixed(1)},${up(cpuMs).toFixed(1)}`;
  }
}

/** Returns a function that maps numbers to positions on a logarithmic axis. */
function scale(numbers: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...numbers)), Math.log(Math.max(...numbers))];
  return (value) => from + ((Math.log(value) - low) / (high - low || 1)) * (to - from);
}

/** Returns the powers of ten in the range of the numbers. */
function decades(numbers: readonly number[]): number[] {
  const [low, high] = [Math.log10(Math.min(...numbers)), Math.log10(Math.max(...numbers))];
  const found: number[] = [];
  for (let power = Math.ceil(low); power <= high; power++) found.push(Number(`1e${power}`));
  return found;
}

function text(x: number, y: number, content: string, anchor = "start"): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped}</text>`;
}
