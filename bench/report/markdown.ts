import { formatNumber, judged, type Measurement, meetsBar } from "../measurement.ts";

export interface Section {
  readonly name: string;
  readonly measurements: readonly Measurement[];
}

const ABOUT_CPU =
  "CPU figures are processor time of the server for one operation, as on a core of its own: before and after each slice of a load a fixed piece of work is timed on the server's core, and the slice counts by as much less as that work took longer than its shortest time in the run. (Neighbours on a shared processor make the same work take up to twice as long.) Of the slices, the half that was disturbed least counts: by that work, and by what `/proc/stat` says was taken away from this machine. Their median is shown, the plain mean of all in brackets. Of writes the first thousands are made and not counted. What is compared by the clock takes turns, of which the calmer half counts, too.";

/** Writes the whole run as a page with one table per part. */
export function markdown(sections: readonly Section[], machine: string): string {
  return `# Bench\n\nOne run of \`make bench\` on ${machine}. ${ABOUT_CPU}\n\n${sections.map(table).join("\n")}`;
}

/** Inserts parts that were measured later into the page of a run: in place of the same parts, or at the end. */
export function withSections(run: string, sections: readonly Section[]): string {
  const [head = "", ...parts] = run.split(/^(?=## )/m);
  const tables = new Map(parts.map((part) => [part.slice(3, part.indexOf("\n")), `${part.trimEnd()}\n`]));
  for (const section of sections) tables.set(section.name, table(section));
  return head + [...tables.values()].join("\n");
}

function table({ name, measurements }: Section): string {
  const rows = measurements.map(row).join("\n");
  return `## ${name}\n\n| what | value | baseline | ratio | bar | |\n|---|---:|---:|---:|---:|---|\n${rows}\n`;
}

function row(measurement: Measurement): string {
  const { name, value, unit, baseline, bar, warning } = measurement;
  const limit = bar === undefined ? "" : "atLeast" in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
  const verdict = bar === undefined ? "" : meetsBar(measurement) ? "ok" : "behind";
  const caution = [verdict, warning ?? ""].filter((text) => text !== "").join("; ");
  const beside = baseline === undefined ? "" : `${formatNumber(baseline.value)} (${baseline.name})`;
  const ratio = baseline === undefined ? "" : judged(measurement).toFixed(2);
  return `| ${name} | ${formatNumber(value)} ${unit} | ${beside} | ${ratio} | ${limit} | ${caution} |`;
}
