import { type BenchmarkRun, shownRate } from "./read-run.ts";

/** Rows of the chart, with their names in the run. */
const ROWS: readonly { readonly title: string; readonly row: string; readonly unit: "/s" | "ms" }[] = [
  { title: "get a pod", row: "gets per second", unit: "/s" },
  { title: "list 10,000 pods, JSON", row: "lists of 10,000 pods per second", unit: "/s" },
  { title: "create a pod, durable", row: "create pod", unit: "/s" },
  { title: "apply a Deployment", row: "apply Deployment", unit: "/s" },
  { title: "watch event delay, p99, 100 watchers", row: "watch, 100 watchers, lag at p99", unit: "ms" },
];

const LABEL = 300;
const WIDTH = 380;
const STEP = 46;
const BAR = 16;
const SERVERS = [
  { section: "server", name: "Typeplane", colour: "#2b5c8a" },
  { section: "peer", name: "kube-apiserver + etcd", colour: "#b7c3cf" },
] as const;

/** Draws the figures of a run next to those of kube-apiserver. Bars of one row share a scale; the longest has full width. */
export function comparison(run: BenchmarkRun): string {
  const height = 44 + ROWS.length * STEP;
  const rows = ROWS.flatMap(({ title, row, unit }, index) => {
    const values = SERVERS.map(({ section }) =>
      unit === "ms" ? run.number(section, row) : run.perSecond(section, row),
    );
    const longest = Math.max(...values.map((value) => value ?? 0));
    const top = 44 + index * STEP;
    return [
      text(LABEL - 10, top + 20, title, 'text-anchor="end"'),
      ...SERVERS.flatMap(({ colour }, place) => {
        const value = values[place];
        if (value === undefined) return [];
        const length = Math.max(1, (value / longest) * WIDTH);
        const y = top + place * (BAR + 2);
        const figure = unit === "ms" ? `${value.toFixed(0)} ms, shorter is better` : `${shownRate(value)} ${unit}`;
        return [
          `<rect x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" fill="${colour}"/>`,
          text(LABEL + Math.round(length) + 8, y + 13, figure, 'font-size="12"'),
        ];
      }),
    ];
  });
  const legend = SERVERS.flatMap(({ name, colour }, place) => [
    `<rect x="${LABEL + place * 120}" y="12" width="14" height="14" rx="2" fill="${colour}"/>`,
    text(LABEL + 20 + place * 120, 24, name),
  ]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" width="860" height="${height}" font-family="system-ui, sans-serif" font-size="13" fill="#17222e" role="img" aria-labelledby="title">
<title id="title">Requests per second of Typeplane and of kube-apiserver with etcd</title>
<rect width="100%" height="100%" rx="8" fill="#ffffff"/>
${[...legend, ...rows].join("\n")}
</svg>
`;
}

function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${x}" y="${y}"${attributes === "" ? "" : ` ${attributes}`}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}
