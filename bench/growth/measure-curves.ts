import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatNumber, meetsBar } from "../measurement.ts";
import { curveChart } from "../report/curve-chart.ts";
import type { Report } from "../server/measure-server.ts";
import { type Curve, steepness } from "./curve.ts";
import { growWithKinds } from "./kind-curves.ts";
import { growWithManagers, growWithObjects, growWithSize } from "./object-curves.ts";
import { growWithRules, growWithTenants } from "./user-curves.ts";
import { growWithWatchers } from "./watcher-curve.ts";

const CURVES = {
  objects: growWithObjects,
  size: growWithSize,
  kinds: growWithKinds,
  watchers: growWithWatchers,
  managers: growWithManagers,
  rules: growWithRules,
  tenants: growWithTenants,
};
const RESULTS = new URL("../results/", import.meta.url);

const PAGE = new URL("growth.md", RESULTS);

/** Draws each curve as `results/growth-<id>.svg` and writes it into `results/growth.md`. `CURVES=rules,tenants` selects curves. */
export async function measureCurves(report: Report, machine: string): Promise<void> {
  const chosen = (process.env.CURVES ?? "").split(",").filter((id) => id !== "");
  mkdirSync(fileURLToPath(RESULTS), { recursive: true });
  for (const [id, measure] of Object.entries(CURVES)) {
    if (chosen.length > 0 && !chosen.includes(id)) continue;
    const curve = await measure();
    for (const series of curve.series) report(steepness(curve, series));
    writeFileSync(new URL(`growth-${id}.svg`, RESULTS), curveChart(curve));
    writeFileSync(PAGE, pageWith(curve, machine));
  }
}

const ABOUT =
  "Milliseconds of the server's processor time for one operation: the least of four rounds, not corrected for other work on the machine. The last column compares the last figure with the one before it: a cost that should not depend on the number may be 1.6 times as high, one that may grow in proportion 1.6 times as much as the number grew. What is beyond that is a finding.";

/** Returns the page with this curve inserted: in place of its old section, or at the end if it is new. */
function pageWith(curve: Curve, machine: string): string {
  const written = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  const [, ...sections] = written.split(/^(?=## )/m);
  const fresh = `${section(curve, machine).trim()}\n\n`;
  const place = sections.findIndex((text) => text.startsWith(`## ${curve.title}\n`));
  sections.splice(place === -1 ? sections.length : place, 1, fresh);
  return `# Growth\n\nMeasured by \`make bench ONLY=curves\`. ${ABOUT}\n\n${sections.join("").trim()}\n`;
}

function section(curve: Curve, machine: string): string {
  const { id, title, counted, series } = curve;
  const xs = series[0]?.points.map(({ x }) => x.toLocaleString("en")) ?? [];
  const rows = series.map((each) => {
    const measurement = steepness(curve, each);
    const ratio = measurement.value / (measurement.baseline?.value ?? 1);
    const verdict = `${ratio.toFixed(2)} ${meetsBar(measurement) ? "ok" : "steeper than it must be"}`;
    const cells = each.points.map(({ cpuMs }) => formatNumber(cpuMs));
    return `| ${each.name} | ${cells.join(" | ")} | ${verdict}${each.warning === undefined ? "" : `; ${each.warning}`} |`;
  });
  const head = `| ${counted} | ${xs.join(" | ")} | ratio of the last two |`;
  return `## ${title}\n\nOn ${machine}.\n\n![${title}](growth-${id}.svg)\n\n${head}\n|---|${xs.map(() => "---:|").join("")}---|\n${rows.join("\n")}\n`;
}
