import type { JudgedFigure } from "./read-run.ts";

const ROW = 22;
const LABEL = 330;
const WIDTH = 420;

/** Draws how far each figure is from its limit: a bar up to the line just meets the limit, a shorter one is better. */
export function chart(bars: readonly JudgedFigure[]): string {
  const height = bars.length * ROW + 50;
  const scale = WIDTH / 2;
  const rows = bars.map(({ name, share, ok }, index) => {
    const y = 34 + index * ROW;
    const length = Math.max(1, Math.min(WIDTH, share * scale));
    return [
      `<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${escapeText(name)}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="14" rx="2" fill="${ok ? "#2f7d57" : "#c2503a"}"/>`,
      `<text x="${LABEL + length + 6}" y="${y + 12}" fill="#667">${(share * 100).toFixed(0)} %</text>`,
    ].join("");
  });
  const line = LABEL + scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${LABEL + WIDTH + 70}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="${line}" y="18" text-anchor="middle" fill="#333">bar</text>
<line x1="${line}" y1="24" x2="${line}" y2="${height - 12}" stroke="#333" stroke-dasharray="3 3"/>
${rows.join("\n")}
</svg>
`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
